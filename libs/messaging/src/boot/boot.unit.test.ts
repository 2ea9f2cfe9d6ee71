import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Config, Readiness } from '@bourse/platform';
import { closeOnSignal } from './boot.js';

/** Longer than a test: a process that keeps serving when it must not fails the test. */
const LINGER_MS = 60_000;
const exits: unknown[] = [];
let server: Server;
let said = '';
const signals = ['SIGTERM', 'SIGINT'] as const;
const before = signals.map((signal) => process.listeners(signal));

beforeEach(async () => {
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    exits.push(code);
    return undefined as never;
  });
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  server = createServer();
});
afterEach(() => {
  jest.restoreAllMocks();
  signals.forEach((signal, at) => {
    for (const listener of process.listeners(signal))
      if (!before[at]?.includes(listener)) process.removeListener(signal, listener);
  });
  server.close();
  exits.length = 0;
  said = '';
});

/** As much of an application as an end needs. */
async function listening(): Promise<ReturnType<typeof closeOnSignal>> {
  const readiness = { set: () => undefined };
  const config = { lingerMs: LINGER_MS, run: 'distributed', service: 'savings' };
  const app = {
    get: (token: unknown) => (token === Config ? config : token === Readiness ? readiness : undefined),
    getHttpServer: () => server,
    close: () => Promise.resolve(),
  } as unknown as INestApplication;
  const closing = closeOnSignal(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return closing;
}
const lines = (): unknown[] =>
  said
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line) as unknown);

test('a process that cannot continue stops serving and ends with 1 [DEPLOY-022]', async () => {
  const { close } = await listening();
  await close('the log cannot be read', 1);
  expect(exits).toEqual([1]);
  expect(lines()).toEqual([
    expect.objectContaining({ level: 'fatal', service: 'savings', msg: 'the log cannot be read: closing …' }),
  ]);
});

test('a process that fails while it serves after a signal ends at once, with 1 [DEPLOY-022]', async () => {
  const { close } = await listening();
  const ended = close('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(exits).toEqual([]);
  void close('the log cannot be read', 1);
  await ended;
  expect(exits).toEqual([1]);
  expect(lines()).toContainEqual(expect.objectContaining({ level: 'info', msg: 'SIGTERM: closing …' }));
});

/** A start that gets its signal in the very turn in which it begins to serve, as a process of its own. */
const TOLD_IN_BETWEEN = `
  import { createServer } from 'node:http';
  import { closeOnSignal, giveUpOnSignal } from '@bourse/messaging';
  import { Config } from '@bourse/platform';
  const patient = giveUpOnSignal();
  const server = createServer();
  const config = { lingerMs: 0, run: 'embedded' };
  const app = {
    get: (token) => (token === Config ? config : { set: () => undefined }),
    getHttpServer: () => server,
    close: () => Promise.resolve(),
  };
  setTimeout(() => {
    process.kill(process.pid, 'SIGTERM');
    closeOnSignal(app, { insteadOf: patient });
  }, 50);
  setTimeout(() => console.log('it runs on'), 5_000);
`;

test('a signal that comes as a start begins to serve is not lost [DEPLOY-021]', async () => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', TOLD_IN_BETWEEN], {
    cwd,
  });
  expect(stdout).toBe('SIGTERM: closing …\n');
});
