import { describe, expect, test } from '@jest/globals';
import {
  BUY,
  CANCEL_BOTH,
  CANCEL_NEWEST,
  CANCEL_OLDEST,
  FILLED,
  FOK,
  FOK_KILLED,
  GTC,
  IOC,
  IOC_REST,
  MARKET_REST,
  MAX_LOTS,
  MAX_TICK,
  NO_BUDGET,
  NO_ROOM,
  POST_ONLY_CROSSED,
  RESTED,
  SELF_TRADE,
  SELL,
  type Book,
  type SelfTrade,
  type Side,
  toLimbs,
} from '../src/index.js';

/**
 * The rules of a book, for both implementations: `PlainBook` and `LadderBook` pass the whole suite. `make` builds an
 * empty book for at most `orders` orders.
 */
export function bookSuite(name: string, make: (orders: number) => Book): void {
  describe(name, () => {
    const fresh = (): Handle => handle(make(1000));

    test('the better price trades first, the older order at the same price, at its own price [BOOK-001]', () => {
      const { book, add, events } = fresh();
      add(1, SELL, 101, 5);
      add(2, SELL, 100, 5);
      add(3, SELL, 100, 5);
      expect(add(4, BUY, 101, 12)).toBe(FILLED);
      expect(events()).toEqual([
        [2, 4, 100, 5],
        [3, 4, 100, 5],
        [1, 4, 101, 2],
      ]);
      expect(book.levels(SELL, 10)).toEqual([[101, 3]]);
    });

    test('the unfilled part of a crossing order rests; no book at rest is crossed [BOOK-002]', () => {
      const { book, add } = fresh();
      add(1, SELL, 100, 5);
      expect(add(2, BUY, 100, 8)).toBe(RESTED);
      expect(book.remaining).toBe(3);
      expect([book.bestBid, book.bestAsk, book.size]).toEqual([100, 0, 1]);
      expect(book.left(2)).toBe(3);
    });

    test('sellers meet the highest bid first [BOOK-001]', () => {
      const { add, events } = fresh();
      add(1, BUY, 99, 5);
      add(2, BUY, 100, 5);
      add(3, BUY, 98, 5);
      expect(add(4, SELL, 99, 20)).toBe(RESTED);
      expect(events()).toEqual([
        [2, 4, 100, 5],
        [1, 4, 99, 5],
      ]);
    });

    test('immediate or cancel leaves nothing behind [BOOK-003]', () => {
      const { book, add } = fresh();
      add(1, SELL, 100, 5);
      expect(add(2, BUY, 100, 8, IOC)).toBe(IOC_REST);
      expect([book.remaining, book.size]).toEqual([3, 0]);
      expect(add(3, BUY, 100, 8, IOC)).toBe(IOC_REST);
      expect(book.remaining).toBe(8);
    });

    test('fill or kill fills whole or does nothing [BOOK-004]', () => {
      const { book, add, events } = fresh();
      add(1, SELL, 100, 5);
      add(2, SELL, 102, 5);
      const before = book.hash();
      expect(add(3, BUY, 101, 6, FOK)).toBe(FOK_KILLED);
      expect([book.hash(), events().length]).toEqual([before, 0]);
      expect(add(4, BUY, 102, 10, FOK)).toBe(FILLED);
      expect(book.size).toBe(0);
    });

    test('fill or kill does not count orders of its own owner [BOOK-004]', () => {
      for (const selfTrade of [CANCEL_NEWEST, CANCEL_OLDEST, CANCEL_BOTH] as const) {
        const { book, add } = fresh();
        add(1, SELL, 100, 5, GTC, 7);
        add(2, SELL, 100, 5, GTC, 8);
        const before = book.hash();
        expect(add(3, BUY, 100, 6, FOK, 7, selfTrade)).toBe(FOK_KILLED);
        expect(book.hash()).toBe(before);
        expect(add(4, BUY, 100, 5, FOK, 7, selfTrade)).toBe(selfTrade === CANCEL_OLDEST ? FILLED : FOK_KILLED);
      }
    });

    test('post only rests, or is cancelled when it would trade [BOOK-005]', () => {
      const { book, add } = fresh();
      add(1, SELL, 100, 5);
      expect(book.limit(2, 0, BUY, 100, 1, GTC, true, CANCEL_NEWEST)).toBe(POST_ONLY_CROSSED);
      expect(book.limit(3, 0, BUY, 99, 1, GTC, true, CANCEL_NEWEST)).toBe(RESTED);
      expect(book.limit(4, 0, SELL, 99, 1, GTC, true, CANCEL_NEWEST)).toBe(POST_ONLY_CROSSED);
      expect(book.size).toBe(2);
    });

    test('no owner trades with himself: newest, oldest or both give way [BOOK-006]', () => {
      const run = (selfTrade: SelfTrade): unknown => {
        const { book, add, events } = fresh();
        add(1, SELL, 100, 2, GTC, 8);
        add(2, SELL, 100, 5, GTC, 7);
        add(3, SELL, 100, 4, GTC, 9);
        const outcome = add(4, BUY, 100, 10, GTC, 7, selfTrade);
        return {
          outcome,
          remaining: book.remaining,
          events: events(),
          asks: book.levels(SELL, 5),
          bids: book.levels(BUY, 5),
        };
      };
      expect(run(CANCEL_NEWEST)).toEqual({
        outcome: SELF_TRADE,
        remaining: 8,
        events: [[1, 4, 100, 2]],
        asks: [[100, 9]],
        bids: [],
      });
      expect(run(CANCEL_OLDEST)).toEqual({
        outcome: RESTED,
        remaining: 4,
        events: [
          [1, 4, 100, 2],
          [2, 4, 100, -5],
          [3, 4, 100, 4],
        ],
        asks: [],
        bids: [[100, 4]],
      });
      expect(run(CANCEL_BOTH)).toEqual({
        outcome: SELF_TRADE,
        remaining: 8,
        events: [
          [1, 4, 100, 2],
          [2, 4, 100, -5],
        ],
        asks: [[100, 4]],
        bids: [],
      });
    });

    test('a market order stops at its bound and never rests [BOOK-007]', () => {
      const { book, add, events, market } = fresh();
      add(1, SELL, 100, 5);
      add(2, SELL, 105, 5);
      add(3, SELL, 106, 5);
      expect(market(4, BUY, 20, 105)).toBe(MARKET_REST);
      expect([book.remaining, book.size]).toEqual([10, 1]);
      expect(events()).toEqual([
        [1, 4, 100, 5],
        [2, 4, 105, 5],
      ]);
      expect(market(5, SELL, 1, 1)).toBe(MARKET_REST);
      add(6, BUY, 90, 3);
      expect(market(7, SELL, 5, 91)).toBe(MARKET_REST);
      expect(market(8, SELL, 2, 90)).toBe(FILLED);
    });

    test('a market buy never spends more than its budget, to the last lot [BOOK-008]', () => {
      const { book, add, events, market } = fresh();
      add(1, SELL, 100, 5);
      add(2, SELL, 101, 50);
      expect(market(3, BUY, 20, 200, 500n + 101n * 7n + 100n)).toBe(MARKET_REST);
      expect(events()).toEqual([
        [1, 3, 100, 5],
        [2, 3, 101, 7],
      ]);
      expect([book.remaining, book.left(2)]).toEqual([8, 43]);
      expect(market(4, BUY, 1, 200, 100n)).toBe(MARKET_REST);
      expect(market(5, BUY, 1, 200, 101n)).toBe(FILLED);
    });

    test('a budget beyond 2^53 is exact [BOOK-008]', () => {
      const price = 2_147_483_647 - 2;
      const lots = 9_007_199_254_740_000;
      const { book, add, market } = fresh();
      add(1, SELL, price, lots);
      expect(market(2, BUY, lots, MAX_TICK, BigInt(price) * BigInt(lots - 3) - 1n)).toBe(MARKET_REST);
      expect(book.remaining).toBe(4);
      expect(book.left(1)).toBe(4);
    });

    test('a market order that must fill whole counts bound and budget [BOOK-004]', () => {
      const { book, add } = fresh();
      add(1, SELL, 100, 5);
      add(2, SELL, 101, 5);
      expect(book.market(3, 0, BUY, 10, 101, true, CANCEL_NEWEST, ...toLimbs(1004n))).toBe(FOK_KILLED);
      expect(book.market(4, 0, BUY, 10, 100, true, CANCEL_NEWEST, NO_BUDGET, 0)).toBe(FOK_KILLED);
      expect(book.size).toBe(2);
      expect(book.market(5, 0, BUY, 10, 101, true, CANCEL_NEWEST, ...toLimbs(1005n))).toBe(FILLED);
    });

    test('a cancel returns the lots that were left, once [BOOK-009]', () => {
      const { book, add } = fresh();
      add(1, BUY, 100, 5);
      add(2, BUY, 100, 6);
      add(3, BUY, 100, 7);
      expect([book.cancel(2), book.cancel(2), book.cancel(99)]).toEqual([6, 0, 0]);
      expect(book.levels(BUY, 5)).toEqual([[100, 12]]);
      expect([book.cancel(1), book.cancel(3), book.bestBid, book.size]).toEqual([5, 7, 0, 0]);
    });

    test('a reduced order keeps its place, and fills no more than it has [BOOK-016]', () => {
      const { book, add } = fresh();
      add(1, BUY, 100, 5);
      add(2, BUY, 100, 6);
      book.reduce(1, 3);
      expect([book.left(1), book.levels(BUY, 5)]).toEqual([2, [[100, 8]]]);
      add(3, SELL, 100, 3);
      expect([book.left(1), book.left(2)]).toEqual([0, 5]);
      for (const [id, lots] of [
        [2, 5],
        [2, 6],
        [1, 1],
        [99, 1],
      ] as const)
        expect(() => book.reduce(id, lots)).toThrow('invariant');
      expect(book.levels(BUY, 5)).toEqual([[100, 5]]);
    });

    test('levels and orders come best first, over pages that lie far apart [BOOK-010]', () => {
      const { book, add } = fresh();
      for (const [index, price] of [5, 1_000_000, 1023, 1024, 31, 32, 1].entries())
        add(index + 1, BUY, price, index + 1);
      for (const [index, price] of [2_000_000_000, MAX_TICK, 1_000_001, 1_048_576].entries())
        add(index + 20, SELL, price, index + 1);
      expect(book.levels(BUY, 9).map(([price]) => price)).toEqual([1_000_000, 1024, 1023, 32, 31, 5, 1]);
      expect(book.levels(SELL, 3).map(([price]) => price)).toEqual([1_000_001, 1_048_576, 2_000_000_000]);
      const seen: number[] = [];
      book.orders((side, price, id, owner, left) => {
        expect(side).toEqual(price > 1_000_000 ? SELL : BUY);
        expect(owner).toBe(0);
        expect(left).toBeGreaterThan(0);
        seen.push(id);
      });
      expect(seen).toEqual([2, 4, 3, 6, 5, 1, 7, 22, 23, 20, 21]);
    });

    test('a book built again from its open orders is the same book [BOOK-011]', () => {
      const { book, add } = fresh();
      add(1, BUY, 100, 5, GTC, 3);
      add(2, SELL, 101, 6, GTC, 4);
      add(3, BUY, 100, 7, GTC, 3);
      add(4, SELL, 100, 2, GTC, 9);
      const rows: (readonly [Side, number, number, number, number])[] = [];
      book.orders((...row) => rows.push(row));
      const again = make(1000);
      for (const [side, price, id, owner, left] of rows.sort((a, b) => a[2] - b[2]))
        expect(again.limit(id, owner, side, price, left, GTC, false, CANCEL_NEWEST)).toBe(RESTED);
      expect([again.hash(), again.events]).toEqual([book.hash(), 0]);
      again.cancel(3);
      expect(again.hash()).not.toBe(book.hash());
    });

    test('a full book refuses, and takes orders again when there is room [BOOK-012]', () => {
      const book = make(20);
      for (let id = 1; id <= 20; id++) expect(book.limit(id, 0, BUY, id, 1, GTC, false, CANCEL_NEWEST)).toBe(RESTED);
      const before = book.hash();
      expect(book.limit(21, 0, BUY, 30, 1, GTC, false, CANCEL_NEWEST)).toBe(NO_ROOM);
      expect(book.hash()).toBe(before);
      book.cancel(3);
      expect(book.limit(22, 0, BUY, 30, 1, GTC, false, CANCEL_NEWEST)).toBe(RESTED);
      expect(book.limit(23, 0, SELL, 1, 40, IOC, false, CANCEL_NEWEST)).toBe(IOC_REST);
      expect([book.size, book.remaining]).toEqual([0, 20]);
    });

    test('a level never holds more lots than can be counted exactly [BOOK-012]', () => {
      const { add } = fresh();
      expect(add(1, SELL, 100, MAX_LOTS)).toBe(RESTED);
      expect(add(2, SELL, 100, 1)).toBe(NO_ROOM);
      expect(add(3, SELL, 101, 1)).toBe(RESTED);
      expect(add(4, BUY, 100, 1)).toBe(FILLED);
      expect(add(5, SELL, 100, 1)).toBe(RESTED);
    });

    test('thousands of orders come and go, and their ids are found [BOOK-009]', () => {
      const book = make(1 << 16);
      for (let id = 1; id <= 5000; id++)
        book.limit(
          id,
          0,
          id % 2 ? BUY : SELL,
          id % 2 ? 1000 - (id % 300) : 1001 + (id % 300),
          id,
          GTC,
          false,
          CANCEL_NEWEST,
        );
      for (let id = 1; id <= 5000; id += 3) expect(book.cancel(id)).toBe(id);
      for (let id = 1; id <= 5000; id++) expect(book.left(id)).toBe(id % 3 === 1 ? 0 : id);
    });
  });
}

interface Handle {
  readonly book: Book;
  add(
    id: number,
    side: Side,
    price: number,
    quantity: number,
    timeInForce?: 0 | 1 | 2,
    owner?: number,
    selfTrade?: SelfTrade,
  ): number;
  market(id: number, side: Side, quantity: number, bound: number, budget?: bigint): number;
  events(): number[][];
}

function handle(book: Book): Handle {
  const log: number[][] = [];
  let next = 0;
  const drain = (): void => {
    next = book.drain(next, (...event) => log.push(event));
  };
  return {
    book,
    add(id, side, price, quantity, timeInForce = GTC, owner = 0, selfTrade = CANCEL_NEWEST) {
      const outcome = book.limit(id, owner, side, price, quantity, timeInForce, false, selfTrade);
      drain();
      return outcome;
    },
    market(id, side, quantity, bound, budget) {
      const outcome = book.market(
        id,
        0,
        side,
        quantity,
        bound,
        false,
        CANCEL_NEWEST,
        ...(budget === undefined ? ([NO_BUDGET, 0] as const) : toLimbs(budget)),
      );
      drain();
      return outcome;
    },
    events: () => log,
  };
}
