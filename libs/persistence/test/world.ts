import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { PostgresDatabases, type DatabasesOptions } from '../src/index.js';

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

/**
 * The counterpart of `@bourse/testing`, which depends on this library: this library's own tests cannot use it.
 *
 * A fresh, empty database on the server of `TEST_DATABASE_URL`. Schemas and roles are made by `databases.open`, as in a
 * real start. Throws without that variable: a suite that needs PostgreSQL must not pass without it.
 */
export async function testDatabases(options: Partial<DatabasesOptions> = {}): Promise<TestDatabases> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set: this suite needs a PostgreSQL server');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
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
