import { expect, test } from '@jest/globals';
import { SEED_PAIRS } from '@bourse/contract';
import type { KlineView } from '@bourse/events';
import type { Reference, Views } from '@bourse/messaging';
import { SimulatedClock } from '@bourse/testing';
import { barOf, Candles } from '../src/application/candles.js';
import type { Catalog } from '../src/application/catalog.js';
import type { Feed } from '../src/application/feed.js';
import type { MarketStore, PriceFeed } from '../src/application/ports.js';
import type { PublishedBooks } from '../src/application/published-books.js';
import { Quotations } from '../src/application/quotations.js';
import type { Trades, TradesListener } from '../src/application/trades.js';
import { addFills, EMPTY_SERIES, SCALE, type Series } from '../src/domain/candle.js';
import { intervalStart, nextStart, PERIODS, type Period } from '../src/domain/period.js';

const PAIR = SEED_PAIRS[0]!;
const UNIT = 10n ** BigInt(SCALE);
const START = Date.UTC(2026, 5, 1);

/** Quotations of one pair whose trades the test commits. */
class Market {
  readonly clock = new SimulatedClock(START);
  readonly views: KlineView[] = [];
  series: Series = EMPTY_SERIES;
  private onTrades: TradesListener = () => undefined;
  private readonly quotations: Quotations;

  constructor() {
    const trades = {
      onTrades: (listener: TradesListener) => (this.onTrades = listener),
      bars: () => this.series.bars,
      close: () => this.series.close,
      day: () => null,
      today: () => 0,
    } as unknown as Trades;
    const catalog = { pairs: [PAIR] } as unknown as Catalog;
    this.quotations = new Quotations(
      catalog,
      trades,
      new Candles({} as MarketStore, {} as PriceFeed, trades, catalog, this.clock),
      { price: () => undefined, usdtPrice: () => null } as unknown as Feed,
      { get: () => undefined } as unknown as PublishedBooks,
      {
        publish: (subject: string, view: KlineView) => {
          if (subject.startsWith('kline/')) this.views.push(view);
        },
      } as unknown as Views,
      {} as Reference,
      this.clock,
    );
  }
  commit(...fills: readonly { readonly at: number; readonly price: bigint }[]): void {
    const rows = fills.map((fill, index) => ({
      at: fill.at,
      price: fill.price * UNIT,
      quantity: UNIT,
      counted: true,
      sequence: this.series.sequence + index + 1,
    }));
    const { series, changed } = addFills(this.series, rows);
    this.series = series;
    this.onTrades(PAIR, [], changed);
  }
  publish(at: number): void {
    this.clock.advance(at - this.clock.real());
    this.quotations.run();
    this.quotations.stop();
  }
  finals(period: Period, time: number): KlineView[] {
    return this.views.filter((view) => view.period === period && view.time === time && view.final);
  }
}
const rising = (views: readonly KlineView[]): boolean =>
  PERIODS.every((period) => {
    const seqs = views.filter((view) => view.period === period).map(({ seq }) => seq);
    return seqs.every((seq, index) => index === 0 || seq > seqs[index - 1]!);
  });

test.each(PERIODS)('the final candle of %s has all trades of its interval [MARKET-046]', (period) => {
  const market = new Market();
  const end = nextStart(period, intervalStart(period, START));
  market.commit({ at: end - 3_000, price: 100n });
  market.publish(end - 2_000);
  // Both are committed before the next publication.
  market.commit({ at: end - 1, price: 103n }, { at: end, price: 50n });
  market.publish(end);
  const [final, ...others] = market.finals(period, intervalStart(period, START));
  expect(others).toEqual([]);
  expect(final).toMatchObject({ open: 100, high: 103, low: 100, close: 103, volume: 2 });
  const next = market.views.findIndex((view) => view.period === period && view.time === end);
  expect(market.views.indexOf(final!)).toBeLessThan(next);
  expect(rising(market.views)).toBe(true);
});

test.each(PERIODS)('a trade that comes after the final candle of %s is sent with another [MARKET-046]', (period) => {
  const market = new Market();
  const began = intervalStart(period, START);
  const end = nextStart(period, began);
  market.commit({ at: end - 3_000, price: 100n });
  market.publish(end - 2_000);
  market.publish(end);
  expect(market.finals(period, began)).toMatchObject([{ close: 100, volume: 1 }]);
  market.commit({ at: end - 1, price: 103n });
  market.publish(end + 250);
  expect(market.finals(period, began)).toMatchObject([
    { close: 100, volume: 1 },
    // As the call of candles answers.
    barOf(market.series.bars[period]!),
  ]);
  expect(market.series.bars[period]).toMatchObject({ close: 103n * UNIT, volume: 2n * UNIT });
  expect(market.views.findLast((view) => view.period === period)).toMatchObject({ time: end, open: 103, final: false });
  // Nothing has changed since: nothing is sent again.
  market.publish(end + 500);
  expect(market.finals(period, began)).toHaveLength(2);
  expect(rising(market.views)).toBe(true);
});

test('quiet candles after one that changed late are sent with its close [MARKET-046]', () => {
  const market = new Market();
  const minute = 60_000;
  market.commit({ at: START, price: 100n });
  market.publish(START + 250);
  market.publish(START + minute);
  market.publish(START + 2 * minute);
  expect(market.finals('1min', START + minute)).toMatchObject([{ close: 100, volume: 0 }]);
  market.commit({ at: START + minute - 1, price: 103n });
  market.publish(START + 2 * minute + 250);
  expect(market.finals('1min', START + minute).at(-1)).toMatchObject({ open: 103, close: 103, volume: 0 });
  // A reader that begins now begins with the bar in progress.
  expect(market.views.findLast(({ period }) => period === '1min')).toMatchObject({ time: START + 2 * minute });
});

test('of many candles that were missed the newest are sent, with the last state of the one before [MARKET-048]', () => {
  const market = new Market();
  const minute = 60_000;
  market.commit({ at: START, price: 100n });
  market.publish(START + 250);
  // What was traded while nothing was read: the rest of the first candle, and one trade in each of many minutes.
  market.commit({ at: START + 500, price: 101n });
  const missed = Array.from({ length: 20_000 }, (_, index) => START + (index + 1) * minute);
  for (const [index, at] of missed.entries()) market.commit({ at, price: 102n + BigInt(index % 7) });
  const now = missed.at(-1)! + minute;
  market.publish(now);
  for (const period of PERIODS)
    expect(market.views.filter((view) => view.period === period && view.final).length).toBeLessThanOrEqual(6);
  expect(market.finals('1min', START)).toMatchObject([{ close: 101, volume: 2 }]);
  expect(market.views.filter(({ period, final }) => period === '1min' && final).map(({ time }) => time)).toEqual([
    START,
    ...missed.slice(-5),
  ]);
  expect(market.views.findLast(({ period }) => period === '1min')).toMatchObject({ time: now, final: false });
  expect(rising(market.views)).toBe(true);
});

test('after a jump of the clock no quiet candles are sent for the time between [MARKET-046]', () => {
  const market = new Market();
  market.commit({ at: START, price: 100n });
  market.publish(START + 250);
  market.commit({ at: START + 500, price: 101n });
  market.publish(START + 30 * 86_400_000);
  for (const period of PERIODS)
    expect(market.views.filter((view) => view.period === period && view.final).length).toBeLessThanOrEqual(6);
  expect(market.finals('1min', START)).toMatchObject([{ close: 101, volume: 2 }]);
});
