import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { formatUnits } from '@bourse/money';
import {
  bookAccount,
  writeWholeLedger,
  type BookedBalance,
  type BookedRow,
} from '../../src/ledger/application/accounting/whole-ledger.js';
import type { Commodity } from '../../src/ledger/application/currencies.js';
import { JournalChain } from '../../src/ledger/application/writer/entries.js';
import { joinPieces, readBook } from './books.js';
import type { Entry } from '../../src/ledger/domain/journal.js';

const CURRENCIES: readonly Commodity[] = [
  { name: 'USDT', scale: 8 },
  { name: 'PTS', scale: 0 },
  { name: 'b2', scale: 18 },
];
const commodityOf = (id: number): Commodity => CURRENCIES[id] as Commodity;
const SYMBOLS = ['USDT', 'PTS', 'CURRENCY-2'];

const leg = fc.record({
  from: fc.integer({ min: -3, max: 4 }),
  to: fc.integer({ min: -3, max: 4 }),
  account: fc.constantFrom('change', 'legal', 'lever'),
  isHeld: fc.boolean(),
  currency: fc.integer({ min: 0, max: 2 }),
  units: fc.bigInt({ min: 1n, max: 10n ** 27n }),
});
type DrawnLeg = typeof leg extends fc.Arbitrary<infer T> ? T : never;

/** Journals of drawn legs as the writer packs them, with the balances after them. */
function ledgerOf(journals: readonly (readonly DrawnLeg[])[]): { rows: BookedRow[]; balances: BookedBalance[] } {
  const chain = new JournalChain(0, { number: 0, hash: '' }, (currency) => commodityOf(currency).scale);
  const balances = new Map<string, { -readonly [K in keyof BookedBalance]: BookedBalance[K] }>();
  const move = (owner: number, account: string, currency: number, isHeld: boolean, amount: bigint): Entry => {
    const key = `${owner} ${account} ${currency}`;
    const balance = balances.get(key) ?? { owner, account, currency, available: 0n, held: 0n };
    balances.set(key, balance);
    if (isHeld) balance.held += amount;
    else balance.available += amount;
    const after = isHeld ? balance.held : balance.available;
    return { owner, account, currency, hold: isHeld ? 'order:1' : null, amount, after, sequence: 1, fee: false };
  };
  const rows = journals.flatMap((legs, at) => {
    const entries = legs.flatMap(({ from, to, account, isHeld, currency, units }) => [
      move(from, from < 0 ? 'h.capital' : account, currency, isHeld, -units),
      move(to, to < 0 ? 'h.capital' : account, currency, false, units),
    ]);
    return chain.append({ id: `order:${at}`, causeType: 'order', causeId: String(at) }, entries, at * 40_000_000);
  });
  return { rows, balances: [...balances.values()] };
}

test('re-read, postings add up to negated balances, and each is asserted [EXPORT-005]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(leg, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      fc.constantFrom('beancount' as const, 'hledger' as const),
      fc.integer({ min: 1, max: 5 }),
      async (journals, format, piece) => {
        const { rows, balances } = ledgerOf(journals);
        const pieces = Array.from({ length: Math.ceil(rows.length / piece) }, (_, at) =>
          rows.slice(at * piece, (at + 1) * piece),
        );
        const book = readBook(await joinPieces(writeWholeLedger(format, commodityOf, pieces, () => [balances])));
        const expected = new Map(
          balances.flatMap(({ owner, account, currency, available, held }) =>
            [['a', available] as const, ['h', held] as const].map(([state, units]) => [
              `${bookAccount(owner, account, state)} ${SYMBOLS[currency]}`,
              formatUnits(-units, commodityOf(currency).scale)
                .replace(/(\.\d*?)0+$/, '$1')
                .replace(/\.$/, ''),
            ]),
          ),
        );
        expect(book.transactions).toBe(journals.length);
        expect(book.asserted).toEqual(expected);
        for (const [key, sum] of book.sums) expect([key, sum]).toEqual([key, expected.get(key)]);
        const total = [...book.sums].filter(([, sum]) => sum !== '0').length;
        expect(total).toBe([...expected.values()].filter((sum) => sum !== '0').length);
      },
    ),
  );
});
