import { describe, expect, test } from '@jest/globals';
import type { DepthPush, KlinePush, MatchTradePush } from '@bourse/contract';
import { Book } from '@bourse/realtime';
import { PracticeRefusal } from './practice-order.js';
import { readRecord, type PracticeRecord } from './practice-record.js';
import { DAY, limit, minutes, printsAt, seconds, TERMS } from './practice-samples.js';
import { PracticeSession } from './practice-session.js';

const RECORD: PracticeRecord = {
  version: 1,
  terms: TERMS,
  day: DAY,
  start: '10000',
  at: DAY,
  speed: 1,
  ended: false,
  commands: [],
};
const PRINTS = printsAt([100, 1], [99, 0.6], [98, 1], [99, 1], [101, 2]);
const MINUTES = [{ time: DAY, open: 100, high: 101, low: 98, close: 101, volume: 5.6 }];

/** A session over the prints, and the record that it has kept last. */
function begin(record = RECORD): { session: PracticeSession; kept: () => PracticeRecord } {
  let last = record;
  const day = { start: DAY, prints: PRINTS, sources: { trades: PRINTS.length, minutes: 0 } };
  const session = new PracticeSession(record, day, MINUTES, (next) => {
    last = next;
  });
  return { session, kept: () => last };
}

describe('a practice that the browser keeps', () => {
  test('[PRACTICE-008] repeats its orders and is the same practice, also after it was written as text', () => {
    const { session, kept } = begin();
    session.place(limit(1, '99', '0.5'));
    session.toggle();
    session.pass(1_000);
    session.move('1', '98.5');
    session.place({ type: 1, order_type: 'market', amount: '0.1' });
    session.pass(1_000);
    session.save();
    const { session: again } = begin(readRecord(JSON.parse(JSON.stringify(kept()))));
    const { clock: before, ...view } = session.snapshot();
    const { clock: after, ...same } = again.snapshot();
    expect(same).toEqual(view);
    expect(view.fills).toHaveLength(2);
    expect(after).toEqual({ ...before, isRunning: false });
  });

  test('[PRACTICE-008] is none when it was written by another version or is damaged', () => {
    expect(readRecord(undefined)).toBeUndefined();
    expect(readRecord({ ...RECORD, version: 2 })).toBeUndefined();
    expect(readRecord({ ...RECORD, start: '1e9' })).toBeUndefined();
    expect(readRecord({ ...RECORD, speed: 7 })).toBeUndefined();
    expect(readRecord({ ...RECORD, commands: {} })).toBeUndefined();
    expect(readRecord(RECORD)).toEqual(RECORD);
  });

  test('[PRACTICE-008] leaves out an order that no longer fits its day, and keeps the others', () => {
    const commands = [
      { kind: 'place' as const, at: DAY, fields: limit(2, '100', '1') },
      { kind: 'place' as const, at: DAY, fields: limit(1, '90', '1') },
    ];
    expect(
      begin({ ...RECORD, commands })
        .session.snapshot()
        .open.map(({ type }) => type),
    ).toEqual([1]);
  });

  test('[PRACTICE-017] with refused orders keeps the ids of the others, and so cancels and moves them again', () => {
    const { session, kept } = begin();
    const sell = limit(2, '99', '1');
    for (const refused of [
      sell,
      { ...limit(1, '99', '0.5'), take_profit: '98' },
      { ...sell, target_price: '110', order_type: 'oco' as const, stop_price: '90' },
    ])
      expect(() => session.place(refused)).toThrow(PracticeRefusal);
    const first = session.place(limit(1, '90', '0.5'));
    expect(() => session.place(sell)).toThrow(PracticeRefusal);
    const second = session.place(limit(1, '91', '0.5'));
    session.move(first.id, '89');
    session.cancel(second.id);
    const { session: again } = begin(kept());
    expect(session.snapshot().open.map(({ id, target_price: price }) => [id, price])).toEqual([[first.id, '89.00']]);
    expect(again.snapshot().open).toEqual(session.snapshot().open);
  });

  test('[PRACTICE-017] with a refused move onto an own order keeps the ids of later orders', () => {
    const { session, kept } = begin();
    session.place({ type: 1, order_type: 'market', amount: '1' });
    session.place(limit(2, '100.01', '0.5'));
    const bid = session.place({ ...limit(1, '90', '0.5'), post_only: 1 });
    expect(() => session.move(bid.id, '100.01')).toThrow(PracticeRefusal);
    session.place(limit(1, '91', '0.5'));
    expect(begin(kept()).session.snapshot().open).toEqual(session.snapshot().open);
  });

  test('[PRACTICE-017] has ids of its legs that refer to each other', () => {
    const { session } = begin();
    session.place({ ...limit(1, '90', '0.5'), order_type: 'oco', stop_price: '110' });
    const [stop, first] = session.snapshot().open;
    expect([stop?.link_id, first?.link_id]).toEqual([first?.id, stop?.id]);
    expect(stop?.id).not.toBe(first?.id);
  });

  test('[PRACTICE-018] keeps a stop whose replacement is refused, else counts the money of the stop for it', () => {
    const { session, kept } = begin();
    const stopAt = (price: string) => ({
      ...limit(1, price, '90'),
      order_type: 'stop_limit' as const,
      stop_price: price,
    });
    const stop = session.place(stopAt('110'));
    for (const price of ['90', '112']) expect(() => session.replace(stop.id, stopAt(price))).toThrow(PracticeRefusal);
    expect(session.snapshot().open.map(({ id }) => id)).toEqual([stop.id]);
    expect(kept().commands).toHaveLength(1);
    session.replace(stop.id, stopAt('111'));
    expect(session.snapshot().open.map(({ stop_price: price }) => price)).toEqual(['111.00']);
    expect(begin(kept()).session.snapshot().open).toEqual(session.snapshot().open);
  });

  test('[PRACTICE-009] can be set to any hour until an order is placed, and then only forward', () => {
    const { session } = begin();
    session.seek(minutes(60));
    session.seek(seconds(1));
    expect([session.snapshot().clock.at, session.snapshot().last]).toEqual([seconds(1), '99.00']);
    session.place(limit(1, '90', '1'));
    session.seek(DAY);
    expect(session.snapshot()).toMatchObject({ clock: { at: seconds(1) }, isUntouched: false });
    session.seek(minutes(1_440));
    expect(session.snapshot()).toMatchObject({ ended: true, clock: { isRunning: false } });
  });
});

test('[PRACTICE-015] a replay sends books with their checksum, each trade once, and the present bar', () => {
  const { session } = begin();
  const book = new Book(TERMS.symbol);
  const [trades, bars]: [MatchTradePush[], KlinePush[]] = [[], []];
  const { feed } = session;
  let results: boolean[] = [];
  feed.subscribe(
    { channel: 'depth', symbol: TERMS.symbol },
    { event: (push: DepthPush) => (results = [...results, book.apply(push).ok]) },
  );
  feed.subscribe({ channel: 'trades', symbol: TERMS.symbol }, { event: (push: MatchTradePush) => trades.push(push) });
  feed.subscribe(
    { channel: 'kline', symbol: TERMS.symbol, interval: '5min' },
    { event: (push: KlinePush) => bars.push(push) },
  );
  session.toggle();
  session.pass(1_000);
  session.pass(1_000);
  session.place(limit(1, '97.5', '0.5'));
  expect(results).toEqual([true, true, true]);
  expect(trades.map(({ id, price }) => [id, price])).toEqual(
    [
      ['0', '100'],
      ['1', '99'],
      ['2', '98'],
    ].slice(1),
  );
  expect(bars.at(-1)).toMatchObject({ period: '5min', time: DAY, open: 100, high: 100, low: 98, close: 98 });
  expect(book.bids.find(([price]) => price === '97.5')?.[1]).toBeDefined();
  expect(feed.book()).toMatchObject({ last_price: '98', complete: [{ id: '2' }, { id: '1' }, { id: '0' }] });
});
