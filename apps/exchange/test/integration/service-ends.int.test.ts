import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { testTimeoutMs } from '@bourse/testing/eventually';

jest.setTimeout(testTimeoutMs(120_000));

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-ends-'));
/** Longer than any end may take: who serves on after a fault fails the test. */
const SERVE_SECONDS = 60;

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  output(): string;
  /** Waits for it, as long as the program runs. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
}
const running = new Set<ChildProcess>();

/** A service as a process of its own. Neither Kafka nor Redis answers: it waits for them, and would for ever. */
function start(service: string, env: Readonly<Record<string, string>>): Program {
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
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) {
      if (!running.has(child)) throw new Error(`it ended too soon:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { child, ended, output: () => output, until };
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
    await service.until(() => asked.length > before);
    const told = Date.now();
    service.child.kill(signal);
    expect(await service.ended).toEqual({ code, signal: null });
    expect(Date.now() - told).toBeLessThan(testTimeoutMs(1_000));
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
