import { describe, expect, test } from '@jest/globals';
import type { KlinePush } from '@bourse/contract';
import { Candles, movingAverage, nextBarTime } from './candles.js';
import { decodePublic } from './decode.js';
import { FrameLoop } from './frame.js';
import { Tape } from './trades.js';
import { Tickers } from './tickers.js';

const head = { symbol: 'BTC/USDT', legal_id: 3, currency_id: 1, seq: 1, prev_seq: 0 };
const bar = (time: number, close: number): KlinePush => ({
  ...head,
  period: '1min',
  time,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  final: 0,
  ts: time,
});

describe('candles', () => {
  test('the running bar is replaced, the next is added, an older one is ignored [FEED-010]', () => {
    const candles = new Candles('BTC/USDT', '1min');
    candles.replace([bar(0, 10)]);
    expect(candles.apply(bar(0, 11))).toMatchObject({ kind: 'update', added: false, bar: { close: 11 } });
    expect(candles.apply(bar(60_000, 12))).toMatchObject({ kind: 'update', added: true });
    expect(candles.apply(bar(0, 9))).toEqual({ kind: 'old' });
    expect(candles.bars.map(({ close }) => close)).toEqual([11, 12]);
  });

  test('a hole and an empty history ask for history; other pairs and intervals are dropped [FEED-010]', () => {
    const candles = new Candles('BTC/USDT', '1min');
    expect(candles.apply(bar(0, 10))).toEqual({ kind: 'reload' });
    candles.replace([bar(0, 10)]);
    expect(candles.apply(bar(120_000, 12))).toEqual({ kind: 'reload' });
    expect(candles.apply({ ...bar(60_000, 1), symbol: 'ETH/USDT' })).toEqual({ kind: 'old' });
    expect(candles.apply({ ...bar(60_000, 1), period: '5min' })).toEqual({ kind: 'old' });
  });

  test('a final bar that has changed after the next began asks for history [FEED-010]', () => {
    const candles = new Candles('BTC/USDT', '1min');
    candles.replace([bar(60_000, 10), bar(120_000, 11)]);
    expect(candles.apply({ ...bar(60_000, 10), final: 1 })).toEqual({ kind: 'old' });
    expect(candles.apply({ ...bar(60_000, 12), final: 1 })).toEqual({ kind: 'reload' });
    expect(candles.apply({ ...bar(0, 12), final: 1 })).toEqual({ kind: 'old' });
  });

  test('months have their own lengths [FEED-011]', () => {
    expect(nextBarTime(Date.UTC(2024, 1, 1), '1mon')).toBe(Date.UTC(2024, 2, 1));
    expect(nextBarTime(Date.UTC(2024, 11, 1), '1mon')).toBe(Date.UTC(2025, 0, 1));
    expect(nextBarTime(0, '60min')).toBe(3_600_000);
  });

  test('an average starts when it has enough bars [FEED-012]', () => {
    expect(
      movingAverage(
        [1, 2, 3, 4].map((close) => ({ ...bar(0, close) })),
        3,
      ),
    ).toEqual([undefined, undefined, 2, 3]);
  });
});

test('the tape keeps the newest trades once, newest first [FEED-013]', () => {
  const tape = new Tape(2);
  const trade = (id: string, ts: number) => ({
    id,
    price: '1',
    amount: '1',
    ts,
    direction: 'buy' as const,
    house: false,
  });
  expect([
    tape.add(trade('a', 1)),
    tape.add(trade('c', 3)),
    tape.add(trade('b', 2)),
    tape.add(trade('c', 3)),
    tape.add(trade('z', 0)),
  ]).toEqual([true, true, true, false, false]);
  expect(tape.trades.map(({ id }) => id)).toEqual(['c', 'b']);
  tape.clear();
  tape.addRecords([
    {
      id: 'n',
      create_time: '2026-01-01 00:00:01',
      ts: 1_767_225_601_250,
      price: '2',
      number: '3',
      direction: 'sell',
      house: 1,
    },
    {
      id: 'm',
      create_time: '2026-01-01 00:00:00',
      ts: 1_767_225_600_750,
      price: '2',
      number: '3',
      direction: 'buy',
      house: 0,
    },
  ]);
  expect(tape.trades).toEqual([
    { id: 'n', price: '2', amount: '3', ts: 1_767_225_601_250, direction: 'sell', house: true },
    { id: 'm', price: '2', amount: '3', ts: 1_767_225_600_750, direction: 'buy', house: false },
  ]);
});

test('an older ticker never overwrites a newer one [FEED-014]', () => {
  const tickers = new Tickers();
  const ticker = (price: string, ts: number) => ({
    ...head,
    legal_name: 'USDT',
    currency_name: 'BTC',
    change: '0',
    now_price: price,
    volume: '1',
    high: '1',
    low: '1',
    ts,
  });
  expect([tickers.apply(ticker('2', 20)), tickers.apply(ticker('1', 10))]).toEqual([true, false]);
  expect(tickers.get('BTC/USDT')?.price).toBe('2');
});

test('however many messages come, a view is painted once a frame; a broken one stops no other [FEED-015]', () => {
  let frame: ((now: number) => void) | undefined;
  const errors: unknown[] = [];
  let painted = 0;
  const loop = new FrameLoop(
    (paint) => {
      frame = paint;
    },
    (error) => errors.push(error),
  );
  const broken = {
    paint: () => {
      throw new Error('broken');
    },
  };
  const view = {
    paint: () => {
      painted += 1;
    },
  };
  const gone = {
    paint: () => {
      painted += 100;
    },
  };
  loop.mark(broken);
  loop.mark(view);
  loop.mark(view);
  loop.mark(gone);
  loop.drop(gone);
  frame?.(0);
  expect([painted, errors.length]).toEqual([1, 1]);
  loop.mark(view);
  frame?.(16);
  expect(painted).toBe(2);
});

test('payloads without drawn fields are dropped [FEED-016]', () => {
  const day = { last_price: '1', proportion: '0', yesterday: '1', today: '1' };
  const depth = { ...head, ts: 1, kind: 'diff', b: ['1', '2'], a: [], checksum: 0, ...day };
  expect(decodePublic('market_depth', depth)).toBe(depth);
  expect(decodePublic('market_depth', { ...depth, b: ['1'] })).toBeUndefined();
  expect(decodePublic('market_depth', { ...depth, checksum: 'x' })).toBeUndefined();
  expect(decodePublic('kline', { ...bar(0, 1), period: '2min' })).toBeUndefined();
  expect(
    decodePublic('match_trade', { ...head, ts: 1, id: 'x', price: '1', amount: '1', direction: 'up' }),
  ).toBeUndefined();
  expect(decodePublic('daymarket', null)).toBeUndefined();
});
