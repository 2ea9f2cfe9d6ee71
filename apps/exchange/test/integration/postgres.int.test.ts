import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { livingOwner, processIdentity, startPostgres, stopLeftover } from '../../src/postgres.js';

jest.setTimeout(testTimeoutMs(36_000));

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'bourse-postgres-'));
});
afterAll(async () => {
  await stopLeftover(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return ((await client.query(sql)) as pg.QueryResult<Record<string, unknown>>).rows;
  } finally {
    await client.end();
  }
}

const postmasterPid = () => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

test('data outlives a stop and a start, on the same port and with the same password [START-001]', async () => {
  const first = await startPostgres({ dataDir, disposable: true });
  await query(first.url, 'create table kept (id int)');
  await query(first.url, 'insert into kept values (42)');
  await first.stop();
  const second = await startPostgres({ dataDir, disposable: true });
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'select id from kept')).toEqual([{ id: 42 }]);
  await second.stop();
  expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
});

test('a given port is waited for while another program has it, else refused [START-017]', async () => {
  const first = await startPostgres({ dataDir, disposable: true });
  const port = Number(new URL(first.url).port);
  expect(port).toBeLessThan(32_768); // outgoing connections do not take it
  await first.stop();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  await expect(startPostgres({ dataDir, disposable: true, port })).rejects.toThrow(
    `Port ${port}, wanted for PostgreSQL, is in use.`,
  );
  const again = startPostgres({ dataDir, disposable: true, port, portWaitMs: testTimeoutMs(10_000) });
  await sleep(300); // the first try has found it taken
  other.close();
  const second = await again;
  expect(second.url).toBe(first.url);
  await second.stop();
});

test('local clients have a Unix socket; with too long a name, they use TCP [START-009]', async () => {
  const server = await startPostgres({ dataDir, disposable: true });
  expect(await query(server.url, 'select inet_server_addr() is null as socket')).toEqual([{ socket: false }]);
  expect(
    await query(server.socketUrl, 'select inet_server_addr() is null as socket, current_database() as name'),
  ).toEqual([{ socket: true, name: 'exchange' }]);
  expect(statSync(join(dataDir, 'postgres')).mode & 0o077).toBe(0);
  await server.stop();
  const deep = join(dataDir, 'a'.repeat(60), 'b'.repeat(60));
  const far = await startPostgres({ dataDir: deep, disposable: true });
  expect(far.socketUrl).toBe(far.url);
  expect(await query(far.socketUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  await far.stop();
});

test('commits are durable and answered as such unless a test asks otherwise [START-002]', async () => {
  const server = await startPostgres({ dataDir });
  const rows = await query(
    server.url,
    `select name, setting
      from pg_settings
      where name in ('fsync', 'synchronous_commit', 'jit', 'listen_addresses')
      order by name`,
  );
  await server.stop();
  expect(rows).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'jit', setting: 'off' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'synchronous_commit', setting: 'on' },
  ]);
});

test('a password that is not the stored one is refused [START-003]', async () => {
  const server = await startPostgres({ dataDir, disposable: true });
  const wrong = new URL(server.url);
  wrong.password = 'not-the-password';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  await server.stop();
});

test('after kill -9 of the owner the next start ends the old server and keeps its data [START-004]', async () => {
  // A process of its own, so that it can be killed: it starts the server as the exchange does, prints the address, and
  // waits.
  const source = fileURLToPath(new URL('../../dist/postgres.js', import.meta.url));
  const owner = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    const { startPostgres } = await import(${JSON.stringify(source)});
    const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(server.url);
    setInterval(() => {}, 1000);
  `,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  await query(line.toString().trim(), 'insert into kept values (43)');
  expect(livingOwner(dataDir)).toBe(owner.pid);
  await expect(startPostgres({ dataDir, ownerWaitMs: 200 })).rejects.toThrow(
    `Another exchange (process ${owner.pid}) runs`,
  );

  const left = postmasterPid();
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  expect(processIdentity(left)).toBeDefined(); // the server itself survived: that is the case under test
  expect(livingOwner(dataDir)).toBeUndefined();

  const next = await startPostgres({ dataDir });
  expect(postmasterPid()).not.toBe(left);
  expect(processIdentity(left)).toBeUndefined();
  expect(await query(next.url, 'select id from kept order by id')).toEqual([{ id: 42 }, { id: 43 }]);
  await next.stop();
});

test('a server that is killed under the exchange is reported, once [START-005]', async () => {
  const reasons: string[] = [];
  const server = await startPostgres({ dataDir, disposable: true, onUnexpectedExit: (reason) => reasons.push(reason) });
  process.kill(postmasterPid(), 'SIGQUIT');
  while (reasons.length === 0) await new Promise((done) => setTimeout(done, 20));
  await server.stop();
  expect(reasons).toHaveLength(1);
  expect(reasons[0]).toContain('PostgreSQL ended');
});

test('after kill -9 of the server alone the next start waits for its old processes [START-008]', async () => {
  const server = await startPostgres({ dataDir, onUnexpectedExit: () => undefined });
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined); // its server is killed
  await client.connect();
  const backend = Number((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid);
  process.kill(backend, 'SIGSTOP');
  process.kill(postmasterPid(), 'SIGKILL');
  const from = Date.now();
  setTimeout(() => process.kill(backend, 'SIGCONT'), 1_000);
  const next = await startPostgres({ dataDir });
  expect(Date.now() - from).toBeGreaterThan(900);
  expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
});
