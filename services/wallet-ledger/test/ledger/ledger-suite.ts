import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import type { Units } from '@bourse/money';
import {
  accountKey,
  houseOwner,
  isHouse,
  type AccountState,
  type Amount,
  type Issuer,
  type Journal,
  type Leg,
  type Outcome,
  type Posting,
  type LegAccount,
} from '../../src/ledger/domain/journal.js';
import type { Ledger } from '../../src/ledger/domain/ledger.js';
import { mayGoNegative, type PartitionScope } from '../../src/ledger/domain/rights.js';

export const USDT = 3;
export const BTC = 1;
const LIMIT = 10n ** 28n;

/** Users belong to partitions by their last digit, so that tests can choose a user's partition. */
export const scope = (partition: number, partitions: number): PartitionScope => ({
  partition,
  ownsUser: (user) => user % partitions === partition,
  limitOf: () => LIMIT,
});

export const open = (owner: number, account = 'change'): LegAccount => ({ owner, account, hold: null });
export const held = (owner: number, hold: string, account = 'change'): LegAccount => ({ owner, account, hold });
export const house = (account: string, partition = 0): LegAccount => ({
  owner: houseOwner(partition),
  account,
  hold: null,
});
export const leg = (
  from: LegAccount,
  to: LegAccount,
  amount: bigint | 'rest' | { max: bigint; min: bigint },
  { currency = USDT, fee = false } = {},
): Leg => ({ from, to, currency, amount: amount as Amount, fee });
export const journal = (...legs: Leg[]): Journal => ({ causeType: 'order', causeId: '42', legs });
export const posting = (issuer: Issuer, journals: readonly Journal[], onBehalfOf: number | null = null): Posting => ({
  issuer,
  onBehalfOf,
  journals,
});
export const seed = (
  user: number,
  amount: bigint,
  { account = 'change', currency = USDT, partition = 0 } = {},
): Posting => posting('seed', [journal(leg(house('h.outside', partition), open(user, account), amount, { currency }))]);

export const stateOf = (
  ledger: Ledger,
  owner: number,
  account = 'change',
  currency = USDT,
): Pick<AccountState, 'available' | 'held'> => {
  const key = accountKey(owner, account, currency);
  for (const state of ledger.accounts())
    if (accountKey(state.owner, state.account, state.currency) === key)
      return { available: state.available, held: state.held };
  return { available: 0n, held: 0n };
};
const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.refusal.code);

/** All there is, in an order of its own, without accounts that nothing has touched. */
export const imageOf = (ledger: Ledger): unknown => ({
  accounts: [...ledger.accounts()]
    .filter((state) => state.availableSequence + state.heldSequence > 0)
    .map((state) =>
      [
        state.owner,
        state.account,
        state.currency,
        state.available,
        state.held,
        state.availableSequence,
        state.heldSequence,
      ].join('|'),
    )
    .sort(),
  holds: [...ledger.holds()]
    .map((hold) =>
      [hold.owner, hold.account, hold.currency, hold.hold, hold.remaining, hold.causeType, hold.causeId].join('|'),
    )
    .sort(),
});

/** Whatever was posted: I1, I2, I3 of the invariants. */
export function expectSound(ledger: Ledger): void {
  const sums = new Map<number, bigint>();
  const heldSums = new Map<string, bigint>();
  for (const state of ledger.accounts()) {
    sums.set(state.currency, (sums.get(state.currency) ?? 0n) + state.available + state.held);
    heldSums.set(accountKey(state.owner, state.account, state.currency), state.held);
    expect(state.held >= 0n).toBe(true);
    expect(mayGoNegative(state.account, state.currency) || state.available >= 0n).toBe(true);
  }
  for (const sum of sums.values()) expect(sum).toBe(0n);
  for (const { owner, account, currency, remaining } of ledger.holds()) {
    expect(remaining > 0n).toBe(true);
    const key = accountKey(owner, account, currency);
    heldSums.set(key, (heldSums.get(key) ?? 0n) - remaining);
  }
  for (const left of heldSums.values()) expect(left).toBe(0n);
}

/** Amounts small against the balances as well as far above them. */
const amounts = (): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt({ min: 1n, max: 100n }), fc.bigInt({ min: 1n, max: 3_000n }), fc.constantFrom(0n, -1n, LIMIT));

/** Postings of all kinds between a few users of a partition and the house, sensible and not. */
export function postings(partition: number, partitions: number): fc.Arbitrary<Posting> {
  const users = [0, 1, 2].map((n) => 300 + n * partitions + partition);
  const user = fc.constantFrom(...users);
  const hold = fc.constantFrom('order:1', 'order:2', 'order:3');
  const account = fc.constantFrom('change', 'legal', 'micro');
  const anyAccount = fc.oneof(
    { weight: 4, arbitrary: fc.record({ owner: user, account, hold: fc.constant(null) }) },
    { weight: 3, arbitrary: fc.record({ owner: user, account: fc.constant('change'), hold }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(house('h.fees', partition), house('h.clearing', partition), open(users[0]! + 1)),
    },
  );
  const amount: fc.Arbitrary<Amount> = fc.oneof(
    { weight: 6, arbitrary: amounts() as fc.Arbitrary<Units> },
    { weight: 1, arbitrary: fc.constant('rest' as const) },
    {
      weight: 1,
      arbitrary: fc.record({
        max: fc.bigInt({ min: 50n, max: 2_000n }),
        min: fc.bigInt({ min: 0n, max: 500n }),
      }) as fc.Arbitrary<{ max: Units; min: Units }>,
    },
  );
  const anyLeg = fc.record({
    from: anyAccount,
    to: anyAccount,
    currency: fc.constantFrom(USDT, BTC),
    amount,
    fee: fc.boolean(),
  });
  const anyJournal = fc.record({
    causeType: fc.constantFrom('order', 'trade', 'transfer'),
    causeId: fc.constantFrom('1', '2', '3'),
    legs: fc.array(anyLeg, { minLength: 1, maxLength: 4 }),
  });
  const wild = fc.record({
    issuer: fc.constantFrom<Issuer>('spot-matching', 'wallet-ledger', 'auth'),
    onBehalfOf: fc.oneof(fc.constant(null), user),
    journals: fc.array(anyJournal, { minLength: 1, maxLength: 2 }),
  });
  const seeding = fc
    .tuple(user, account, fc.bigInt({ min: 1n, max: 2_000n }), fc.constantFrom(USDT, BTC))
    .map(([to, name, units, currency]) => seed(to, units, { account: name, currency, partition }));
  const holding = fc
    .tuple(user, hold, fc.bigInt({ min: 1n, max: 900n }), fc.constantFrom(USDT, BTC))
    .map(([of, name, units, currency]) =>
      posting('spot-matching', [journal(leg(open(of), held(of, name), units, { currency }))], of),
    );
  const settling = fc
    .tuple(user, user, hold, fc.bigInt({ min: 1n, max: 300n }), fc.constantFrom(USDT, BTC))
    .map(([of, to, name, units, currency]) =>
      posting('spot-matching', [
        journal(
          leg(held(of, name), open(to), units, { currency }),
          leg(held(of, name), house('h.fees', partition), 1n, { currency, fee: true }),
        ),
        journal(leg(held(of, name), open(of), 'rest', { currency })),
      ]),
    );
  return fc.oneof(
    { weight: 3, arbitrary: seeding },
    { weight: 3, arbitrary: holding },
    { weight: 2, arbitrary: settling },
    { weight: 4, arbitrary: wild },
  );
}

/** The rules of the ledger; both implementations keep all of them. */
export function ledgerSuite(name: string, create: (scope: PartitionScope) => Ledger): void {
  describe(`${name}: rules`, () => {
    const funded = (): Ledger => {
      const ledger = create(scope(0, 1));
      expect(ledger.post(seed(300, 1_000n)).ok).toBe(true);
      return ledger;
    };

    test('a journal moves money between accounts and returns each line with the balance after it [LEDGER-001]', () => {
      const ledger = funded();
      const outcome = ledger.post(posting('wallet-ledger', [journal(leg(open(300), open(300, 'legal'), 400n))], 300));
      expect(outcome).toEqual({
        ok: true,
        held: null,
        entries: [
          [
            {
              owner: 300,
              account: 'change',
              currency: USDT,
              hold: null,
              amount: -400n,
              after: 600n,
              sequence: 2,
              fee: false,
            },
            {
              owner: 300,
              account: 'legal',
              currency: USDT,
              hold: null,
              amount: 400n,
              after: 400n,
              sequence: 1,
              fee: false,
            },
          ],
        ],
      });
      expectSound(ledger);
    });

    test('a user account never goes below zero; the outside may [LEDGER-002]', () => {
      const ledger = funded();
      const toLegal = (amount: bigint): Posting =>
        posting('wallet-ledger', [journal(leg(open(300), open(300, 'legal'), amount))], 300);
      expect(codeOf(ledger.post(toLegal(1_001n)))).toBe('balance_insufficient');
      expect(stateOf(ledger, houseOwner(0), 'h.outside')).toEqual({ available: -1_000n, held: 0n });
      expect(codeOf(ledger.post(toLegal(1_000n)))).toBe('ok');
    });

    test('one leg that cannot apply keeps all others of the command from applying [LEDGER-003]', () => {
      const ledger = funded();
      const before = imageOf(ledger);
      const legs = [leg(open(300), open(300, 'legal'), 600n), leg(open(300), open(300, 'micro'), 600n)];
      expect(codeOf(ledger.post(posting('wallet-ledger', [journal(...legs)], 300)))).toBe('balance_insufficient');
      expect(
        codeOf(
          ledger.post(
            posting(
              'wallet-ledger',
              legs.map((one) => journal(one)),
              300,
            ),
          ),
        ),
      ).toBe('balance_insufficient');
      expect(imageOf(ledger)).toEqual(before);
    });

    test('a hold is used in parts and never beyond the remainder [LEDGER-004]', () => {
      const ledger = funded();
      expect(
        ledger.post(posting('spot-matching', [journal(leg(open(300), held(300, 'order:42'), 500n))], 300)),
      ).toMatchObject({ ok: true, held: { currency: USDT, amount: 500n } });
      expect(stateOf(ledger, 300)).toEqual({ available: 500n, held: 500n });
      expect([...ledger.holds()]).toMatchObject([
        {
          owner: 300,
          account: 'change',
          currency: USDT,
          hold: 'order:42',
          remaining: 500n,
          causeType: 'order',
          causeId: '42',
        },
      ]);
      expect(
        codeOf(ledger.post(posting('spot-matching', [journal(leg(held(300, 'order:42'), open(301), 300n))]))),
      ).toBe('ok');
      expect(
        codeOf(ledger.post(posting('spot-matching', [journal(leg(held(300, 'order:42'), open(301), 201n))]))),
      ).toBe('hold_exceeded');
      expect(codeOf(ledger.post(posting('spot-matching', [journal(leg(held(300, 'order:7'), open(301), 1n))])))).toBe(
        'hold_exceeded',
      );
      expect(
        codeOf(ledger.post(posting('spot-matching', [journal(leg(held(300, 'order:42'), open(300), 'rest'))]))),
      ).toBe('ok');
      expect([stateOf(ledger, 300), stateOf(ledger, 301), [...ledger.holds()]]).toEqual([
        { available: 700n, held: 0n },
        { available: 300n, held: 0n },
        [],
      ]);
      expectSound(ledger);
    });

    test('the rest of a used-up hold is nothing, and makes no line [LEDGER-004]', () => {
      const ledger = funded();
      expect(ledger.post(posting('spot-matching', [journal(leg(held(300, 'order:1'), open(300), 'rest'))]))).toEqual({
        ok: true,
        entries: [[]],
        held: null,
      });
    });

    test('a hold of at most R and at least W takes the available amount between them [LEDGER-005]', () => {
      const holdOf = (name: string, max: bigint, min: bigint): Posting =>
        posting('spot-matching', [journal(leg(open(300), held(300, name), { max, min }))], 300);
      const ledger = funded();
      expect(codeOf(ledger.post(holdOf('order:1', 2_000n, 1_001n)))).toBe('balance_insufficient');
      expect(ledger.post(holdOf('order:1', 600n, 500n))).toMatchObject({ ok: true, held: { amount: 600n } });
      expect(ledger.post(holdOf('order:2', 600n, 400n))).toMatchObject({ ok: true, held: { amount: 400n } });
      expect(stateOf(ledger, 300)).toEqual({ available: 0n, held: 1_000n });
      // With no least amount it holds what there is, and nothing of nothing.
      expect(ledger.post(holdOf('order:3', 600n, 0n))).toMatchObject({ ok: true, held: null });
      expect(codeOf(ledger.post(holdOf('order:4', 0n, 0n)))).toBe('amount_invalid');
    });

    test('an issuer debits its own products only, and a call of a user only that user [LEDGER-006]', () => {
      const ledger = funded();
      const move = (issuer: Issuer, from: LegAccount, onBehalfOf: number | null = null): string =>
        codeOf(ledger.post(posting(issuer, [journal(leg(from, open(300, 'legal'), 1n))], onBehalfOf)));
      expect(move('auth', open(300))).toBe('debit_not_allowed');
      expect(move('spot-matching', open(300, 'legal'))).toBe('debit_not_allowed');
      expect(move('spot-matching', open(300), 300)).toBe('debit_not_allowed');
      expect(move('wallet-ledger', house('h.outside'))).toBe('debit_not_allowed');
      expect(move('wallet-ledger', house('h.capital'))).toBe('debit_not_allowed');
      expect(move('wallet-ledger', open(300), 301)).toBe('account_not_owned');
      expect(move('wallet-ledger', open(300))).toBe('account_not_owned');
      expect(move('wallet-ledger', open(300), 300)).toBe('ok');
    });

    test('legs without context and amounts that are none are refused [LEDGER-007]', () => {
      const ledger = funded();
      const code = (one: Leg): string => codeOf(ledger.post(posting('wallet-ledger', [journal(one)], 300)));
      const legal = open(300, 'legal');
      expect(code(leg(open(300), legal, 0n))).toBe('amount_invalid');
      expect(code(leg(open(300), legal, -5n))).toBe('amount_invalid');
      expect(code(leg(open(300), open(300), 5n))).toBe('leg_invalid');
      expect(code(leg(open(300), legal, 'rest'))).toBe('leg_invalid');
      expect(code(leg(held(300, 'withdrawal:1'), open(300), { max: 2n, min: 1n }))).toBe('leg_invalid');
      expect(code(leg(open(300), legal, { max: 1n, min: 2n }))).toBe('amount_invalid');
      expect(codeOf(ledger.post(seed(300, LIMIT)))).toBe('balance_too_large');
    });

    test('a journal stays in its partition, and each partition has its part of a house account [LEDGER-008]', () => {
      const ledger = create(scope(1, 3));
      expect(codeOf(ledger.post(seed(301, 10n, { partition: 1 })))).toBe('ok');
      expect(codeOf(ledger.post(seed(302, 10n, { partition: 1 })))).toBe('foreign_partition');
      expect(codeOf(ledger.post(seed(301, 10n, { partition: 0 })))).toBe('foreign_partition');
      expect(codeOf(ledger.post(posting('spot-matching', [journal(leg(held(301, 'order:1'), open(300), 1n))])))).toBe(
        'foreign_partition',
      );
    });
  });

  describe.each([1, 3])(`${name}: whatever is posted, with %i partitions`, (partitions) => {
    test('money is conserved, nothing is overdrawn, and held is the sum of the holds [LEDGER-009]', () => {
      fc.assert(
        fc.property(fc.array(postings(partitions - 1, partitions), { maxLength: 40 }), (list) => {
          const ledger = create(scope(partitions - 1, partitions));
          for (const one of list) ledger.post(one);
          expectSound(ledger);
        }),
      );
    });

    test('a refusal changes nothing, and an applied posting sums to zero [LEDGER-010]', () => {
      let refused = 0;
      let applied = 0;
      fc.assert(
        fc.property(fc.array(postings(partitions - 1, partitions), { maxLength: 25 }), (list) => {
          const ledger = create(scope(partitions - 1, partitions));
          for (const one of list) {
            const before = imageOf(ledger);
            const outcome = ledger.post(one);
            if (!outcome.ok) {
              refused += 1;
              expect(imageOf(ledger)).toEqual(before);
              continue;
            }
            applied += 1;
            for (const entries of outcome.entries) {
              for (const currency of [USDT, BTC])
                expect(
                  entries.filter((entry) => entry.currency === currency).reduce((sum, entry) => sum + entry.amount, 0n),
                ).toBe(0n);
            }
          }
        }),
      );
      expect(refused).toBeGreaterThan(50);
      expect(applied).toBeGreaterThan(50);
    });

    test('lines of an account have no gaps, each from the balance the one before left [LEDGER-011]', () => {
      fc.assert(
        fc.property(fc.array(postings(partitions - 1, partitions), { maxLength: 40 }), (list) => {
          const ledger = create(scope(partitions - 1, partitions));
          const last = new Map<string, { sequence: number; after: bigint }>();
          for (const one of list) {
            const outcome = ledger.post(one);
            if (!outcome.ok) continue;
            for (const entry of outcome.entries.flat()) {
              const key = `${accountKey(entry.owner, entry.account, entry.currency)}${entry.hold === null ? '' : '*'}`;
              const before = last.get(key) ?? { sequence: 0, after: 0n };
              expect(entry.sequence).toBe(before.sequence + 1);
              expect(entry.after).toBe(before.after + entry.amount);
              expect(entry.after >= 0n || (isHouse(entry.owner) && mayGoNegative(entry.account, entry.currency))).toBe(
                true,
              );
              last.set(key, entry);
            }
          }
        }),
      );
    });
  });
}
