import { createHash } from 'node:crypto';
import pg from 'pg';
import { LIBRARY_MIGRATIONS } from './library-tables.js';
import type { DatabaseSpec, Migration } from '../ports.js';
import { ensureSchema, MIGRATION_LOCK, roleOf } from './roles.js';

/**
 * Brings a schema to its present shape: role, schema, library tables, then the service's migrations, each in a
 * transaction of its own. Throws if a migration that has run was edited since, or has vanished from the list.
 */
export async function migrate(
  url: string,
  spec: Pick<DatabaseSpec, 'schema' | 'migrations'>,
  prefix?: string,
): Promise<void> {
  const { schema } = spec;
  const role = roleOf(schema, prefix);
  const ids = new Set<string>();
  for (const { id } of spec.migrations) {
    if (ids.has(id) || id.startsWith('library-'))
      throw new RangeError(`migration ${id} of ${schema} is named twice, or like a library's`);
    ids.add(id);
  }
  const client = new pg.Client({ connectionString: url, application_name: `bourse migrations ${schema}` });
  client.on('error', () => undefined); // its query fails too
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await ensureSchema(client, schema, prefix);
    await client.query(`set role ${role}`);
    await client.query(`set search_path = ${schema}, public`);
    await client.query(
      `create table if not exists migration
        (id text primary key, hash text not null, applied_at timestamptz not null default now())`,
    );
    await applyAll(client, schema, [...LIBRARY_MIGRATIONS, ...spec.migrations]);
    await ensureOutboxDays(client);
    // By it a database is told from another one that has the same name and address.
    await client.query(
      `insert into meta (name, value) values ('install', gen_random_uuid()::text) on conflict do nothing`,
    );
  } finally {
    await client.end(); // ends the session, and with it the advisory lock
  }
}

/** A schema cannot be brought to the shape that this version needs. The message is one for a person. */
export class MigrationRefused extends Error {}

async function applyAll(client: pg.Client, schema: string, migrations: readonly Migration[]): Promise<void> {
  const applied = new Map(
    (await client.query<{ id: string; hash: string }>('select id, hash from migration')).rows.map((row) => [
      row.id,
      row.hash,
    ]),
  );
  for (const { id, sql } of migrations) {
    const hash = createHash('sha256').update(sql).digest('hex');
    const before = applied.get(id);
    applied.delete(id);
    if (before === hash) continue;
    if (before !== undefined)
      throw new MigrationRefused(
        `Migration ${id} of schema ${schema} has changed since it was applied; a landed migration is never edited.`,
      );
    await client.query('begin');
    try {
      await client.query(sql);
      await client.query('insert into migration (id, hash) values ($1, $2)', [id, hash]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new MigrationRefused(`Migration ${id} of schema ${schema} failed: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  const unknown = [...applied.keys()];
  if (unknown.length > 0)
    throw new MigrationRefused(
      `Schema ${schema} was migrated by a newer version (${unknown.join(', ')}): this version must not run on it.`,
    );
}

/**
 * Days of the outbox that must exist: from yesterday (a clock behind) to three days ahead (a maintenance that was not
 * running).
 */
export const OUTBOX_DAYS_AHEAD = 3;
interface Queries {
  query(sql: string, params?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Makes the coming days' partitions of the outbox; harmless when they exist. */
export async function ensureOutboxDays(client: Queries): Promise<void> {
  const { rows } = await client.query(
    `
    select to_char(day, 'YYYYMMDD') as suffix, to_char(day, 'YYYY-MM-DD') as first,
      to_char(day + interval '1 day', 'YYYY-MM-DD') as next
    from generate_series((now() at time zone 'UTC')::date - 1, (now() at time zone 'UTC')::date + $1::int,
      interval '1 day') as day
    where to_regclass('outbox_' || to_char(day, 'YYYYMMDD')) is null`,
    [OUTBOX_DAYS_AHEAD],
  );
  for (const { suffix, first, next } of rows) {
    await client.query(
      `create table if not exists outbox_${String(suffix)} partition of outbox
        for values from ('${String(first)} 00:00:00+00') to ('${String(next)} 00:00:00+00')`,
    );
  }
}

/**
 * Drops days of the outbox that ended more than 24 h ago and of which every stream has been read. Whole days only,
 * oldest first, up to the first that must stay.
 */
export async function dropReadDays(
  client: Queries,
  isRead: (stream: string, number: number) => Promise<boolean>,
): Promise<void> {
  const { rows: days } = await client.query(`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'outbox'::regclass
      and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - 2
    order by 1`);
  for (const { name } of days) {
    const { rows: streams } = await client.query(
      `select stream, max(number) as number from ${String(name)} group by stream`,
    );
    for (const { stream, number } of streams) if (!(await isRead(String(stream), Number(number)))) return;
    await client.query(`drop table ${String(name)}`);
  }
}
