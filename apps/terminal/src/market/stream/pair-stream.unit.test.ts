import { describe, expect, test } from '@jest/globals';
import { bookChecksum, type BookAnswer, type FlatDepthPush } from '@bourse/contract';
import { FrameLoop, type BookLevel, type Feed } from '@bourse/realtime';
import { MarketTape, PairStream } from './pair-stream.js';

interface Handlers {
  event(push: unknown): void;
  snapshot?(snapshot: unknown, seq: number): void;
  reset?(): void;
}
/** A feed whose server is the test. */
function fakeFeed() {
  const subscribed = new Map<string, Handlers>();
  const asked: string[] = [];
  const feed = {
    status: 'live',
    ageOf: () => 0,
    subscribe: ({ channel }: { channel: string }, handlers: Handlers) => {
      subscribed.set(channel, handlers);
      return {
        close: () => subscribed.delete(channel),
        again: () => {
          asked.push('again');
          handlers.reset?.();
        },
        confirm: (seq: number) => asked.push(`confirm ${seq}`),
      };
    },
  };
  return {
    feed: feed as unknown as Feed,
    asked,
    depth: () => subscribed.get('depth')!,
    trades: () => subscribed.get('trades')!,
    subscribed,
  };
}
const bids: BookLevel[] = [['100', '1']];
const asks: BookLevel[] = [['101', '2']];
const push = (
  kind: 'snapshot' | 'diff',
  seq: number,
  prev: number,
  b: string[],
  a: string[],
  checksum: number,
): FlatDepthPush => ({
  symbol: 'BTC/USDT',
  legal_id: 3,
  currency_id: 1,
  kind,
  last_price: '100',
  proportion: '0',
  yesterday: '100',
  today: '100',
  b,
  a,
  ts: seq,
  seq,
  prev_seq: prev,
  checksum,
});
const snapshot = push('snapshot', 10, 0, bids.flat(), asks.flat(), bookChecksum(bids, asks));
const answer: BookAnswer = {
  symbol: 'BTC/USDT',
  legal_id: 3,
  currency_id: 1,
  last_price: '99',
  proportion: '0',
  yesterday: '1',
  today: '1',
  in: [{ price: '99', number: '1' }],
  out: [],
  complete: [
    {
      id: 't1',
      create_time: '2026-01-01 00:00:00',
      ts: 1_767_225_600_000,
      price: '99',
      number: '1',
      direction: 'buy',
      house: 0,
    },
  ],
  user_cny: '0',
  user_currency: '0',
  seq: 3,
  checksum: 0,
  ts: 1,
};
const pair = { symbol: 'BTC/USDT', legal_id: 3, currency_id: 1 };
const idle = new FrameLoop(
  () => undefined,
  () => undefined,
);

describe('the stream of a pair', () => {
  test('shows the read book until the snapshot is there, then live differences only [SPOTVIEW-050]', async () => {
    const { feed, depth } = fakeFeed();
    const stream = new PairStream(pair, feed, idle, () => Promise.resolve(answer));
    stream.open();
    depth().event(push('diff', 4, 3, ['99', '0'], [], 0));
    await new Promise(process.nextTick);
    expect(stream.book.bids).toEqual([['99', '1']]);
    expect(stream.tape.trades.map(({ id }) => id)).toEqual(['t1']);
    depth().snapshot?.(snapshot, 10);
    const next: BookLevel[] = [
      ['100', '1'],
      ['99.5', '4'],
    ];
    depth().event(push('diff', 11, 10, ['99.5', '4'], [], bookChecksum(next, asks)));
    expect([stream.book.bids, stream.book.seq]).toEqual([next, 11]);
    stream.close();
  });

  test('a market without a trade has no last price: 0 is none [SPOTVIEW-054]', async () => {
    const { feed } = fakeFeed();
    const told = async (last_price: string): Promise<string> => {
      const stream = new PairStream(pair, feed, idle, () => Promise.resolve({ ...answer, last_price }));
      const changed = new Promise<void>((resolve) => stream.subscribe(resolve));
      stream.open();
      await changed;
      const { lastPrice } = stream.snapshot();
      stream.close();
      return lastPrice;
    };
    expect([await told('0'), await told('0.00'), await told('99')]).toEqual(['', '', '99']);
  });

  test('a gap clears the book and requests one snapshot; earlier messages are dropped [SPOTVIEW-051]', () => {
    const { feed, depth, asked } = fakeFeed();
    const stream = new PairStream(pair, feed, idle, () => new Promise(() => undefined));
    stream.open();
    depth().snapshot?.(snapshot, 10);
    depth().event(push('diff', 13, 12, [], [], 0));
    depth().event(push('diff', 14, 13, [], [], 0));
    expect(asked).toEqual(['again']);
    expect([stream.book.bids, stream.book.asks]).toEqual([[], []]);
    depth().snapshot?.(push('snapshot', 15, 0, bids.flat(), asks.flat(), bookChecksum(bids, asks)), 15);
    expect(stream.book.bids).toEqual(bids);
    stream.close();
  });

  test('closing it leaves no subscription [SPOTVIEW-052]', () => {
    const { feed, subscribed } = fakeFeed();
    const stream = new PairStream(pair, feed, idle, () => Promise.resolve(answer));
    stream.open();
    expect([...subscribed.keys()]).toEqual(['depth', 'trades']);
    stream.close();
    expect([...subscribed.keys()]).toEqual([]);
  });
});

test('the tape of all markets keeps the newest twenty once each [SPOTVIEW-053]', () => {
  const tape = new MarketTape();
  const trade = (id: number) => ({
    symbol: 'BTC/USDT',
    legal_id: 3,
    currency_id: 1,
    legal_name: 'USDT',
    currency_name: 'BTC',
    id: String(id),
    price: '1',
    number: '1',
    total: '1',
    direction: 'buy' as const,
    type: 'in' as const,
    create_time: '',
    ts: id,
    seq: id,
    prev_seq: 0,
  });
  for (let id = 1; id <= 25; id += 1) expect(tape.add(trade(id))).toBe(true);
  expect(tape.add(trade(25))).toBe(false);
  expect([tape.trades.length, tape.trades[0]?.id, tape.trades.at(-1)?.id]).toEqual([20, '25', '6']);
});
