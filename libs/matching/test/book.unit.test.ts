import { describe, expect, test } from '@jest/globals';
import { BUY, CANCEL_NEWEST, GTC, SELL, LadderBook, PlainBook } from '../src/index.js';
import { bookSuite } from './book-suite.js';

bookSuite('the plain book', (orders) => new PlainBook(orders));
bookSuite('the ladder book', (orders) => new LadderBook({ orders, pages: 64 }));

describe('undrained events', () => {
  const trades = (book: LadderBook, from: number, count: number): void => {
    for (let id = from; id < from + count; id++) {
      book.limit(2 * id, 1, SELL, 100, 5, GTC, false, CANCEL_NEWEST);
      book.limit(2 * id + 1, 2, BUY, 100, 5, GTC, false, CANCEL_NEWEST);
    }
  };

  test('never fill the memory: the oldest go, and asking for them fails instead of giving others [BOOK-015]', () => {
    const book = new LadderBook({ orders: 1 << 20, pages: 64 });
    trades(book, 1, 100_000);
    expect(book.events).toBe(100_000);
    expect(() => book.drain(0, () => undefined)).toThrow('events from 0 on are gone');
  });

  test('are all there as long as they are fewer than the book has room for, also when it grows [BOOK-015]', () => {
    const book = new LadderBook({ orders: 1 << 20, pages: 64 });
    trades(book, 1, 500);
    for (let id = 10_000; id < 15_000; id++) book.limit(id, 1, SELL, 200, 1, GTC, false, CANCEL_NEWEST);
    trades(book, 20_000, 500);
    const makers: number[] = [];
    expect(book.drain(0, (maker) => makers.push(maker))).toBe(1_000);
    expect(makers).toEqual([
      ...Array.from({ length: 500 }, (_, at) => 2 * (1 + at)),
      ...Array.from({ length: 500 }, (_, at) => 2 * (20_000 + at)),
    ]);
    trades(book, 30_000, 1);
    expect(book.drain(1_000, (maker) => makers.push(maker))).toBe(1_001);
    expect(makers.at(-1)).toBe(60_000);
  });
});
