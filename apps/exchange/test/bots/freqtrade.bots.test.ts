import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from '../contract/audit.js';
import { BASE, get, post } from '../contract/client.js';
import { createTrader, FUND } from '../contract/people.js';

/** Positions that the bot opens and closes. */
const ROUND_TRIPS = 4;
/** The strategy holds a position for two minutes, and the bot acts every five seconds. */
const ROUND_TRIP_MS = 150_000;

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const examples = join(root, 'examples', 'python');
const { partFile } = (await import(new URL('../../../../tools/lib/parts/places.mjs', import.meta.url).href)) as {
  partFile(name: string): string;
};
/** `npm test -- bots` has brought the part, unless a Python that has freqtrade is given. */
const python = process.env['FREQTRADE_PYTHON'] ?? partFile('freqtrade');
const logFile = join(root, '.cache', 'test', 'logs', 'freqtrade.log');

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
    writeFileSync(logFile, '');
  }

  start(): void {
    const log = openSync(logFile, 'a');
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
    return readFileSync(logFile, 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let bot: Bot;
let token: string;

beforeAll(async () => {
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
const orderOf = async (id: string): Promise<Order> =>
  (await get(`/api/coin/order?id=${id}`, {}, { token })).body.message as Order;
const stops = async (): Promise<readonly Order[]> =>
  (await ordersOf(OPEN)).filter(({ order_type: type }) => type === 'stop_market');

test(
  'freqtrade makes four round trips with stop losses on the exchange, and continues after a kill [CLIENT-260]',
  async () => {
    bot.start();
    const [stop] = (await eventuallySatisfied(stops, (all) => all.length === 1, ROUND_TRIP_MS)) as [Order];
    expect(await filled(BUY)).toBe(1);
    expect(stop).toMatchObject({ type: SELL, cancelled: 0 });
    await bot.end('SIGKILL');
    // The stop loss stays on the exchange while no bot runs.
    expect(await stops()).toEqual([stop]);
    bot.start();
    await eventuallySatisfied(
      () => filled(SELL),
      (count) => count === 1,
      ROUND_TRIP_MS,
    );
    expect(await orderOf(stop.id)).toMatchObject({ cancelled: 1 });
    // The next position has been opened, and its stop loss placed.
    await eventuallySatisfied(
      async () => ({ sold: await filled(SELL), stops: (await stops()).length }),
      (now) => now.sold === ROUND_TRIPS && now.stops === 1,
      ROUND_TRIPS * ROUND_TRIP_MS,
    );
    await bot.end('SIGTERM');
    expect(await Promise.all([filled(BUY), filled(SELL)])).toEqual([ROUND_TRIPS + 1, ROUND_TRIPS]);
    expect((await stops()).length).toBe(1);
    expect(bot.log()).not.toMatch(/Traceback|ERROR/);
    expect(await findFailingChecks()).toEqual([]);
  },
  testTimeoutMs((ROUND_TRIPS + 2) * ROUND_TRIP_MS),
);
