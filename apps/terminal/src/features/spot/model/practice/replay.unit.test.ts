import { describe, expect, test } from '@jest/globals';
import type { Bar } from '@bourse/contract';
import { DAY, limit, minutes, practiceOf, printsAt, seconds } from './practice-samples.js';
import { printsOf } from './prints.js';
import { replayBook } from './replay-book.js';
import { barsAt, presentBar } from './replay-candles.js';
import { advance, seek, type ReplayClock } from './replay-clock.js';
import { largestDrawdown, resultOf, winPercentOf } from './result.js';
import { PAGE, readAllTrades } from './trade-pages.js';

const SCALES = { priceScale: 2, numberScale: 4 };
const bar = (time: number, [open, high, low, close]: readonly number[], volume: number): Bar => ({
  time,
  open: open!,
  high: high!,
  low: low!,
  close: close!,
  volume,
});
const trade = (ts: number, price: string) => ({
  id: String(ts),
  create_time: '',
  ts,
  price,
  number: '0.5000',
  direction: 'sell' as const,
  house: 0 as const,
});

describe('the prints of a day', () => {
  test('[PRACTICE-010] a minute with trades of its own shows them, another one the path of its candle', () => {
    const bars = [bar(DAY, [100, 104, 99, 103], 12), bar(minutes(1), [103, 105, 102, 104], 3)];
    const day = printsOf(DAY, bars, [trade(minutes(1) + 5_000, '102.5')], SCALES);
    expect(day.sources).toEqual({ trades: 1, minutes: 1 });
    const path = day.prints.filter(({ at }) => at < minutes(1));
    expect(path).toHaveLength(12);
    expect([path[0]?.price, path.at(-1)?.price]).toEqual([10_000, 10_300]);
    expect([Math.min(...path.map(({ price }) => price)), Math.max(...path.map(({ price }) => price))]).toEqual([
      9_900, 10_400,
    ]);
    expect(path.reduce((sum, { lots }) => sum + lots, 0)).toBe(120_000);
    expect(day.prints.at(-1)).toEqual({ at: minutes(1) + 5_000, price: 10_250, lots: 5_000, side: 1 });
  });

  test('[PRACTICE-010] a falling candle reaches its high before its low, and a quiet minute has no print', () => {
    const bars = [bar(DAY, [100, 104, 97, 98], 12), bar(minutes(1), [98, 98, 98, 98], 0)];
    const { prints, sources } = printsOf(DAY, bars, [], SCALES);
    const prices = prints.map(({ price }) => price);
    expect(prices.indexOf(10_400)).toBeLessThan(prices.indexOf(9_700));
    expect(sources).toEqual({ trades: 0, minutes: 1 });
  });

  test('[PRACTICE-011] the replayed book never offers the last price itself', () => {
    for (const last of [1, 7, 9_999, 10_000, 5_600_000]) {
      const { bids, asks } = replayBook(last, 3);
      expect(asks[0]![0]).toBeGreaterThan(last);
      if (bids[0]) expect(bids[0][0]).toBeLessThan(last);
      expect([asks.length, asks[0]![1]]).toEqual([20, 3]);
    }
  });
});

describe('the trades of a day', () => {
  /** A stored day of trades, read as the call answers: from a moment on, a page at a time. */
  const stored = (times: readonly number[]) => {
    const all = times.map((ts, at) => ({ ...trade(ts, '100'), id: String(at) }));
    return (from: number) => Promise.resolve(all.filter(({ ts }) => ts >= from).slice(0, PAGE));
  };
  const read = async (times: readonly number[], most?: number): Promise<string[]> =>
    (await readAllTrades(DAY, stored(times), () => undefined, most)).map(({ id }) => id);

  test('[PRACTICE-016] are read page by page, each once, also where a moment lies across two pages', async () => {
    const times = Array.from({ length: 250 }, (_, at) => DAY + Math.floor(at / 3) * 10);
    expect(await read(times)).toEqual(times.map((_, at) => String(at)));
    expect(await read([])).toEqual([]);
  });

  test('[PRACTICE-016] are left to the candles above the most that is read, and always come to an end', async () => {
    const times = Array.from({ length: 230 }, (_, at) => DAY + at);
    expect(await read(times, 229)).toEqual([]);
    expect(await read(times, 230)).toHaveLength(230);
    expect(await read(Array.from({ length: 150 }, () => DAY))).toHaveLength(PAGE);
  });
});

describe('the clock of a replay', () => {
  const clock: ReplayClock = { at: DAY, speed: 60, isRunning: true };
  test('[PRACTICE-012] runs as many times as fast as it is set, pauses, and stops at the end', () => {
    expect(advance(clock, 500, minutes(60)).at).toBe(DAY + 30_000);
    expect(advance({ ...clock, speed: 1 }, 500, minutes(60)).at).toBe(DAY + 500);
    expect(advance({ ...clock, isRunning: false }, 500, minutes(60)).at).toBe(DAY);
    expect(advance(clock, 900, minutes(0.5))).toEqual({ ...clock, at: minutes(0.5), isRunning: false });
  });
  test('[PRACTICE-012] does not run away while the page sleeps, and is not set back behind what has happened', () => {
    expect(advance(clock, 3_600_000, minutes(600)).at).toBe(minutes(1));
    expect(seek(clock, minutes(5), minutes(9), minutes(60)).at).toBe(minutes(9));
    expect(seek(clock, minutes(99), DAY, minutes(60))).toEqual({ ...clock, at: minutes(60), isRunning: false });
  });
});

describe('the bars of a replay', () => {
  const history = [bar(DAY - 3_600_000, [90, 95, 88, 94], 7), bar(DAY, [94, 200, 1, 150], 99)];
  const day = [
    bar(DAY, [94, 96, 93, 95], 1),
    bar(minutes(1), [95, 99, 95, 98], 2),
    bar(minutes(2), [98, 300, 2, 9], 5),
  ];
  test('[PRACTICE-013] end at the present: nothing of later minutes, or of a longer bar of the day, is in them', () => {
    const present = bar(minutes(1), [95, 97, 95, 96], 1);
    const known = { start: DAY, history, minutes: day, present };
    expect(barsAt('60min', minutes(1) + 10_000, known)).toEqual([history[0], bar(DAY, [94, 97, 93, 96], 2)]);
    const monday = Date.UTC(2023, 2, 13);
    expect(barsAt('1week', minutes(1) + 10_000, { ...known, history: [] })[0]?.time).toBe(monday);
  });
  test('[PRACTICE-013] the present bar has the prints so far, and a quiet one the price before', () => {
    const prints = printsAt([100, 1], [101, 1], [99, 2]);
    expect(presentBar(seconds(1), prints, 2, 0, SCALES)).toEqual(bar(DAY, [100, 101, 100, 101], 2));
    expect(presentBar(minutes(2), prints, 3, 9_900, SCALES)).toEqual(bar(minutes(2), [99, 99, 99, 99], 0));
  });
});

describe('the result of a practice', () => {
  test('[PRACTICE-014] counts profit, fees, fills, won sales, and what holding would have brought', () => {
    const practice = practiceOf(printsAt([100, 5], [110, 5], [99, 5], [105, 5]));
    practice.runTo(seconds(0));
    practice.place({ type: 1, order_type: 'market', amount: '1' });
    practice.runTo(seconds(1));
    practice.place({ type: 2, order_type: 'market', amount: '0.5' });
    practice.runTo(seconds(3));
    const result = resultOf(practice);
    // Bought 1 at 100.02 with a fee of 0.002 coins, sold 0.5 at 109.98; 0.498 coins are left at 105.
    expect(result).toMatchObject({
      start: '10000.00000000',
      profit: '7.15002000',
      profitPercent: '0.07',
      fees: '0.31002000',
      fills: 2,
      winPercent: '100.00',
      holdProfit: '500.00000000',
      holdPercent: '5.00',
    });
  });

  test('[PRACTICE-014] a sale below the mean cost is lost, and the fall is measured from its own top', () => {
    const practice = practiceOf(printsAt([100, 5], [90, 5]));
    practice.runTo(seconds(0));
    practice.place(limit(1, '100.02', '1'));
    practice.runTo(seconds(1));
    practice.place({ type: 2, order_type: 'market', amount: '0.5' });
    expect(winPercentOf(practice.fills)).toBe('0.00');
    const curve = [100n, 120n, 90n, 200n, 170n].map((equity, at) => ({ at, equity }));
    expect(largestDrawdown(curve)).toEqual({ loss: 30n, top: 120n });
  });
});
