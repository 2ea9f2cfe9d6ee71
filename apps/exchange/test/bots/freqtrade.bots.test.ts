import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, openSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from '../contract/audit.js';
import { BASE, get, post } from '../contract/client.js';
import { createTrader, FUND } from '../contract/people.js';

/** How long the bot trades. */
const TRADES_MS = 600_000;
/** The strategy holds a position for two minutes, and the bot acts every five seconds. */
const ROUND_TRIP_MS = 240_000;

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const examples = join(root, 'examples', 'python');
const python = process.env['FREQTRADE_PYTHON'] ?? join(root, '.cache', 'freqtrade', 'bin', 'python');

interface Order {
  readonly id: string;
  /** 1 buy, 2 sell. */
  readonly type: 1 | 2;
  readonly order_type: string;
  readonly cancelled: number;
}
const BUY = 1;
const SELL = 2;

/** freqtrade with a folder of its own, which survives its restarts. */
class Bot {
  private readonly folder = mkdtempSync(join(tmpdir(), 'bourse-freqtrade-'));
  private process: ChildProcess | undefined;

  constructor({ key, secret }: { readonly key: string; readonly secret: string }) {
    const example = JSON.parse(readFileSync(join(examples, 'freqtrade', 'config.example.json'), 'utf8')) as {
      readonly exchange: object;
    };
    const ccxt = { hostname: new URL(BASE).host };
    const exchange = { ...example.exchange, key, secret, ccxt_config: ccxt };
    writeFileSync(join(this.folder, 'config.json'), JSON.stringify({ ...example, exchange }));
  }

  start(): void {
    const log = openSync(join(this.folder, 'log'), 'a');
    this.process = spawn(
      python,
      [
        join(examples, 'freqtrade', 'freqtrade_bourse.py'),
        ...['trade', '--userdir', join(examples, 'freqtrade'), '--config', join(this.folder, 'config.json')],
        ...['--strategy', 'InAndOut', '--db-url', `sqlite:///${join(this.folder, 'trades.sqlite')}`],
      ],
      { env: { ...process.env, PYTHONPATH: join(examples, 'ccxt') }, stdio: ['ignore', log, log] },
    );
    closeSync(log);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { process: running } = this;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  }

  log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let bot: Bot;
let token: string;

beforeAll(async () => {
  if (!existsSync(python))
    throw new Error(
      'freqtrade is missing: python3 -m venv .cache/freqtrade && .cache/freqtrade/bin/pip install freqtrade==2026.9',
    );
  ({ token } = await createTrader({ change: { 1: '1', 3: '10000' } }));
  const made = await post('/api/apikey', { label: 'freqtrade', permissions: 'read,trade', password: FUND }, { token });
  bot = new Bot(made.body.message as { key: string; secret: string });
});
afterAll(async () => {
  await bot.end('SIGKILL');
  bot.remove();
});

const OPEN = 1;
const DONE = 2;
const ordersOf = async (status: number): Promise<readonly Order[]> =>
  ((await get(`/api/coin/list?status=${status}&limit=100`, {}, { token })).body.message as { data: Order[] }).data;
const filled = async (type: Order['type']): Promise<number> =>
  (await ordersOf(DONE)).filter((one) => one.type === type && one.cancelled === 0).length;
const stops = async (): Promise<readonly Order[]> =>
  (await ordersOf(OPEN)).filter(({ order_type: type }) => type === 'stop_market');

test(
  'freqtrade trades for ten minutes with stop losses on the exchange, and continues after a kill [CLIENT-260]',
  async () => {
    const until = Date.now() + TRADES_MS;
    bot.start();
    const [stop] = await eventuallySatisfied(stops, (all) => all.length === 1, ROUND_TRIP_MS);
    expect(await filled(BUY)).toBe(1);
    expect(stop).toMatchObject({ type: SELL });
    await bot.end('SIGKILL');
    // The stop loss stays on the exchange while no bot runs.
    expect(await stops()).toEqual([stop]);
    bot.start();
    await eventuallySatisfied(
      () => filled(SELL),
      (count) => count === 1,
      ROUND_TRIP_MS,
    );
    expect((await ordersOf(DONE)).find(({ id }) => id === stop?.id)).toMatchObject({ cancelled: 1 });
    await new Promise((resolve) => setTimeout(resolve, until - Date.now()));
    await bot.end('SIGTERM');
    const [bought, sold] = await Promise.all([filled(BUY), filled(SELL)]);
    expect(sold).toBeGreaterThanOrEqual(2);
    expect(bought - sold).toBeLessThanOrEqual(1);
    // What is held is protected by one stop.
    expect((await stops()).length).toBe(bought - sold);
    expect(bot.log()).not.toMatch(/Traceback|ERROR/);
    expect(await findFailingChecks()).toEqual([]);
  },
  testTimeoutMs(TRADES_MS + 2 * ROUND_TRIP_MS),
);
