import pg from 'pg';
import { dropReadDays, ensureOutboxDays } from './migrations.js';
import { roleOf } from './roles.js';

/** A schema, and the login by which it is reached. */
export interface SchemaAddress {
  readonly schema: string;
  readonly url: string;
  readonly rolePrefix?: string;
}

export interface MaintenanceOptions extends SchemaAddress {
  /** Whether all consumers have read a stream up to a number; without it no days are dropped. */
  readonly isRead?: (stream: string, number: number) => Promise<boolean>;
  /** Called when the work has failed. */
  readonly onError: (error: unknown) => void;
}

/** Creates the coming days of a schema's outbox, drops days that all have read, and deletes old answers. */
export async function maintainSchema({ isRead, onError, ...where }: MaintenanceOptions): Promise<void> {
  try {
    await inSchema(where, async (client) => {
      await makeOutboxDays(client, where.schema);
      if (isRead) await dropReadDays(client, isRead);
      await client.query('delete from answers where until < now()');
    });
  } catch (error) {
    onError(error);
  }
}

/**
 * Creates the missing days of a schema's outbox: an exchange that was down for days, and migrates nothing at its start,
 * could emit nothing until its first maintenance.
 */
export const prepareOutbox = (where: SchemaAddress): Promise<void> =>
  inSchema(where, (client) => makeOutboxDays(client, where.schema));

/** Instances that start at once make the same days: one after the other, or the second is refused by the catalog. */
async function makeOutboxDays(client: pg.Client, schema: string): Promise<void> {
  const lock = [`bourse outbox days of ${schema}`];
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', lock);
  try {
    await client.query('set lock_timeout = 2000');
    await ensureOutboxDays(client);
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', lock);
  }
}

/** On a connection of its own, as the schema's role, so that the outbox and its days have one owner. */
async function inSchema(
  { schema, url, rolePrefix }: SchemaAddress,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: `bourse maintenance ${schema}` });
  client.on('error', () => undefined); // its query fails too
  try {
    await client.connect();
    await client.query(`set role ${roleOf(schema, rolePrefix)}`);
    await client.query(`set search_path = ${schema}, public`);
    await work(client);
  } finally {
    await client.end();
  }
}
