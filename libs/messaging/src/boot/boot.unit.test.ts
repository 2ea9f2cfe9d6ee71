import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Config, Readiness } from '@bourse/platform';
import { closeOnSignal } from './boot.js';

/** Longer than a test: who serves on when it must not fails it. */
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

test('who cannot go on does not serve on, and ends with 1 [DEPLOY-022]', async () => {
  const { close } = await listening();
  await close('the log cannot be read', 1);
  expect(exits).toEqual([1]);
  expect(lines()).toEqual([
    expect.objectContaining({ level: 'fatal', service: 'savings', msg: 'the log cannot be read: closing …' }),
  ]);
}, 10_000);

test('who fails while it serves on after a signal ends then, with 1 [DEPLOY-022]', async () => {
  const { close } = await listening();
  const ended = close('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(exits).toEqual([]);
  void close('the log cannot be read', 1);
  await ended;
  expect(exits).toEqual([1]);
  expect(lines()).toContainEqual(expect.objectContaining({ level: 'info', msg: 'SIGTERM: closing …' }));
}, 10_000);
