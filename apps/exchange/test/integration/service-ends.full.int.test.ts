import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { cleanUp, linesOf, start } from './service-process.js';

jest.setTimeout(testTimeoutMs(120_000));
afterAll(cleanUp);

describe('a service that cannot continue', () => {
  const name = `service_ends_${process.pid}`;
  const admin = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  const database = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://localhost');
  database.pathname = `/${name}`;
  beforeAll(async () => {
    await admin.connect();
    await admin.query(`create database ${name}`);
  });
  afterAll(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  });

  test('ends with 1, and every line of it is JSON [DEPLOY-022]', async () => {
    const installed = start('wallet-ledger', { DATABASE_URL: database.href });
    const looker = new pg.Client({ connectionString: database.href });
    await looker.connect();
    try {
      await installed.until(() =>
        looker.query(`select 1 from ledger.meta where name = 'partitions:reference'`).then(
          ({ rowCount }) => rowCount === 1,
          () => false,
        ),
      );
      installed.child.kill('SIGKILL');
      await installed.ended;
      // As if it had been installed with another number.
      await looker.query(`update ledger.meta set value = '7' where name = 'partitions:reference'`);
    } finally {
      await looker.end();
    }

    const other = start('wallet-ledger', { DATABASE_URL: database.href });
    expect(await other.ended).toEqual({ code: 1, signal: null });
    expect(linesOf(other)).toContainEqual(
      expect.objectContaining({
        level: 'fatal',
        service: 'wallet-ledger',
        msg: expect.stringMatching(/^reference was installed with 7 partitions and is configured with 1/),
      }),
    );
  });
});
