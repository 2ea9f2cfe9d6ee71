import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Client } from 'pg';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { withClient } from './lib/install-database.mjs';

jest.setTimeout(testTimeoutMs(60_000));

const folder = mkdtempSync(join(tmpdir(), 'bourse-reconcile-'));
let world: TestDatabases;
beforeAll(async () => {
  world = await testDatabases();
  await world.databases.open({ schema: 'sender', migrations: [] });
});
afterAll(async () => {
  await world.end();
  rmSync(folder, { recursive: true });
});

const end = (name: string) =>
  world.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = $1 and datname = current_database()`,
    [name],
  );
const run = (tool: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<{ code: number; err: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, tool), ...args],
      { env: { ...process.env, NODE_OPTIONS: '', ...env } },
      (error, _out, err) => resolve({ code: error ? Number(error.code) : 0, err }),
    );
  });

test('a transaction of a tool waits for longer than the server lets others wait [LOG-068]', async () => {
  const [{ name } = { name: '' }] = await world.query<{ name: string }>('select current_database() as name');
  await world.query(`alter database ${name} set idle_in_transaction_session_timeout = '100ms'`);
  const answer = await withClient(world.url, 'waits', async (client: Client) => {
    await client.query('begin');
    await delay(400);
    return (await client.query<{ one: number }>('select 1 as one')).rows;
  });
  expect(answer).toEqual([{ one: 1 }]);
});

test('a tool whose connection is ended while it is idle fails with the reason [LOG-068]', async () => {
  const lost = withClient(world.url, 'idle', async (client: Client) => {
    expect((await end('bourse idle')).length).toBe(1);
    await delay(200);
    await client.query('select 1');
  });
  await expect(lost).rejects.toThrow(/administrator command/);
});

test('reconcile whose connection is lost while Kafka is read says that it could not be done [LOG-068]', async () => {
  // A broker that never answers.
  const asking: Socket[] = [];
  const broker = createServer((socket) => {
    asking.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const ended = run(
    'reconcile.mjs',
    {
      BOURSE_DEV: '1',
      DATABASE_URL: world.url,
      KAFKA_BROKERS: `127.0.0.1:${(broker.address() as AddressInfo).port}`,
    },
    ...['--data-dir', folder],
  );
  await eventually(() => asking.length > 0, 30_000);
  expect((await end('bourse reconcile')).length).toBe(1);
  broker.close();
  asking.forEach((socket) => socket.destroy());
  expect(await ended).toMatchObject({ code: 2 });
});

test('replay that cannot reach the database says that there is no result [LOG-068]', async () => {
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing';
  expect(await run('replay.mjs', { DATABASE_URL }, '--all')).toMatchObject({ code: 2 });
});
