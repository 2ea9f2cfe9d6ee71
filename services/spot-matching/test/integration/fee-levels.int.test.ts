import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MAKER_ID, SEED_PAIRS } from '@bourse/contract';
import { percent, PlainBook } from '@bourse/matching';
import type { Reference } from '@bourse/messaging';
import { Clock } from '@bourse/platform';
import { SPOT_FEE_LEVELS } from '@bourse/settings';
import {
  eventually,
  eventuallySatisfied,
  SimulatedClock,
  testDatabases,
  testTimeoutMs,
  type TestDatabases,
} from '@bourse/testing';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresTurnovers } from '../../src/adapters/persistence/postgres-turnovers.js';
import { replayMarket } from '../../src/adapters/persistence/replay.js';
import { FeeLevels } from '../../src/application/fee-levels.js';
import type { Markets } from '../../src/application/markets.js';
import type { Turnovers } from '../../src/application/turnovers.js';
import { SpotBench } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
const DAY_MS = 86_400_000;
/** The day after the trades of most tests. */
const TODAY = Date.UTC(2026, 2, 15);
const PAIR = { makerFee: percent('0.1'), takerFee: percent('0.2') };

describe('turnover of finished days', () => {
  let stored: TestDatabases;
  let clock: SimulatedClock;
  let btcPrice: string | null = '60000';
  let setting = '';
  let change: (kind: string, id: string) => void = () => undefined;
  const numbers = new Map<string, number>();

  const open = (more: (turnovers: Turnovers) => Turnovers = (same) => same): Promise<FeeLevels> =>
    stored
      .another()
      .open({ schema: 'spot', migrations: MIGRATIONS })
      .then((database) => {
        const markets = {
          bySymbol: (symbol: string) => SEED_PAIRS.find((pair) => pair.symbol === symbol) && market(symbol),
          usdtPrice: ({ quoteName }: { quoteName: string }) => (quoteName === 'USDT' ? '1' : btcPrice),
        } as unknown as Markets;
        const reference = {
          ready: () => Promise.resolve(),
          get: () => ({ value: setting }),
          onChange: (listener: typeof change) => (change = listener),
        } as unknown as Reference;
        return new FeeLevels(more(new PostgresTurnovers(database)), markets, reference, clock);
      });
  const market = (symbol: string) => {
    const { legalId: quoteId, legalName: quoteName } = SEED_PAIRS.find((pair) => pair.symbol === symbol)!;
    return { quoteId, quoteName };
  };
  /** Stores trades of a pair, one after the other. */
  async function trade(symbol: string, at: number, quote: string, buyer: number, seller: number, count = 1) {
    const first = (numbers.get(symbol) ?? 0) + 1;
    numbers.set(symbol, first + count - 1);
    await stored.query(
      `insert into spot.trades (symbol, sequence, pair_id, price, quantity, quote, taker_side, buyer_id, seller_id,
          buy_order_id, sell_order_id, buyer_fee, seller_fee, at)
        select $1, n, 1, 1, 1, $4, 0, $5, $6, 1, 2, 0, 0, to_timestamp($7::bigint / 1000.0)
        from generate_series($2::int, $3::int) n`,
      [symbol, first, first + count - 1, quote, buyer, seller, at],
    );
    await stored.query(
      `insert into spot.market (symbol, partition, sequence, trade_sequence, last_price, mode, mode_version, at)
        values ($1, 0, 1, 1, 1, 'normal', 0, now()) on conflict do nothing`,
      [symbol],
    );
  }
  const turnoverOf = async (levels: FeeLevels, person: number): Promise<string> =>
    (await levels.of(person)).turnover_30d;

  beforeAll(async () => {
    stored = await testDatabases({ shape: { schema: 'spot', migrations: MIGRATIONS } });
  });
  afterAll(() => stored.end());
  beforeEach(async () => {
    await stored.query(
      `truncate spot.trades, spot.market, spot.turnover, spot.turnover_price, spot.turnover_reached,
        spot.turnover_closed`,
    );
    numbers.clear();
    clock = new SimulatedClock(TODAY + 3_600_000);
    [btcPrice, setting] = ['60000', '100:90:95 1000:50:60'];
  });

  test('each fill of the 30 days before today counts once for both sides, to the millisecond [SPOT-282]', async () => {
    await trade('BTC/USDT', TODAY - 30 * DAY_MS - 1, '1000', 1, 2);
    await trade('BTC/USDT', TODAY - 30 * DAY_MS, '100', 1, 2);
    await trade('BTC/USDT', TODAY - 1, '20.5', 3, 1);
    await trade('BTC/USDT', TODAY, '4000', 1, 2);
    await trade('ETH/USDT', TODAY - DAY_MS, '7', 1, 4);
    const levels = await open();
    await levels.refresh();
    expect(await levels.of(1)).toEqual({
      ...{ level: 1, maker_percent: '90', taker_percent: '95', turnover_30d: '127.5', until: '2026-03-14' },
      next: { level: 2, turnover: '1000', missing: '872.5' },
      levels: [
        { level: 1, turnover: '100', maker_percent: '90', taker_percent: '95' },
        { level: 2, turnover: '1000', maker_percent: '50', taker_percent: '60' },
      ],
    });
    expect(await Promise.all([2, 3, 4, 5].map((person) => turnoverOf(levels, person)))).toEqual([
      ...['100', '20.5', '7', '0'],
    ]);
    expect(levels.ratesOf(1, PAIR)).toEqual({ makerFee: percent('0.09'), takerFee: percent('0.19') });
    expect(levels.ratesOf(3, PAIR)).toBe(PAIR);
    // The day ends a minute after midnight: only then are all of its trades stored.
    clock.advance(23 * 3_600_000 + 59_999);
    await levels.refresh();
    expect(await turnoverOf(levels, 1)).toBe('127.5');
    clock.advance(1);
    await levels.refresh();
    expect(await levels.of(1)).toMatchObject({ turnover_30d: '4027.5', until: '2026-03-15', level: 2, next: null });
    expect(levels.ratesOf(1, PAIR)).toEqual({ makerFee: percent('0.05'), takerFee: percent('0.12') });
  });

  test('another quote counts at the price of when the day is counted; unknown, the day waits [SPOT-283]', async () => {
    await trade('ETH/BTC', TODAY - 1, '0.00000003', 1, MAKER_ID);
    await trade('BTC/USDT', TODAY - 1, '5', 1, 2);
    btcPrice = null;
    const levels = await open();
    await levels.refresh();
    expect(await levels.of(1)).toMatchObject({ turnover_30d: '0', until: '' });
    btcPrice = '60000.555555';
    await levels.refresh();
    // 0.00000003 × 60000.555555 = 0.00180001666665; the house has no turnover.
    expect(await levels.of(1)).toMatchObject({ turnover_30d: '5.00180001', until: '2026-03-14' });
    expect(await turnoverOf(levels, MAKER_ID)).toBe('0');
    btcPrice = '1';
    clock.advance(DAY_MS);
    await levels.refresh();
    expect(await turnoverOf(levels, 1)).toBe('5.00180001');
  });

  test('two copies, one that stops halfway, and days without any copy count each trade once [SPOT-284]', async () => {
    for (let day = 40; day >= 3; day -= 1) await trade('BTC/USDT', TODAY - day * DAY_MS + 5, '1', 1, 2, 400);
    await trade('ETH/USDT', TODAY - 2 * DAY_MS, '3', 1, 2);
    let pieces = 0;
    const stopped = await open(
      (turnovers) =>
        new Proxy(turnovers, {
          get(target, name) {
            if (name === 'count' && ++pieces > 1) throw new Error('the process is stopped');
            const value: unknown = Reflect.get(target, name);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    );
    await stopped.refresh();
    expect(pieces).toBe(2);
    expect(await stored.query('select 1 from spot.turnover_closed')).toEqual([]);
    const copies = [await open(), await open()];
    await Promise.all(copies.map((one) => one.refresh()));
    for (const one of copies) expect(await turnoverOf(one, 1)).toBe(String(28 * 400 + 3));
    // Nobody runs for three days, in which one person trades.
    await trade('BTC/USDT', TODAY + 1, '9', 1, 2);
    await trade('BTC/USDT', TODAY + DAY_MS + 1, '90', 1, 2);
    clock.advance(3 * DAY_MS);
    await Promise.all(copies.map((one) => one.refresh()));
    for (const one of copies)
      expect(await one.of(1)).toMatchObject({ until: '2026-03-17', turnover_30d: String(25 * 400 + 3 + 99) });
    const [kept] = await stored.query<{ first: number }>('select min(day) as first from spot.turnover');
    expect(kept!.first).toBe(TODAY / DAY_MS + 2 - 30);
  });

  test('changed levels are in force at once, and none leaves the rates of the pair [SPOT-285]', async () => {
    await trade('BTC/USDT', TODAY - 1, '60', 1, 2);
    const levels = await open();
    await levels.refresh();
    expect(levels.ratesOf(1, PAIR)).toBe(PAIR);
    setting = '50:10:0';
    change('setting', SPOT_FEE_LEVELS.key);
    await eventually(() => levels.ratesOf(1, PAIR) !== PAIR);
    expect(levels.ratesOf(1, PAIR)).toEqual({ makerFee: percent('0.01'), takerFee: 0n });
    setting = '';
    expect(levels.ratesOf(1, PAIR)).toEqual(PAIR);
    expect(await levels.of(1)).toMatchObject({ level: 0, maker_percent: '100', next: null, levels: [] });
  });

  test('a market in which nobody has turnover makes no day wait for the price of its quote [SPOT-300]', async () => {
    await trade('BTC/USDT', TODAY - 1, '200', 1, 2);
    await trade('ETH/BTC', TODAY - 1, '3', MAKER_ID, MAKER_ID);
    await stored.query(
      `insert into spot.market (symbol, partition, sequence, trade_sequence, last_price, mode, mode_version, at)
        values ('XRP/BTC', 0, 1, 0, 0, 'normal', 0, now())`,
    );
    btcPrice = null;
    const levels = await open();
    await levels.refresh();
    expect(await levels.of(1)).toMatchObject({ turnover_30d: '200', level: 1, until: '2026-03-14' });
    // A trade of people does wait, and counts at the price of when it is counted.
    await trade('ETH/BTC', TODAY + 1, '0.01', 1, MAKER_ID);
    clock.advance(DAY_MS);
    await levels.refresh();
    expect(await levels.of(1)).toMatchObject({ turnover_30d: '200', until: '2026-03-14' });
    btcPrice = '50000';
    await levels.refresh();
    expect(await levels.of(1)).toMatchObject({ turnover_30d: '700', until: '2026-03-15' });
  });

  test('a copy that has not followed a midnight yet knows all 30 days of the day before [SPOT-301]', async () => {
    await trade('BTC/USDT', TODAY - 30 * DAY_MS, '120', 1, 2);
    const [first, second] = [await open(), await open()];
    await first.refresh();
    await second.refresh();
    clock.advance(DAY_MS);
    await first.refresh();
    expect(await first.of(1)).toMatchObject({ turnover_30d: '0', until: '2026-03-15' });
    expect(await second.of(1)).toMatchObject({ turnover_30d: '120', level: 1, until: '2026-03-14' });
    await second.refresh();
    expect(await second.of(1)).toMatchObject({ turnover_30d: '0', level: 0, until: '2026-03-15' });
  });

  /** Calls a function before the first reading of sums. */
  const beforeSums = (act: () => void): Promise<FeeLevels> => {
    let reads = 0;
    return open(
      (turnovers) =>
        new Proxy(turnovers, {
          get(target, name) {
            if (name === 'sums' && ++reads === 1) act();
            const value: unknown = Reflect.get(target, name);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    );
  };
  test('levels that change while a starting copy reads the sums are in force in it, too [SPOT-299]', async () => {
    await trade('BTC/USDT', TODAY - 1, '60', 1, 2);
    await (await open()).refresh();
    const starting = await beforeSums(() => {
      setting = '50:10:0';
      change('setting', SPOT_FEE_LEVELS.key);
    });
    await starting.ready();
    await starting.refresh();
    expect(starting.ratesOf(1, PAIR)).toEqual({ makerFee: percent('0.01'), takerFee: 0n });
  });

  test('changed levels whose sums could not be read are in force when they can be read [SPOT-299]', async () => {
    await trade('BTC/USDT', TODAY - 1, '60', 1, 2);
    await (await open()).refresh();
    setting = '';
    const levels = await beforeSums(() => {
      throw new Error('the database is away');
    });
    await levels.refresh();
    setting = '50:10:0';
    change('setting', SPOT_FEE_LEVELS.key);
    await levels.refresh();
    await levels.refresh();
    expect(levels.ratesOf(1, PAIR)).toEqual({ makerFee: percent('0.01'), takerFee: 0n });
  });
});

test('an order has the rates of its level at its arrival, and a new level changes no other [SPOT-286]', async () => {
  const bench = await SpotBench.create(1);
  try {
    const [one, two] = [bench.person('200000'), bench.person('200000')];
    await bench.buy(one, '50000', '1.2');
    const resting = await bench.buy(one, '40000', '0.1');
    await bench.sell(two, '50000', '1.2');
    await bench.quiet();
    const levels = bench.app.get(FeeLevels);
    bench.app.get(Clock).setOffset(DAY_MS + 120_000);
    await eventuallySatisfied(
      () => levels.of(one),
      ({ level }) => level === 1,
    );
    const later = await bench.buy(one, '39000', '0.1');
    const sold = await bench.sell(two, '39000', '0.2');
    await bench.quiet();
    const feeOf = async (user: number, { id }: { id: string }): Promise<string> => (await bench.order(user, id)).fee;
    // The resting order pays 0.1 % of 0.1 BTC, the one of the level 90 % of it, the taker 95 % of 0.1 % of 7,900 USDT.
    expect([await feeOf(one, resting), await feeOf(one, later), await feeOf(two, sold)]).toEqual([
      ...['0.00010000', '0.00009000', '7.50500000'],
    ]);
    const rates = await bench.test.query('select maker_fee::text, taker_fee::text from spot.orders order by id');
    expect(new Set(rates.map((row) => `${row['maker_fee']} ${row['taker_fee']}`))).toEqual(
      new Set(['0.100000 0.100000', '0.090000 0.095000']),
    );
    await bench.explained();
    await bench.restart();
    await bench.explained();
    const replayed = await replayMarket(
      { query: (sql, params) => bench.test.query(sql, params as unknown[]) as Promise<never[]> },
      'BTC/USDT',
      () => new PlainBook(),
    );
    expect(replayed.equal).toBe(true);
  } finally {
    await bench.end();
  }
});
