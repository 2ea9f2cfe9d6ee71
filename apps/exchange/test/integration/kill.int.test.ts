import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { io } from 'socket.io-client';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { ExchangeProcess } from './exchange-process.js';
import { TradingLog } from './trading-log.js';

jest.setTimeout(testTimeoutMs(120_000));

/** The public verifier of a day; it needs nothing of the exchange. */
const VERIFIER = fileURLToPath(new URL('../../../../libs/verify/bin/bourse-verify-day.mjs', import.meta.url));

let exchange: ExchangeProcess;
beforeAll(async () => {
  exchange = await ExchangeProcess.create('kill', {
    MAKER: 'off',
    PRICE_FEED: 'simulated',
    RATE_SCALE: '10000',
    SHUTDOWN_SERVE_SECONDS: '3',
  });
  await exchange.start();
});
afterAll(async () => {
  await exchange.dispose();
});

test('SIGKILL while people trade: every answer is kept, every open command gets one [FAULT-001]', async () => {
  const traders = await TradingLog.signIn(exchange.url, 'k');
  traders.start();
  // On busy cores it takes a while until there is something to lose.
  await eventually(() => traders.accepted >= 100, 24_000);
  const stopped = traders.stop();
  await exchange.kill();
  await stopped;

  await exchange.start();
  expect(await traders.disagreements()).toEqual([]);
  await traders.tradesOn(testTimeoutMs(12_000));
});

test('the prices recorded before, between and after are one chain, each second once [TICK-007]', async () => {
  const told = (await (await fetch(`${exchange.url}/api/market/tick_keys`)).json()) as {
    message: { keys: { public_key: string }[] };
  };
  const day = new Date().toISOString().slice(0, 10);
  const file = join(exchange.dataDir, 'day.ndjson.gz');
  const answer = await fetch(`${exchange.url}/api/market/ticks/day?match_id=1&day=${day}`);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const keys = told.message.keys.flatMap(({ public_key: key }) => ['--key', key]);
  const { stdout } = spawnSync(process.execPath, [VERIFIER, file, ...keys], { encoding: 'utf8' });
  expect(stdout).toContain('The chain holds.');
  // The install is one key's, from its first second on.
  expect(keys).toHaveLength(2);
  expect(Number(/(\d+) ticks/.exec(stdout)?.[1])).toBeGreaterThan(2);
});

test('a process that gets SIGTERM is not ready, serves on, notifies its sockets, and ends [DEPLOY-008]', async () => {
  const socket = io(exchange.url, { reconnection: false, transports: ['websocket'] });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const hint = new Promise<unknown>((resolve) => socket.once('server_closing', resolve));
  const cut = new Promise<string>((resolve) => socket.once('disconnect', resolve));
  const ended = exchange.stop();
  await eventually(async () => (await fetch(`${exchange.url}/readyz`)).status !== 200);
  // A balancer that has not probed yet still sends calls here.
  expect((await fetch(`${exchange.url}/api/config`)).status).toBe(200);
  expect(socket.connected).toBe(true);
  expect(await hint).toEqual({ reconnect_ms: expect.any(Number) });
  // Clients come back by themselves after a lost line, and not after `io server disconnect`.
  expect(await cut).not.toBe('io server disconnect');
  expect(await ended).toBe(0);
});
