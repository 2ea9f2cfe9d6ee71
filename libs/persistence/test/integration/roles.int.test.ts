import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { loginUrl, MissingRight, PostgresDatabases, prepareRoles, type Database } from '../../src/index.js';
import { eventually } from '@bourse/testing/eventually';
import { testDatabases, type TestDatabases } from '@bourse/testing';

const MIGRATIONS = [{ id: '0001-money', sql: 'create table money (id int primary key, amount numeric not null)' }];
const SCHEMAS = ['ledger', 'market'];
const passwords = { ledger: 'the password of ledger', market: `with a quote ' and a \\ in it` };
/** Roles are global to the server, which other tests use too. */
const prefix = `t${randomBytes(4).toString('hex')}_`;

let world: TestDatabases;
const opened: PostgresDatabases[] = [];
const sessions: pg.Client[] = [];
const urlOf = (schema: keyof typeof passwords): string => loginUrl(world.url, schema, passwords[schema], prefix);
const open = (url: string, schema: string): Promise<Database> => {
  const databases = new PostgresDatabases({ url, rolePrefix: prefix });
  opened.push(databases);
  return databases.open({ schema, migrations: MIGRATIONS });
};
const session = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  sessions.push(client);
  return client;
};

beforeAll(async () => {
  world = await testDatabases();
  await prepareRoles(world.url, SCHEMAS, { passwords, prefix });
});
afterAll(async () => {
  for (const client of sessions) await client.end();
  for (const databases of opened) await databases.close();
  const server = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await world.end();
  await server.connect();
  const { rows } = await server.query<{ rolname: string }>('select rolname from pg_roles where rolname like $1', [
    `${prefix.replaceAll('_', '\\_')}%`,
  ]);
  for (const { rolname } of rows) await server.query(`drop role ${rolname}`);
  await server.end();
});

describe('a login for each service [HARD-209]', () => {
  test('migrates and uses its own schema, with no right but on it', async () => {
    const ledger = await open(urlOf('ledger'), 'ledger');
    await ledger.transaction((tx) => tx.execute('insert into money values (1, 10)'));
    expect(await ledger.query('select amount::text from money')).toEqual([{ amount: '10' }]);
    await open(urlOf('market'), 'market');
    // Again, as at each deployment: nothing is granted twice, nothing is lost.
    await prepareRoles(world.url, SCHEMAS, { passwords, prefix });
    expect(await ledger.query('select amount::text from money')).toEqual([{ amount: '10' }]);
  });

  test('a role that another database of the server makes meanwhile is taken as it is', async () => {
    const other = await session(world.url);
    await other.query('begin');
    await other.query(`create role ${prefix}meanwhile nologin`);
    const second = await testDatabases();
    try {
      const made = prepareRoles(second.url, ['meanwhile'], { prefix });
      // It waits for the other's transaction: by now it has seen that there is no such role.
      const waiting = `select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like 'create role ${prefix}meanwhile%'`;
      await eventually(async () => (await second.query(waiting)).length > 0);
      await other.query('commit');
      await made;
    } finally {
      await second.end();
    }
  });

  test.each([
    ['reads', 'select * from ledger.money'],
    ['adds rows', 'insert into ledger.money values (2, 1000000)'],
    ['changes rows', 'update ledger.money set amount = 0'],
    ['deletes rows', 'delete from ledger.money'],
    ['sends in its name', `insert into ledger.outbox (stream) values ('ledger>spot.commands/0')`],
    ['moves its heads', 'update ledger.stream set next = 1'],
    ['takes its partitions', `update ledger.position set number = 0`],
    ['changes its tables', 'alter table ledger.money add column more int'],
    ['drops it', 'drop schema ledger cascade'],
    ['adds functions to it', `create function ledger.f() returns int language sql as 'select 1'`],
    ['adds tables to it', 'create table ledger.mine (id int)'],
    ['adds tables for all', 'create table public.mine (id int)'],
    ['adds schemas', 'create schema mine'],
    ['becomes its role', `set role ${prefix}ledger`],
    ['logs in as it', `set session authorization ${prefix}ledger`],
    ['becomes it by a grant', `grant ${prefix}ledger to ${prefix}market`],
    ['sets its password', `alter role ${prefix}ledger password 'mine'`],
    ['adds roles', `create role ${prefix}mine`],
    ['reads files of the server', `select pg_read_file('postgresql.conf')`],
    ['runs programs on the server', `copy (select 1) to program 'true'`],
    ['reads passwords', 'select * from pg_authid'],
  ])('with the login of another service: %s is refused', async (_what, sql) => {
    const market = await session(urlOf('market'));
    await expect(market.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^42501$|^22023$/) });
    await market.query('reset role');
    await expect(market.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^42501$|^22023$/) });
    expect((await market.query<{ user: string }>('select current_user as user')).rows[0]?.user).toBe(`${prefix}market`);
  });

  test('nor does a service open the schema of another: its start names the missing right', async () => {
    await expect(open(urlOf('market'), 'ledger')).rejects.toThrow(MissingRight);
    await expect(open(urlOf('market'), 'ledger')).rejects.toThrow(/may not become the role .*npx bourse migrate/s);
  });
});

describe('an owner that is no superuser [HARD-209]', () => {
  const owner = `${prefix}owner`;
  const schemas = ['gateway', 'notices'];
  const asOwner = (): string => {
    const url = new URL(world.url);
    [url.username, url.password] = [owner, 'owner'];
    return url.href;
  };

  test('that may create roles prepares them and sets their passwords', async () => {
    await world.query(`create role ${owner} login createrole password 'owner'`);
    const database = new URL(world.url).pathname.slice(1);
    await world.query(`grant create on database ${database} to ${owner}`);
    await prepareRoles(asOwner(), schemas, { prefix, passwords: { gateway: 'g', notices: 'n' } });
    await expect(open(loginUrl(world.url, 'gateway', 'g', prefix), 'gateway')).resolves.toBeDefined();
  });

  test('that may not uses roles that are there already, and grants nothing', async () => {
    await world.query(`alter role ${owner} nocreaterole`);
    await world.query(`create role ${prefix}auth login password 'a'; grant ${prefix}auth to ${owner}`);
    await prepareRoles(asOwner(), ['auth'], { prefix });
    await expect(open(loginUrl(world.url, 'auth', 'a', prefix), 'auth')).resolves.toBeDefined();
    await expect(prepareRoles(asOwner(), ['spot'], { prefix })).rejects.toThrow(/may not create the role .*_spot/);
    await world.query(`create role ${prefix}spot login password 's'`);
    await expect(prepareRoles(asOwner(), ['spot'], { prefix })).rejects.toThrow(/may not become the role .*_spot/);
  });
});

test('an exchange alone on its server logs in to each schema apart, with passwords of its own [HARD-209]', async () => {
  const databases = new PostgresDatabases({ url: world.url, rolePrefix: prefix, ownLogins: true });
  opened.push(databases);
  const market = await databases.open({ schema: 'market', migrations: MIGRATIONS });
  const [who] = await market.query<{ login: string }>('select session_user as login');
  expect(who?.login).toBe(`${prefix}market`);
  await expect(market.query('reset role; select * from ledger.money')).rejects.toMatchObject({ code: '42501' });
  await expect(databases.maintain()).resolves.toBeUndefined();
  // The password of before is not good any more.
  await expect(session(urlOf('market'))).rejects.toMatchObject({ code: '28P01' });
});
