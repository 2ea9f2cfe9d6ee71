import { describe, expect, test } from '@jest/globals';
import { bookChecksum, crc32, type FlatDepthPush } from '@bourse/contract';
import { Book, type BookLevel } from './books.js';
import { comparePrices } from './price-order.js';

const head = {
  symbol: 'BTC/USDT',
  legal_id: 3,
  currency_id: 1,
  last_price: '56637.56',
  proportion: '0.00',
  yesterday: '56000',
  today: '56637.56',
  ts: 1,
};
const bids: BookLevel[] = [
  ['56637.56', '0.2'],
  ['56637.5', '1.25'],
];
const asks: BookLevel[] = [
  ['56640', '0.1'],
  ['56641.02', '2'],
];
const flat = (levels: readonly BookLevel[]): string[] => levels.flat();

function push(
  kind: 'snapshot' | 'diff',
  seq: number,
  prevSeq: number,
  b: string[],
  a: string[],
  checksum: number,
): FlatDepthPush {
  return { ...head, kind, seq, prev_seq: prevSeq, b, a, checksum };
}
const filled = (): Book => {
  const book = new Book('BTC/USDT');
  expect(book.apply(push('snapshot', 10, 0, flat(bids), flat(asks), 733695628))).toEqual({ ok: true });
  return book;
};

describe('the book of a subscriber', () => {
  test('checksum is the CRC-32 of the contract`s example [FEED-001]', () => {
    expect(crc32('56637.56:0.2:56640:0.1:56637.5:1.25:56641.02:2')).toBe(733695628);
    expect(bookChecksum(bids, asks)).toBe(733695628);
    expect(bookChecksum([], [])).toBe(0);
  });

  test('only the best 20 levels are checked, and a side may be shorter [FEED-001]', () => {
    const long = Array.from({ length: 25 }, (_, at): BookLevel => [String(100 - at), '1']);
    expect(bookChecksum(long, [])).toBe(bookChecksum(long.slice(0, 20), []));
    expect(bookChecksum(bids, asks.slice(0, 1))).toBe(crc32('56637.56:0.2:56640:0.1:56637.5:1.25'));
  });

  test('differences add, change and remove levels in price order [FEED-002]', () => {
    const book = filled();
    const nextBids: BookLevel[] = [
      ['56638', '3'],
      ['56637.56', '0.5'],
    ];
    const nextAsks: BookLevel[] = [
      ['56640', '0.1'],
      ['56640.5', '7'],
      ['56641.02', '2'],
    ];
    const result = book.apply(
      push(
        'diff',
        11,
        10,
        ['56637.56', '0.5', '56637.5', '0', '56638', '3'],
        ['56640.5', '7'],
        bookChecksum(nextBids, nextAsks),
      ),
    );
    expect(result).toEqual({ ok: true });
    expect(book.bids).toEqual(nextBids);
    expect(book.asks).toEqual(nextAsks);
    expect(book.seq).toBe(11);
  });

  test('a missing message is a gap and leaves the book as it was [FEED-003]', () => {
    const book = filled();
    expect(book.apply(push('diff', 13, 12, [], ['56640', '0'], 1))).toEqual({ ok: false, fault: 'gap' });
    expect(book.asks).toEqual(asks);
    expect(book.seq).toBe(10);
  });

  test('a repeat changes nothing; a difference before any snapshot is refused [FEED-003]', () => {
    const book = filled();
    expect(book.apply(push('diff', 10, 9, [], ['56640', '0'], 1))).toEqual({ ok: true });
    expect(book.asks).toEqual(asks);
    expect(new Book('BTC/USDT').apply(push('diff', 2, 1, [], [], 0))).toEqual({ ok: false, fault: 'no_snapshot' });
  });

  test('levels that differ from the checksum are a fault [FEED-004]', () => {
    const book = filled();
    expect(book.apply(push('diff', 11, 10, ['56637.56', '0.3'], [], 733695628))).toEqual({
      ok: false,
      fault: 'checksum',
    });
  });

  test('a full message of the broadcast replaces all [FEED-005]', () => {
    const book = filled();
    const result = book.apply({
      ...head,
      kind: 'full',
      seq: 50,
      prev_seq: 7,
      bids: [{ price: '1', number: '2' }],
      asks: [],
      checksum: crc32('1:2'),
    });
    expect(result).toEqual({ ok: true });
    expect([book.bids, book.asks]).toEqual([[['1', '2']], []]);
  });
});

test('prices are ordered as numbers, on their texts [FEED-006]', () => {
  const sorted = ['0.00002609', '0.5', '0.53', '1', '9', '9.5', '10', '10.01', '10.1', '100'];
  for (let a = 0; a < sorted.length; a += 1) {
    for (let b = 0; b < sorted.length; b += 1)
      expect(Math.sign(comparePrices(sorted[a]!, sorted[b]!))).toBe(Math.sign(a - b));
  }
});
