import { PostgresDatabases, type Database } from '@bourse/persistence';
import type { Config } from '@bourse/platform';
import { MIGRATIONS } from './adapters/persistence/migrations.js';
import { KEY_REQUEST } from './adapters/persistence/postgres-tick-store.js';

/** A key of the recorded prices as the console shows it. */
export interface TickKeyLine {
  readonly publicKey: string;
  readonly from: Date;
  readonly until: Date | null;
}

/** The settings of an install that the work on its keys depends on. */
type Install = Pick<Config, 'databaseRolePrefix'>;

/** `bourse tick-key`: all keys with their periods, oldest first. */
export const listTickKeys = (install: Install, databaseUrl: string): Promise<readonly TickKeyLine[]> =>
  withMarket(install, databaseUrl, (database) =>
    database.query<TickKeyLine>(
      `select encode(public_key, 'base64') as "publicKey", valid_from as "from", valid_until as until from tick_key
        order by valid_from`,
    ),
  );

/**
 * `bourse tick-key --rotate`: the recorder of prices makes another key with its next second. The console makes none: it
 * need not have the secret that encrypts the keys.
 */
export const askForTickKey = (install: Install, databaseUrl: string): Promise<void> =>
  withMarket(install, databaseUrl, async (database) => {
    await database.execute(
      `insert into meta (name, value) values ($1, now()::text) on conflict (name) do update set value = excluded.value`,
      [KEY_REQUEST],
    );
  });

async function withMarket<T>(
  { databaseRolePrefix: rolePrefix }: Install,
  url: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const databases = new PostgresDatabases({ url, rolePrefix, migrates: false });
  try {
    return await work(await databases.open({ schema: 'market', migrations: MIGRATIONS }));
  } finally {
    await databases.close();
  }
}
