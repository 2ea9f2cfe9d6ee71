import type pg from 'pg';

/** The oldest PostgreSQL with all features used here, such as memberships without `set`; as `server_version_num`. */
const OLDEST = 160_000;

/** The server is older than this version can work with. The message is one for a person. */
export class ServerTooOld extends Error {
  /** For programs that do not share our classes. */
  readonly forPeople = true;
}

/**
 * Refuses an older server before statements that it does not know [DEPLOY-025].
 * @throws ServerTooOld
 */
export async function requireServer(client: Pick<pg.Client, 'query'>): Promise<void> {
  const { rows } = await client.query<{ number: string; text: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
  );
  const [{ number, text } = { number: '0', text: 'unknown' }] = rows;
  if (Number(number) < OLDEST)
    throw new ServerTooOld(
      `PostgreSQL ${OLDEST / 10_000} or newer is needed, and the server of the database is ${text} (deploy/README.md).`,
    );
}
