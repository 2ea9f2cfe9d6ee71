import { describe, expect, test } from '@jest/globals';
import { coverFor, withoutWorst } from '../src/domain/cover.js';
import { CLOSED_BY, closed, closing, neededHold, STATUS, type Position } from '../src/domain/position.js';
import { settle } from '../src/domain/settlement.js';
import { positionWith } from './positions.js';

/** Units of the quote in 1 USDT, and ticks of a price in 1 USDT. */
const [USDT, TICKS] = [10n ** 8n, 100n];
/** Hands of 0.01 BTC at 60,000 with a margin of a hundredth. */
const HAND_LOTS = 10_000n;
const hands = (id: string, direction: Position['direction'], number: bigint, more: Partial<Position> = {}): Position =>
  positionWith({
    id,
    direction,
    lots: HAND_LOTS * number,
    caution: (60_000n * number * USDT) / 10_000n,
    originCaution: (60_000n * number * USDT) / 10_000n,
    ...more,
  });
const at = (price: bigint, ...more: readonly (readonly [number, bigint])[]): ReadonlyMap<number, bigint> =>
  new Map([[1, price * TICKS], ...more]);
const idsOf = (positions: readonly Position[] | null): readonly string[] | null =>
  positions?.map(({ id }) => id) ?? null;

describe('the two attacks on the fund end where they began [LEVER-080] [HARD-401]', () => {
  test.each([
    [1_000n, 60n, 63_000n],
    [17_000n, 1_000n, 90_000n],
  ])('with %d USDT and a pair of %d hands a side the price goes to %d', (start, number, price) => {
    const [long, short] = [hands('1', 'long', number), hands('2', 'short', number)];
    const balance = start * USDT - long.caution - short.caution;
    const standing = [long, short];
    const cover = coverFor([short], standing, at(price), balance);
    expect(idsOf(cover)).toEqual(['1']);
    const { settled, balance: after } = settle([short, ...cover!], at(price), balance, standing);
    expect(settled.map(({ shortfall }) => shortfall)).toEqual([0n, 0n]);
    expect(after).toBe(start * USDT);
  });
});

describe('which positions must close with one that loses more than is there [LEVER-081]', () => {
  const loser = hands('1', 'short', 10n);
  // At 61,000 the loser loses 100, and its margin is 60.
  const price = at(61_000n, [2, 61_000n * TICKS], [3, 61_000n * TICKS]);

  test('none where balance and margin cover the loss, or nothing else is open', () => {
    const other = hands('2', 'long', 10n);
    expect(coverFor([loser], [loser, other], price, 40n * USDT)).toEqual([]);
    expect(coverFor([loser], [loser], price, 0n)).toEqual([]);
    expect(coverFor([loser], [loser, { ...other, status: STATUS.pending }], price, 0n)).toEqual([]);
  });

  test('one unit less than the loss needs cover', () => {
    const other = hands('2', 'long', 10n);
    expect(idsOf(coverFor([loser], [loser, other], price, 40n * USDT - 1n))).toEqual(['2']);
  });

  test('the largest profit comes first, equal ones by their ids, and no more than cover the loss', () => {
    const [small, one, two] = [hands('2', 'long', 1n), hands('3', 'long', 2n), hands('4', 'long', 2n)];
    const standing = [small, two, one, loser];
    // Each of the two brings 32, the small one 16.
    expect(idsOf(coverFor([loser], standing, price, 10n * USDT))).toEqual(['3']);
    expect(idsOf(coverFor([loser], standing, price, 0n))).toEqual(['3', '4']);
  });

  test('what brings nothing is left open while others cover the loss', () => {
    const worse = hands('2', 'short', 10n);
    const better = hands('3', 'long', 10n);
    expect(idsOf(coverFor([loser], [loser, worse, better], price, 0n))).toEqual(['3']);
  });

  test('all others where even all do not cover it', () => {
    const [worse, better] = [hands('2', 'short', 10n), hands('3', 'long', 1n)];
    expect(idsOf(coverFor([loser], [loser, worse, better], price, 0n))).toEqual(['3', '2']);
  });

  test('what the balance owes for nights covers nothing', () => {
    const other = hands('2', 'long', 10n, { nightRest: USDT });
    expect(idsOf(coverFor([loser], [loser, other], price, 40n * USDT))).toEqual(['2']);
    expect(coverFor([loser], [loser, other], price, 41n * USDT)).toEqual([]);
  });

  test('fresh prices come first: a stale one matters only where they do not suffice', () => {
    const [fresh, stale] = [hands('2', 'long', 10n, { pairId: 2 }), hands('3', 'long', 90n, { pairId: 9 })];
    expect(idsOf(coverFor([loser], [loser, fresh, stale], price, 0n))).toEqual(['2']);
    const tooSmall = hands('2', 'long', 1n, { pairId: 2 });
    expect(coverFor([loser], [loser, tooSmall, stale], price, 0n)).toBeNull();
    expect(coverFor([loser], [loser, stale], price, 0n)).toBeNull();
  });

  test('a position that closes must have a price', () => {
    expect(() => coverFor([{ ...loser, pairId: 9 }], [loser], price, 0n)).toThrow('without a price');
  });

  test('of several that close the one that adds least is left out first', () => {
    const [bad, good] = [hands('1', 'short', 10n), hands('2', 'long', 1n)];
    expect(idsOf(withoutWorst([bad, good], price))).toEqual(['2']);
    expect(withoutWorst([bad], price)).toEqual([]);
  });
});

describe('what the ledger holds for a position [LEVER-082] [HARD-402]', () => {
  const decision = { by: CLOSED_BY.user, mark: 1n, profits: -5n, shortfall: 5n, rest: 0n, settlement: 's', nights: 7n };

  test('its margin, and the fee while it waits', () => {
    const position = positionWith({ caution: 100n, fee: 3n });
    expect(neededHold({ ...position, status: STATUS.pending })).toBe(103n);
    expect(neededHold(position)).toBe(100n);
  });

  test('while its close is not booked margin and nights of that close stay held, then nothing is', () => {
    const after = closing(positionWith({ caution: 100n, fee: 3n }), 1, decision);
    expect(neededHold(after)).toBe(107n);
    expect(neededHold(closed(after))).toBe(0n);
    expect(closed(after).settlingHold).toBe(0n);
  });
});
