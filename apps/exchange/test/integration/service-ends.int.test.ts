import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';

jest.setTimeout(120_000);

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-ends-'));
/** Longer than any end may take: who serves on after a fault fails the test. */
const SERVE_SECONDS = 50;
const ENDS_MS_MAX = 30_000;

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly ms: number }>;
  output(): string;
}
const running = new Set<ChildProcess>();

/** A service as a process of its own. Neither Kafka nor Redis answers: it waits for them, and would for ever. */
function start(service: string, env: Readonly<Record<string, string>>): Program {
  const begun = Date.now();
  const child = spawn(process.execPath, [`dist/${service}.js`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'test',
      BOURSE_DEV: '1',
      BOURSE_SERVICES: JSON.stringify({ gateway: 'http://127.0.0.1:9', [service]: 'http://127.0.0.1:9' }),
      KAFKA_BROKERS: '127.0.0.1:9',
      REDIS_URL: 'redis://127.0.0.1:9',
      DATA_DIR: join(folder, service),
      SHUTDOWN_SERVE_SECONDS: String(SERVE_SECONDS),
      ...env,
    },
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<{ code: number | null; signal: string | null; ms: number }>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, ms: Date.now() - begun });
    });
  });
  return { child, ended, output: () => output };
}
const linesOf = ({ output }: Program): Record<string, unknown>[] =>
  output()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('a service that is told to end while it starts', () => {
  /** Takes connections and says nothing, like a database behind a network that is down. */
  let silent: Server;
  const asked: Socket[] = [];
  beforeAll(async () => {
    silent = createServer((socket) => asked.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
  });
  afterAll(() => {
    for (const socket of asked) socket.destroy();
    silent.close();
  });

  // The kernel drops signals that the first process of a container has no handler for: what counts is that there is
  // one, and it tells by an exit code of its own. Without a handler a process anywhere else dies of the signal.
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at once on %s [DEPLOY-021]', async (signal, code) => {
    const { port } = silent.address() as AddressInfo;
    const before = asked.length;
    const service = start('notices', { DATABASE_URL: `postgres://bourse:waits@127.0.0.1:${port}/exchange` });
    while (asked.length === before) await new Promise((resolve) => setTimeout(resolve, 20));
    const told = Date.now();
    service.child.kill(signal);
    expect(await service.ended).toMatchObject({ code, signal: null });
    expect(Date.now() - told).toBeLessThan(3_000);
  });
});

describe('a service that cannot go on', () => {
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

  test('ends with 1, serves nobody before, and every line of it is JSON [DEPLOY-022]', async () => {
    const installed = start('wallet-ledger', { DATABASE_URL: database.href, SHUTDOWN_SERVE_SECONDS: '0' });
    const looker = new pg.Client({ connectionString: database.href });
    await looker.connect();
    try {
      const known = (): Promise<pg.QueryResult> =>
        looker.query(`select 1 from ledger.meta where name = 'partitions:ledger.commands'`);
      while (
        !(await known().then(
          ({ rowCount }) => rowCount === 1,
          () => false,
        ))
      )
        await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await looker.end();
    }
    installed.child.kill('SIGTERM');
    expect(await installed.ended).toMatchObject({ code: 0, signal: null });
    expect(linesOf(installed)).toContainEqual(expect.objectContaining({ level: 'info', msg: 'SIGTERM: closing …' }));

    const other = start('wallet-ledger', { DATABASE_URL: database.href, LEDGER_PARTITIONS: '2' });
    const { code, signal, ms } = await other.ended;
    expect({ code, signal }).toEqual({ code: 1, signal: null });
    expect(ms).toBeLessThan(ENDS_MS_MAX);
    expect(linesOf(other)).toContainEqual(
      expect.objectContaining({
        level: 'fatal',
        service: 'wallet-ledger',
        msg: expect.stringMatching(/^ledger\.commands was installed with 1 partitions and is configured with 2/),
      }),
    );
  });
});
