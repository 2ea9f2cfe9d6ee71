import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { PostgresDatabases, type DatabasesOptions, type DatabaseSpec } from '@bourse/persistence';

export interface TestDatabases {
  /** Address of the fresh database. */
  readonly url: string;
  readonly databases: PostgresDatabases;
  /** Another set of pools on the same database, as a second process would have. */
  another(options?: Partial<DatabasesOptions>): PostgresDatabases;
  /** A plain connection with all rights, for looking into tables. */
  query<R extends pg.QueryResultRow>(sql: string, params?: unknown[]): Promise<R[]>;
  /** Closes everything and drops the database. */
  end(): Promise<void>;
}

/** A schema that a database of tests begins with, as its migrations make it. */
type Shape = Pick<DatabaseSpec, 'schema' | 'migrations'>;

/**
 * A fresh, empty database on the server of `TEST_DATABASE_URL`. Schemas and roles are made by `databases.open`, as in a
 * real start; with `shape` that schema is there already, copied: its migrations take much longer than the copy. Throws
 * without that variable: a suite that needs PostgreSQL must not pass without it.
 */
export async function testDatabases({
  shape,
  ...options
}: Partial<DatabasesOptions> & { readonly shape?: Shape } = {}): Promise<TestDatabases> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set: this suite needs a PostgreSQL server');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}${shape ? ` template ${await shaped(admin, server, shape)}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const opened: PostgresDatabases[] = [];
  const open = (more: Partial<DatabasesOptions> = {}): PostgresDatabases => {
    const databases = new PostgresDatabases({ url: url.href, ...options, ...more });
    opened.push(databases);
    return databases;
  };
  const databases = open();
  let looker: pg.Client | undefined;
  return {
    url: url.href,
    databases,
    another: open,
    async query<R extends pg.QueryResultRow>(sql: string, params: unknown[] = []) {
      if (!looker) {
        looker = new pg.Client({ connectionString: url.href });
        await looker.connect();
      }
      return (await looker.query<R>(sql, params)).rows;
    },
    async end() {
      await looker?.end();
      for (const one of opened) await one.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/** Held by the process that makes a database for others to copy. */
const SHAPE_LOCK = 7_226_114_404;

/**
 * The database that is copied for a shape, by its name. It is made once for a server: its name says which migrations it
 * has, so that all files share it. No connection to it stays open, because PostgreSQL copies no database in use.
 */
async function shaped(admin: pg.Client, server: string, { schema, migrations }: Shape): Promise<string> {
  // Migrations of the library that are newer than the copied one are applied to each copy, as in any install.
  const hash = createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 12);
  const name = `test_shape_${schema}_${hash}`;
  await admin.query('select pg_advisory_lock($1)', [SHAPE_LOCK]);
  try {
    const known = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rowCount !== 0) return name;
    // Under its name only when it is whole: a run may be ended while it makes one.
    const url = new URL(server);
    url.pathname = `/${name}_begun`;
    await admin.query(`drop database if exists ${name}_begun`);
    await admin.query(`create database ${name}_begun`);
    const databases = new PostgresDatabases({ url: url.href });
    try {
      const database = await databases.open({ schema, migrations });
      // Each copy is another install.
      await database.execute(`delete from meta where name = 'install'`);
    } finally {
      await databases.close();
    }
    await admin.query(`alter database ${name}_begun rename to ${name}`);
    return name;
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [SHAPE_LOCK]);
  }
}
