import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { loadConfig, type Config } from '@bourse/platform';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { AUTH_SPEC } from '../../src/shared/persistence/auth-database-spec.js';
import { seedLoad } from '../../src/load-people.js';
import { addOperator, resetOperator } from '../../src/operators.js';
import { PEPPER } from './auth-process.js';

jest.setTimeout(testTimeoutMs(24_000));
/** Roles are global to a server: this is an install beside others. */
const PREFIX = 'auth_apart_';

describe('tools of the console on an install with a prefix of its own [DEPLOY-020]', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bourse-console-'));
  let world: TestDatabases;
  let config: Config;
  beforeAll(async () => {
    world = await testDatabases({ rolePrefix: PREFIX });
    config = loadConfig({
      BOURSE_DEV: '1',
      DATA_DIR: dataDir,
      DATABASE_ROLE_PREFIX: PREFIX,
      PASSWORD_PEPPER: PEPPER,
      JWT_SECRET: 'a signing secret for tests only',
    });
  });
  afterAll(async () => {
    await world.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const alice = { username: 'alice', roles: ['admin'] };

  test('migrate nothing by themselves', async () => {
    await expect(addOperator(config, world.url, alice)).rejects.toThrow(/Schema auth lacks .*start the exchange/);
    await expect(seedLoad(config, world.url, { users: 1, sessions: false })).rejects.toThrow(/Schema auth lacks/);
    expect(await world.query(`select 1 from pg_namespace where nspname = 'auth'`)).toEqual([]);
  });

  test('work as the role of the install', async () => {
    await world.databases.open(AUTH_SPEC);
    const before = await world.query('select count(*)::int as n from auth.migration');
    expect((await addOperator(config, world.url, alice)).username).toBe('alice');
    expect((await resetOperator(config, world.url, 'alice')).username).toBe('alice');
    expect((await seedLoad(config, world.url, { users: 2, sessions: true })).people).toHaveLength(2);
    expect(await world.query('select count(*)::int as n from auth.migration')).toEqual(before);
    expect(
      await world.query(`select nspowner::regrole::text as owner from pg_namespace where nspname = 'auth'`),
    ).toEqual([{ owner: `${PREFIX}auth` }]);
  });
});
