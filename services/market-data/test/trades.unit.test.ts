import { afterEach, expect, test } from '@jest/globals';
import { SEED_PAIRS } from '@bourse/contract';
import { SpotTradesV1 } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { Config } from '@bourse/platform';
import { eventually, SimulatedClock } from '@bourse/testing';
import type { Catalog } from '../src/application/catalog.js';
import type { MarketStore, TradeRow } from '../src/application/ports.js';
import { Trades } from '../src/application/trades.js';
import { addFills, EMPTY_SERIES, SCALE, type Candle, type Changed } from '../src/domain/candle.js';
import { MINUTE, PERIODS, type Period } from '../src/domain/period.js';

const PAIR = SEED_PAIRS[0]!;
const UNIT = 10n ** BigInt(SCALE);
const NOON = Date.UTC(2026, 5, 1, 12);

/** A service whose commits the test makes, loses or undoes; the tables are the rows that are committed. */
class Service {
  readonly clock = new SimulatedClock(NOON);
  readonly trades: Trades;
  rows: readonly TradeRow[] = [];
  /** Every read of the whole state waits for it, after it has read. */
  gate: Promise<void> = Promise.resolve();
  failures = 0;
  reads = 0;
  changed: Changed[] = [];

  constructor() {
    const store = {
      historyMinutes: () => Promise.resolve([]),
      closeBefore: () => Promise.resolve(null),
      candles: (_: number, period: Period, from: number, to: number) =>
        Promise.resolve(this.fold(period).filter(({ time }) => time >= from && time <= to)),
      ownMinutes: (_: number, from: number) => Promise.resolve(this.fold('1min').filter(({ time }) => time >= from)),
      series: (_: number, tx?: { rows: readonly TradeRow[] }) =>
        Promise.resolve(addFills(EMPTY_SERIES, tx?.rows ?? this.rows).series),
      sequenceBefore: (_: number, at: number) =>
        Promise.resolve(this.rows.findLast((row) => row.at < at)?.sequence ?? 0),
      trades: (_: number, __: null, limit: number) => Promise.resolve(this.rows.toReversed().slice(0, limit)),
      addTrades: (tx: { rows: readonly TradeRow[] }, _: number, rows: readonly TradeRow[]) =>
        Promise.resolve(void (tx.rows = [...tx.rows, ...rows])),
      inSnapshot: async (look: (tx: unknown) => Promise<unknown>) => {
        this.reads += 1;
        if (this.failures > 0) {
          this.failures -= 1;
          throw new Error('the database is away');
        }
        const state = await look({ rows: this.rows });
        await this.gate;
        return state;
      },
    } as unknown as MarketStore;
    const catalog = { pairs: [PAIR] } as unknown as Catalog;
    this.trades = new Trades(store, catalog, this.clock, { spotPartitions: 1, dev: true } as Config);
    this.trades.onTrades((_, __, changed) => this.changed.push(changed));
  }
  private fold(period: Period): Candle[] {
    return addFills(EMPTY_SERIES, this.rows).changed[period];
  }
  /** One transaction with these numbers. Returns what follows its commit, which the test runs or loses. */
  async commit(...sequences: readonly number[]): Promise<() => void> {
    const callbacks: (() => void)[] = [];
    const tx = { rows: this.rows, afterCommit: (run: () => void) => callbacks.push(run) };
    const trades = sequences.map((sequence) => ({
      sequence,
      price: String(100 + sequence),
      quantity: '1',
      takerSide: 'buy' as const,
      makerOrderId: '1',
      takerOrderId: '2',
      at: NOON + sequence * MINUTE,
    }));
    this.clock.advance(Math.max(0, trades.at(-1)!.at - this.clock.now()));
    await this.trades.take([SpotTradesV1.build({ symbol: PAIR.symbol, pairId: PAIR.id, trades })], tx as unknown as Tx);
    this.rows = tx.rows;
    return () => {
      for (const run of callbacks) run();
    };
  }
  get state() {
    const { id } = PAIR;
    const figures = this.trades.day(id);
    return {
      recent: this.trades.recent(id, 100).map(({ sequence }) => sequence),
      volume: figures && figures.volume / UNIT,
      high: figures && figures.high / UNIT,
      today: this.trades.today(id),
      sequence: this.trades.sequence(id),
      bars: Object.fromEntries(PERIODS.map((period) => [period, this.trades.bars(id)[period]?.volume ?? 0n])),
    };
  }
  /** The state that a service that starts now has. */
  async expected() {
    const fresh = new Service();
    fresh.rows = this.rows;
    fresh.clock.advance(this.clock.now() - fresh.clock.now());
    await fresh.trades.load();
    return fresh.state;
  }
}
let service: Service;
afterEach(() => service.trades.stop());
const started = async (): Promise<Service> => {
  service = new Service();
  await service.trades.load();
  return service;
};

test('trades of a commit whose answer was lost are in all figures after the next one [MARKET-047]', async () => {
  const { trades } = await started();
  (await service.commit(1))();
  await service.commit(2, 3);
  service.changed = [];
  (await service.commit(4))();
  await eventually(() => trades.recent(PAIR.id, 100).length === 4);
  expect(service.state).toMatchObject({ recent: [4, 3, 2, 1], volume: 4n, today: 4 });
  expect(service.state).toEqual(await service.expected());
  // Views hear of every candle that has changed.
  expect(service.changed.at(-1)!['1min'].map(({ time }) => (time - NOON) / MINUTE)).toEqual([1, 2, 3, 4]);
});

test('trades of a commit that a crash of the database undid are not counted twice [MARKET-047]', async () => {
  await started();
  (await service.commit(1))();
  const { rows } = service;
  (await service.commit(2, 3))();
  service.rows = rows;
  (await service.commit(2))();
  await eventually(() => service.state.recent.length === 2);
  expect(service.state).toMatchObject({ recent: [2, 1], volume: 2n, high: 102n, today: 2 });
  (await service.commit(3, 4))();
  expect(service.state).toMatchObject({ recent: [4, 3, 2, 1], volume: 4n, today: 4 });
  expect(service.state).toEqual(await service.expected());
});

test('a repeat of trades that are stored shows that their commit was made [MARKET-047]', async () => {
  await started();
  await service.commit(1, 2);
  (await service.commit(2))();
  await eventually(() => service.state.sequence === 2);
  expect(service.state).toEqual(await service.expected());
});

test('commits while the state is read are added once; a read that fails is made again [MARKET-047]', async () => {
  await started();
  await service.commit(1);
  service.failures = 1;
  let release = (): void => undefined;
  service.gate = new Promise((resolve) => (release = resolve));
  (await service.commit(2))();
  await eventually(() => service.reads === 2);
  (await service.commit(3))();
  (await service.commit(4))();
  release();
  await eventually(() => service.state.recent.length === 4);
  expect(service.state).toEqual(await service.expected());
});

test('callbacks that come in the other order leave the state of the tables [MARKET-047]', async () => {
  await started();
  const [first, second] = [await service.commit(1), await service.commit(2)];
  second();
  first();
  await eventually(() => service.state.recent.length === 2 && service.state.volume === 2n);
  expect(service.state).toEqual(await service.expected());
});
