import { createHash } from 'node:crypto';
import pg from 'pg';
import { LIBRARY_MIGRATIONS } from './library-tables.js';
import type { DatabaseSpec, Migration } from '../ports.js';
import { requireServer } from './server-version.js';
import { ensureSchema, MIGRATION_LOCK, roleOf } from './roles.js';

/**
 * Brings a schema to its present shape: role, schema, library tables, then the service's migrations, each in a
 * transaction of its own. @returns ids of migrations of a newer version, beside which this one may run. @throws
 * MigrationRefused if a migration that has run was edited since, failed, or is one of a newer version that breaks this
 */
export async function migrate(
  url: string,
  spec: Pick<DatabaseSpec, 'schema' | 'migrations'>,
  prefix?: string,
): Promise<readonly string[]> {
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
    await requireServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await ensureSchema(client, schema, prefix);
    await client.query(`set role ${role}`);
    await client.query(`set search_path = ${schema}, public`);
    await client.query(
      `create table if not exists migration
        (id text primary key, hash text not null, applied_at timestamptz not null default now(), breaks boolean)`,
    );
    await knowWhatBreaks(client);
    const newer = await applyAll(client, schema, [...LIBRARY_MIGRATIONS, ...spec.migrations]);
    await ensureOutboxDays(client);
    // This id distinguishes the database from another one of the same name and address.
    await client.query(
      `insert into meta (name, value) values ('install', gen_random_uuid()::text) on conflict do nothing`,
    );
    return newer;
  } finally {
    await client.end(); // ends the session, and with it the advisory lock
  }
}

/** The changes that a version would make to a schema. */
export interface MigrationPlan {
  readonly schema: string;
  /** Ids of the migrations that wait, in their order. */
  readonly waiting: readonly string[];
  /** Those among them beside which older versions may no longer run. */
  readonly breaking: readonly string[];
  /** Migrations of a newer version, beside which this one may run. */
  readonly newer: readonly string[];
}

/**
 * Returns what `migrate` would apply; nothing is written. A missing schema needs every migration. @throws
 * MigrationRefused where `migrate` would refuse, and where this login may not read what was applied
 */
export async function planMigrations(
  url: string,
  { schema, migrations }: Pick<DatabaseSpec, 'schema' | 'migrations'>,
): Promise<MigrationPlan> {
  const client = new pg.Client({ connectionString: url, application_name: `bourse migrations ${schema}` });
  client.on('error', () => undefined); // its query fails too
  await client.connect();
  try {
    await requireServer(client);
    const applied = await appliedBefore(client, schema);
    const all: readonly Migration[] = [...LIBRARY_MIGRATIONS, ...migrations];
    const waiting = all.filter((migration) => !isApplied(schema, migration, applied.get(migration.id)));
    return {
      schema,
      waiting: waiting.map(({ id }) => id),
      breaking: waiting.filter(({ breaks }) => breaks === true).map(({ id }) => id),
      newer: newerThan(schema, all, applied),
    };
  } finally {
    await client.end();
  }
}

/**
 * Throws where a schema is not as this version needs it: for a service that migrates nothing itself (`MIGRATE=off`).
 * @returns ids of migrations of a newer version, beside which this one may run [DEPLOY-006]
 */
export async function requireMigrated(
  url: string,
  spec: Pick<DatabaseSpec, 'schema' | 'migrations'>,
): Promise<readonly string[]> {
  const { schema, waiting, newer } = await planMigrations(url, spec);
  if (waiting.length > 0)
    throw new MigrationRefused(
      `Schema ${schema} lacks ${waiting.length} of this version's migrations (${waiting[0]} is the first), and ` +
        'this process applies none (a tool, or MIGRATE=off): start the exchange, or run `bourse migrate --apply` ' +
        'with the login that owns the database (DATABASE_OWNER_URL), then try again.',
    );
  return newer;
}

/** Reads the table of applied migrations without creating it. */
async function appliedBefore(client: pg.Client, schema: string): Promise<ReadonlyMap<string, Applied>> {
  const table = `${schema}.migration`;
  const { rows } = await client.query<{ table: string | null }>('select to_regclass($1)::text as table', [table]);
  if (rows[0]?.table === null) return new Map();
  const marked = await client.query(
    `select 1 from pg_attribute where attrelid = $1::regclass and attname = 'breaks' and not attisdropped`,
    [table],
  );
  const found = await client.query<Applied & { id: string }>(
    `select id, hash, ${marked.rowCount === 0 ? 'null::boolean as breaks' : 'breaks'} from ${table}`,
  );
  return new Map(found.rows.map(({ id, ...row }) => [id, row]));
}

/** A schema cannot be brought to the shape that this version needs. The message is one for a person. */
export class MigrationRefused extends Error {}

/** Schemas of before there was a mark: whether a migration breaks older versions is unknown of their rows. */
async function knowWhatBreaks(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 from pg_attribute where attrelid = 'migration'::regclass and attname = 'breaks'`,
  );
  if (rowCount === 0) await client.query('alter table migration add column breaks boolean');
}

interface Applied {
  readonly hash: string;
  /** Null: applied by a version that did not record it. */
  readonly breaks: boolean | null;
}

async function applyAll(
  client: pg.Client,
  schema: string,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied = new Map(
    (await client.query<Applied & { id: string }>('select id, hash, breaks from migration')).rows.map(
      ({ id, ...row }) => [id, row],
    ),
  );
  for (const migration of migrations) await applyOne(client, schema, migration, applied.get(migration.id));
  return newerThan(schema, migrations, applied);
}

/** Ids of a newer version's migrations. @throws MigrationRefused if one of them breaks this version */
function newerThan(
  schema: string,
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, Applied>,
): readonly string[] {
  const own = new Set(migrations.map(({ id }) => id));
  const newer = [...applied].filter(([id]) => !own.has(id));
  const breaking = newer.filter(([, { breaks }]) => breaks !== false).map(([id]) => id);
  if (breaking.length > 0)
    throw new MigrationRefused(
      `Schema ${schema} was migrated by a newer version (${breaking.join(', ')}): this version must not run on it.`,
    );
  return newer.map(([id]) => id);
}

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('hex');

/** @throws MigrationRefused if it was applied in another wording */
function isApplied(
  schema: string,
  { id, sql }: Pick<Migration, 'id' | 'sql'>,
  before: Applied | undefined,
): before is Applied {
  if (before && before.hash !== hashOf(sql))
    throw new MigrationRefused(
      `Migration ${id} of schema ${schema} has changed since it was applied; a landed migration is never edited.`,
    );
  return before !== undefined;
}

async function applyOne(
  client: pg.Client,
  schema: string,
  { id, sql, breaks = false }: { readonly id: string; readonly sql: string; readonly breaks?: boolean },
  before: Applied | undefined,
): Promise<void> {
  if (isApplied(schema, { id, sql }, before)) {
    if (before.breaks !== breaks) await client.query('update migration set breaks = $2 where id = $1', [id, breaks]);
    return;
  }
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into migration (id, hash, breaks) values ($1, $2, $3)', [id, hashOf(sql), breaks]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new MigrationRefused(`Migration ${id} of schema ${schema} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Days of the outbox that must exist: from yesterday (a clock behind) to three days ahead (a maintenance that was not
 * running).
 */
const OUTBOX_DAYS_AHEAD = 3;
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
 * Drops days of the outbox (UTC) that ended at least 48 h ago and of which every stream has been read. Whole days only,
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
