import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { available, held, ledgerPartition, parseLegAccount, type Journal, type Leg } from '@bourse/events';
import { splitJournal } from './split-journal.js';

const user = fc.integer({ min: 100_001, max: 100_040 });
const leg: fc.Arbitrary<Leg> = fc
  .record({
    from: user,
    to: fc.option(user, { nil: null }),
    currency: fc.integer({ min: 1, max: 3 }),
    units: fc.nat(9),
  })
  .map(({ from, to, currency, units }) => ({
    from: held(from, 'legal', 'deal:1'),
    to: to === null ? 'h.fees' : available(to, 'legal'),
    currency,
    amount: String(units + 1),
  }));
const journal = (legs: Leg[]): Journal => ({ id: 'deal:1:release', causeType: 'deal', causeId: '1', legs });
/** The gain of each account, by account and currency. */
function gains(legs: readonly Leg[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { from, to, currency, amount } of legs)
    for (const [account, units] of [
      [from, -BigInt(amount as string)],
      [to, BigInt(amount as string)],
    ] as const)
      sums.set(`${account} ${currency}`, (sums.get(`${account} ${currency}`) ?? 0n) + units);
  return new Map([...sums].filter(([, units]) => units !== 0n).sort());
}

describe('a journal between users', () => {
  test('moves the requested amounts, and nothing stays in clearing [SAGA-004]', () => {
    fc.assert(
      fc.property(fc.array(leg, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (legs, partitions) => {
        const parts = splitJournal(journal(legs), partitions);
        expect(gains(parts.flatMap((part) => part.journal.legs))).toEqual(gains(legs));
      }),
    );
  });

  test('books in each partition its own users only, under separate ids [SAGA-004]', () => {
    fc.assert(
      fc.property(fc.array(leg, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (legs, partitions) => {
        const parts = splitJournal(journal(legs), partitions);
        expect(new Set(parts.map((part) => part.journal.id)).size).toBe(parts.length);
        for (const part of parts)
          for (const { from, to } of part.journal.legs)
            for (const { owner } of [parseLegAccount(from), parseLegAccount(to)])
              if (owner !== 'house') expect(ledgerPartition(owner, partitions)).toBe(part.partition);
      }),
    );
  });

  test('that could be refused in one partition and applied in the other is not split [SAGA-004]', () => {
    const people = Array.from({ length: 20 }, (_, index) => 100_001 + index);
    const inPartition = (partition: number): number => people.find((id) => ledgerPartition(id, 2) === partition) ?? 0;
    const from = inPartition(0);
    const to = available(inPartition(1), 'legal');
    const crossing = (text: string, amount: Leg['amount']): Journal =>
      journal([{ from: text, to, currency: 1, amount }]);
    expect(() => splitJournal(crossing(available(from, 'legal'), '1'), 2)).toThrow(RangeError);
    expect(() => splitJournal(crossing(held(from, 'legal', 'deal:1'), 'rest'), 2)).toThrow(RangeError);
    expect(splitJournal(crossing(held(from, 'legal', 'deal:1'), '1'), 2)).toHaveLength(2);
  });
});
