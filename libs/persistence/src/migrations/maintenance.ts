import pg from 'pg';
import { dropReadDays, ensureOutboxDays } from './migrations.js';
import { roleOf } from './roles.js';

export interface MaintenanceOptions {
  readonly schema: string;
  readonly url: string;
  readonly rolePrefix?: string;
  /** Whether all consumers have read a stream up to a number; without it no days are dropped. */
  readonly isRead?: (stream: string, number: number) => Promise<boolean>;
  /** Called when the work has failed. */
  readonly onError: (error: unknown) => void;
}

/** Creates the coming days of a schema's outbox, drops days that all have read, and deletes old answers. */
export async function maintainSchema({ schema, url, rolePrefix, isRead, onError }: MaintenanceOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: `bourse maintenance ${schema}` });
  client.on('error', () => undefined); // its query fails too, which is reported below
  try {
    await client.connect();
    await client.query(`set role ${roleOf(schema, rolePrefix)}`);
    await client.query(`set search_path = ${schema}, public`);
    await client.query('set lock_timeout = 2000');
    await ensureOutboxDays(client);
    if (isRead) await dropReadDays(client, isRead);
    await client.query('delete from answers where until < now()');
  } catch (error) {
    onError(error);
  } finally {
    await client.end();
  }
}
