import { describe, expect, test } from '@jest/globals';
import { coverFor, withoutWorst } from '../src/domain/cover.js';
import { CLOSED_BY, closed, closing, neededHold, STATUS, type Position } from '../src/domain/position.js';
import { settle } from '../src/domain/settlement.js';
import { positionWith } from './positions.js';

/** Units of the quote in 1 USDT, and ticks of a price in 1 USDT. */
const [USDT, TICKS] = [10n ** 8n, 100n];
/** Contracts of 0.01 BTC at 60,000 with a margin of a hundredth. */
const HAND_LOTS = 10_000n;
const contracts = (
  id: string,
  direction: Position['direction'],
  number: bigint,
  more: Partial<Position> = {},
): Position =>
  positionWith({
    id,
    direction,
    lots: HAND_LOTS * number,
    margin: (60_000n * number * USDT) / 10_000n,
    initialMargin: (60_000n * number * USDT) / 10_000n,
    ...more,
  });
const at = (price: bigint, ...more: readonly (readonly [number, bigint])[]): ReadonlyMap<number, bigint> =>
  new Map([[1, price * TICKS], ...more]);
const idsOf = (positions: readonly Position[] | null): readonly string[] | null =>
  positions?.map(({ id }) => id) ?? null;

describe('the two attacks on the fund gain nothing [LEVER-080] [HARD-401]', () => {
  test.each([
    [1_000n, 60n, 63_000n],
    [17_000n, 1_000n, 90_000n],
  ])('with %d USDT and a pair of %d contracts a side the price goes to %d', (start, number, price) => {
    const [long, short] = [contracts('1', 'long', number), contracts('2', 'short', number)];
    const balance = start * USDT - long.margin - short.margin;
    const accountPositions = [long, short];
    const cover = coverFor([short], accountPositions, at(price), balance);
    expect(idsOf(cover)).toEqual(['1']);
    const { settled, balance: after } = settle([short, ...cover!], at(price), balance, accountPositions);
    expect(settled.map(({ shortfall }) => shortfall)).toEqual([0n, 0n]);
    expect(after).toBe(start * USDT);
  });
});

describe('the cover of a loss that exceeds balance and margin [LEVER-081]', () => {
  const loser = contracts('1', 'short', 10n);
  // At 61,000 the loser loses 100, and its margin is 60.
  const price = at(61_000n, [2, 61_000n * TICKS], [3, 61_000n * TICKS]);

  test('is empty if balance and margin cover the loss, or no other position is open', () => {
    const other = contracts('2', 'long', 10n);
    expect(coverFor([loser], [loser, other], price, 40n * USDT)).toEqual([]);
    expect(coverFor([loser], [loser], price, 0n)).toEqual([]);
    expect(coverFor([loser], [loser, { ...other, status: STATUS.pending }], price, 0n)).toEqual([]);
  });

  test('is needed if the balance is one unit short', () => {
    const other = contracts('2', 'long', 10n);
    expect(idsOf(coverFor([loser], [loser, other], price, 40n * USDT - 1n))).toEqual(['2']);
  });

  test('takes the largest profit first, equal ones by id, and stops once the loss is covered', () => {
    const [small, one, two] = [contracts('2', 'long', 1n), contracts('3', 'long', 2n), contracts('4', 'long', 2n)];
    const accountPositions = [small, two, one, loser];
    // Each of the two brings 32, the small one 16.
    expect(idsOf(coverFor([loser], accountPositions, price, 10n * USDT))).toEqual(['3']);
    expect(idsOf(coverFor([loser], accountPositions, price, 0n))).toEqual(['3', '4']);
  });

  test('leaves positions without proceeds open while others cover the loss', () => {
    const worse = contracts('2', 'short', 10n);
    const better = contracts('3', 'long', 10n);
    expect(idsOf(coverFor([loser], [loser, worse, better], price, 0n))).toEqual(['3']);
  });

  test('is all other positions if even all do not cover the loss', () => {
    const [worse, better] = [contracts('2', 'short', 10n), contracts('3', 'long', 1n)];
    expect(idsOf(coverFor([loser], [loser, worse, better], price, 0n))).toEqual(['3', '2']);
  });

  test('does not count unpaid overnight fees', () => {
    const other = contracts('2', 'long', 10n, { unpaidOvernightFee: USDT });
    expect(idsOf(coverFor([loser], [loser, other], price, 40n * USDT))).toEqual(['2']);
    expect(coverFor([loser], [loser, other], price, 41n * USDT)).toEqual([]);
  });

  test('uses fresh prices first and needs a stale one only if they do not suffice', () => {
    const [fresh, stale] = [contracts('2', 'long', 10n, { pairId: 2 }), contracts('3', 'long', 90n, { pairId: 9 })];
    expect(idsOf(coverFor([loser], [loser, fresh, stale], price, 0n))).toEqual(['2']);
    const tooSmall = contracts('2', 'long', 1n, { pairId: 2 });
    expect(coverFor([loser], [loser, tooSmall, stale], price, 0n)).toBeNull();
    expect(coverFor([loser], [loser, stale], price, 0n)).toBeNull();
  });

  test('throws if a closing position has no price', () => {
    expect(() => coverFor([{ ...loser, pairId: 9 }], [loser], price, 0n)).toThrow('has no price to close at');
  });

  test('withoutWorst leaves out the position that adds least', () => {
    const [bad, good] = [contracts('1', 'short', 10n), contracts('2', 'long', 1n)];
    expect(idsOf(withoutWorst([bad, good], price))).toEqual(['2']);
    expect(withoutWorst([bad], price)).toEqual([]);
  });
});

describe('the hold that a position needs [LEVER-082] [HARD-402]', () => {
  const decision = {
    by: CLOSED_BY.user,
    mark: 1n,
    profits: -5n,
    shortfall: 5n,
    overnightFee: 0n,
    settlement: 's',
    overnightFromMargin: 7n,
  };

  test('is its margin, and while it is pending its fee too', () => {
    const position = positionWith({ margin: 100n, fee: 3n });
    expect(neededHold({ ...position, status: STATUS.pending })).toBe(103n);
    expect(neededHold(position)).toBe(100n);
  });

  test('is margin and overnight fees of the close until that is booked, then 0', () => {
    const after = closing(positionWith({ margin: 100n, fee: 3n }), 1, decision);
    expect(neededHold(after)).toBe(107n);
    expect(neededHold(closed(after))).toBe(0n);
    expect(closed(after).settlingHold).toBe(0n);
  });
});
