import { expect, test } from '@jest/globals';
import { ACCOUNT_FACTS } from '@bourse/events';
import { StatementBook } from '../../src/ledger/application/accounting/own-statement.js';
import { PlainTextBook } from '../../src/ledger/application/accounting/plain-text.js';
import { bookAccount, writeWholeLedger, type BookedRow } from '../../src/ledger/application/accounting/whole-ledger.js';
import type { Commodity } from '../../src/ledger/application/currencies.js';
import type { LogRow } from '../../src/ledger/application/ports.js';
import { joinPieces, readBook } from './books.js';

const CURRENCIES: Readonly<Record<number, Commodity>> = {
  1: { name: 'USDT', scale: 2 },
  2: { name: '1INCH "a"', scale: 8 },
  3: { name: 'NULL', scale: 0 },
  4: { name: 'USDT', scale: 2 },
};
const commodityOf = (id: number): Commodity => CURRENCIES[id] ?? { name: 'X', scale: 0 };
const AT = Date.parse('2026-11-27T23:59:59.123Z');

const ROWS: readonly BookedRow[] = [
  {
    partition: 1,
    number: 1,
    part: 0,
    owner: -2,
    id: 'deposit:7',
    causeType: 'deposit',
    causeId: '7',
    entries: '[["h.outside",1,"a","-12.50","-12.50",1,0,null,0]]',
    at: AT,
  },
  {
    partition: 1,
    number: 1,
    part: 1,
    owner: 5,
    id: 'deposit:7',
    causeType: 'deposit',
    causeId: '7',
    entries: '[["change",1,"a","12.50","12.50",1,0,null,1]]',
    at: AT,
  },
];
const whole = (format: 'beancount' | 'hledger', rows: readonly (readonly BookedRow[])[]): Promise<string> =>
  joinPieces(
    writeWholeLedger(format, commodityOf, rows, () => [
      [
        { owner: -2, account: 'h.outside', currency: 1, available: -1250n, held: 0n },
        { owner: 5, account: 'change', currency: 1, available: 1250n, held: 0n },
      ],
    ]),
  );

test('the ledger for beancount has people as liabilities and asserts balances the day after [EXPORT-001]', async () => {
  expect(await whole('beancount', [ROWS])).toBe(
    [
      'option "title" "Ledger of the exchange"',
      '',
      '1970-01-01 commodity USDT',
      '  name: "USDT"',
      '  decimals: 2',
      '1970-01-01 open Assets:House:Outside:1:Available',
      '1970-01-01 open Liabilities:People:5:Change:Available',
      '2026-11-27 * "deposit" "7"',
      '  journal: "65"',
      '  time: "2026-11-27T23:59:59.123Z"',
      '  Assets:House:Outside:1:Available  12.50 USDT',
      '  Liabilities:People:5:Change:Available  -12.50 USDT',
      '',
      '1970-01-01 open Assets:House:Outside:1:Held',
      '1970-01-01 open Liabilities:People:5:Change:Held',
      '2026-11-28 balance Assets:House:Outside:1:Available  12.50 ~ 0 USDT',
      '2026-11-28 balance Assets:House:Outside:1:Held  0.00 ~ 0 USDT',
      '2026-11-28 balance Liabilities:People:5:Change:Available  -12.50 ~ 0 USDT',
      '2026-11-28 balance Liabilities:People:5:Change:Held  0.00 ~ 0 USDT',
      '',
    ].join('\n'),
  );
});

test('the ledger for hledger has the same transactions and balances [EXPORT-001]', async () => {
  const text = await whole('hledger', [ROWS]);
  expect(text).toContain(
    '2026-11-27 * (65) deposit | 7  ; time:2026-11-27T23:59:59.123Z\n' +
      '    Assets:House:Outside:1:Available  12.50 USDT\n' +
      '    Liabilities:People:5:Change:Available  -12.50 USDT\n',
  );
  expect(text).toContain('2026-11-28 * balance\n    Liabilities:People:5:Change:Available  0.00 USDT = -12.50 USDT\n');
  expect(text).toContain('commodity 1000.00 USDT  ; name:USDT\n');
});

test('rows of one journal that come in two pieces are one transaction [EXPORT-001]', async () => {
  for (const format of ['beancount', 'hledger'] as const)
    expect(await whole(format, [ROWS.slice(0, 1), ROWS.slice(1)])).toBe(await whole(format, [ROWS]));
});

test('a name that a format refuses, or that two currencies have, becomes a number [EXPORT-002]', () => {
  const postings = [1, 2, 3, 4].map((currency) => ({ account: 'Assets:A', currency, units: 7n }));
  const transaction = { at: AT, journal: '1', causeType: 'a|b;c', causeId: 'say "x\\"\nnow', postings };
  const beancount = new PlainTextBook('beancount', commodityOf).transaction(transaction);
  expect(beancount).toContain('1970-01-01 commodity CURRENCY-2\n  name: "1INCH \\"a\\""\n  decimals: 8\n');
  expect(beancount).toContain('* "a|b;c" "say \\"x\\\\\\" now"\n');
  expect(beancount.match(/^ {2}Assets.*/gm)).toEqual([
    '  Assets:A  0.07 USDT',
    '  Assets:A  0.00000007 CURRENCY-2',
    '  Assets:A  7 CURRENCY-3',
    '  Assets:A  0.07 CURRENCY-4',
  ]);
  const hledger = new PlainTextBook('hledger', commodityOf).transaction(transaction);
  expect(hledger).toContain('* (1) a/b,c | say "x\\" now  ; time:');
  expect(hledger).toContain('    Assets:A  7 "CURRENCY-3"\n');
});

test('every account of the ledger has an account of its own in the books [EXPORT-003]', () => {
  const names = [...ACCOUNT_FACTS].flatMap(([name, { owner }]) =>
    (['a', 'h'] as const).map((state) => bookAccount(owner === 'house' ? -1 : 1, name, state)),
  );
  expect(new Set(names).size).toBe(2 * ACCOUNT_FACTS.size);
  for (const name of names)
    expect(name).toMatch(/^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[A-Z0-9][A-Za-z0-9-]*)+$/);
  expect(bookAccount(-3, 'h.lever_fund', 'a')).toBe('Equity:House:Lever-Fund:2:Available');
});

const line = (fields: Partial<LogRow>): LogRow => ({
  partition: 0,
  number: 1,
  place: 0,
  journalId: 'trade:1',
  causeType: 'trade',
  causeId: 'BTC/USDT-1',
  at: AT,
  account: 'change',
  currency: 1,
  state: 'available',
  amount: '0',
  after: '0',
  fee: false,
  ...fields,
});
/** A purchase with its fee, and a transfer between two accounts of the person. */
const LINES: readonly LogRow[] = [
  line({ amount: '-10.00', after: '90.00' }),
  line({ currency: 2, amount: '1.00000000', after: '1.00000000' }),
  line({ currency: 2, amount: '-0.00100000', after: '0.99900000', fee: true }),
  line({ number: 2, causeType: 'transfer', causeId: '9', amount: '-5.00', after: '85.00' }),
  line({ number: 2, causeType: 'transfer', causeId: '9', account: 'legal', amount: '5.00', after: '5.00' }),
];

test('a statement opens with earlier balances, has fees as expenses, and ends with balances [EXPORT-004]', () => {
  for (const format of ['beancount', 'hledger'] as const) {
    const book = new StatementBook(format, commodityOf, true);
    const { sums, asserted, transactions } = readBook(book.head() + book.lines(LINES) + book.end());
    expect(transactions).toBe(3);
    expect(Object.fromEntries(sums)).toEqual({
      'Assets:Exchange:Change:Available USDT': '85',
      'Equity:Exchange:Opening-Balances USDT': '-100',
      'Equity:Exchange:Trade USDT': '10',
      'Assets:Exchange:Change:Available CURRENCY-2': '0.999',
      'Equity:Exchange:Trade CURRENCY-2': '-1',
      'Expenses:Exchange:Fees CURRENCY-2': '0.001',
      'Assets:Exchange:Legal:Available USDT': '5',
    });
    expect(Object.fromEntries(asserted)).toEqual({
      'Assets:Exchange:Change:Available USDT': '85',
      'Assets:Exchange:Change:Available CURRENCY-2': '0.999',
      'Assets:Exchange:Legal:Available USDT': '5',
    });
  }
});

test('a statement of one cause has no balances: lines between its own are missing [EXPORT-004]', () => {
  const book = new StatementBook('beancount', commodityOf, false);
  const text = book.lines(LINES.slice(0, 3)) + book.end();
  expect(text).not.toContain('Opening');
  expect(text).not.toContain(' balance ');
  expect(readBook(text).sums.get('Assets:Exchange:Change:Available USDT')).toBe('-10');
});
