import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { TAKER_ID } from '@bourse/contract';
import { eventually, SimulatedClock, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { Candles } from '../../src/application/candles.js';
import { Catalog } from '../../src/application/catalog.js';
import { Feed } from '../../src/application/feed.js';
import { SCALE } from '../../src/domain/candle.js';
import { PERIODS } from '../../src/domain/period.js';
import { MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { start, type Running } from './market-process.js';

jest.setTimeout(testTimeoutMs(36_000));

const MINUTE = 60_000;

describe('a fresh clone', () => {
  let database: TestDatabases;
  let running: Running;
  beforeAll(async () => {
    database = await testDatabases({ shape: { schema: 'market', migrations: MIGRATIONS } });
    running = await start(database, new SimulatedClock(Date.UTC(2026, 4, 6, 10, 17)), { PRICE_FEED: 'auto' });
    // Months of candles for each pair are written first.
  });
  afterAll(async () => {
    await running?.stop();
    await database?.end();
  });

  test('has candles of each pair and interval, on its scale, with simulated ones marked [MARKET-017]', async () => {
    const candles = running.app.get(Candles);
    const now = running.clock.now();
    for (const pair of running.app.get(Catalog).pairs) {
      const kind = running.app.get(Feed).kind(pair.symbol);
      const simulatedBefore = await candles.simulatedBefore(pair);
      expect(simulatedBefore).toBeLessThan(kind === 'simulated' ? now + 1 : now - 12 * 60 * MINUTE);
      // The history ends where the first start was, and the volume of the day counts nothing of it [HARD-487].
      const recordedBefore = await candles.recordedBefore(pair);
      expect(recordedBefore).toBe(now - (now % MINUTE));
      for (const period of PERIODS) {
        const bars = await candles.range(pair, period, 0, now);
        expect(bars.length).toBeGreaterThan(period === '1mon' ? 12 : period === '1week' ? 50 : 350);
        const offScale = bars
          .flatMap(({ open, high, low, close }) => [open, high, low, close])
          .filter((price) => price % 10n ** BigInt(SCALE - pair.priceScale) !== 0n);
        expect(offScale).toEqual([]);
        expect(bars.filter(({ time, volume }) => volume > 0n && time < (simulatedBefore ?? 0))).toEqual(
          // Days, weeks and months may hold the end of the simulation and the beginning of the recording.
          bars.filter(({ time, volume }) => volume > 0n && time < (simulatedBefore ?? 0)).slice(-1),
        );
      }
    }
  });
});

describe('a lively demo market', () => {
  let database: TestDatabases;
  let running: Running;
  beforeAll(async () => {
    database = await testDatabases({ shape: { schema: 'market', migrations: MIGRATIONS } });
    // The house follows whatever prices there are; those of a simulation need no months of a recording before them.
    running = await start(database, Object.assign(new SimulatedClock(Date.now())), {
      PRICE_FEED: 'simulated',
      MAKER: 'on',
    });
  });
  afterAll(async () => {
    await running?.stop();
    await database?.end();
  });
  const asked = (): number => running.desk.asked.get(TAKER_ID) ?? 0;
  /** Advances both clocks by some beats. */
  const beats = async (count: number): Promise<void> => {
    for (let beat = 0; beat < count; beat++) {
      running.clock.advance(400);
      await new Promise((resolve) => setTimeout(resolve, 450));
    }
  };

  test('moves while a client is connected, and is quiet otherwise [MARKET-026] [MARKET-027]', async () => {
    await eventually(() => running.desk.of('BTC/USDT').length === 40, 20_000);
    running.clock.advance(60_000);
    const before = asked();
    running.views.publish('watched', { at: running.clock.real() });
    await beats(8);
    const lively = asked() - before;
    // Nine pairs, eight beats: most of them change something, with small orders and market orders.
    expect(lively).toBeGreaterThan(30);
    running.clock.advance(15_001);
    await beats(2);
    const rested = asked();
    await beats(4);
    expect(asked() - rested).toBeLessThanOrEqual(9);
  });
});
