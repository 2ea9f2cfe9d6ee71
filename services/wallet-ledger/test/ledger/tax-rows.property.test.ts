import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import { TAX_FORMATS, TaxExport, type TaxFormat } from '../../src/ledger/application/accounting/tax-rows.js';
import type { Commodity } from '../../src/ledger/application/currencies.js';
import type { LogRow } from '../../src/ledger/application/ports.js';

const COINS: ReadonlyMap<number, Commodity> = new Map([
  [1, { name: 'BTC', scale: 8 }],
  [2, { name: 'ETH', scale: 18 }],
  [3, { name: 'USDT', scale: 6 }],
  [INTERNAL_CURRENCIES.PTS.id, { name: 'PTS', scale: 8 }],
]);
const commodityOf = (id: number): Commodity => COINS.get(id) as Commodity;
const AT = Date.UTC(2026, 2, 1, 12, 30, 5);

interface Line {
  readonly currency: number;
  readonly units: bigint;
  readonly fee?: boolean;
  readonly held?: boolean;
}
function linesOf(number: number, causeType: string, causeId: string, lines: readonly Line[]): LogRow[] {
  return lines.map(({ currency, units, fee = false, held = false }, place) => ({
    partition: 0,
    number,
    place,
    journalId: `${causeType}:${causeId}:end`,
    causeType,
    causeId,
    at: AT,
    account: 'change',
    currency,
    state: held ? 'held' : 'available',
    amount: formatUnits(units, commodityOf(currency).scale),
    after: '0',
    fee,
  }));
}
const fileOf = (format: TaxFormat, pieces: readonly (readonly LogRow[])[]): string[][] => {
  const taxes = new TaxExport(format, commodityOf, ({ causeType }) => `about ${causeType}`);
  const text = [taxes.head(), ...pieces.map((rows) => taxes.lines(rows))].join('');
  const fields = (row: string): string[] =>
    [...row.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return text.split('\n').flatMap((row) => (row ? [fields(row)] : []));
};

/** What a program that has imported the rows counts for each coin. */
function countedOf(format: TaxFormat, [head = [], ...rows]: string[][]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const signs = format === 'koinly' ? { Received: 1n, Sent: -1n, Fee: -1n } : { Buy: 1n, Sell: -1n };
  for (const row of rows)
    for (const [name, sign] of Object.entries(signs)) {
      const amount = head.findIndex((column) => column === `${name} Amount`);
      const [text = '', coin = ''] = row.slice(amount, amount + 2);
      if (text === '') continue;
      expect(text).toMatch(/^\d+\.\d+$/);
      sums.set(coin, (sums.get(coin) ?? 0n) + sign * toUnits(text, 18));
    }
  return new Map([...sums].filter(([, units]) => units !== 0n));
}

const drawn = fc.array(
  fc.record({
    causeType: fc.constantFrom(
      'trade',
      'deposit',
      'withdrawal',
      'lever',
      'micro',
      'savings',
      'rebate',
      'shop',
      'other',
    ),
    lines: fc.array(
      fc.record({
        currency: fc.constantFrom(...COINS.keys()),
        units: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
        fee: fc.boolean(),
        held: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
  { maxLength: 10 },
);

test.each(TAX_FORMATS)('rows of %s sum to the change of the balances, coin by coin [EXPORT-010]', (format) => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 0, max: 10 }), (journals, cut) => {
      const pieces = journals.map(({ causeType, lines }, at) => linesOf(at, causeType, String(at), lines));
      const changes = new Map<string, bigint>();
      for (const { currency, amount } of pieces.flat()) {
        const { name } = commodityOf(currency);
        if (name !== 'PTS') changes.set(name, (changes.get(name) ?? 0n) + toUnits(amount, 18));
      }
      const file = fileOf(format, [pieces.slice(0, cut).flat(), pieces.slice(cut).flat()]);
      expect(countedOf(format, file)).toEqual(new Map([...changes].filter(([, units]) => units !== 0n)));
    }),
  );
});

describe('rows by cause [EXPORT-011]', () => {
  const [btc, usdt] = [(units: bigint) => units * 10n ** 8n, (units: bigint) => units * 10n ** 6n];
  const journals = [
    linesOf(1, 'order', '5', [
      { currency: 3, units: -usdt(101n) },
      { currency: 3, units: usdt(101n), held: true },
    ]),
    linesOf(2, 'trade', 'BTC/USDT-7', [
      { currency: 3, units: -usdt(101n), held: true },
      { currency: 1, units: btc(2n) },
      { currency: 1, units: -2_000n, fee: true },
      { currency: 3, units: usdt(1n) },
    ]),
    linesOf(3, 'withdrawal', '8', [
      { currency: 1, units: -btc(1n), held: true },
      { currency: 1, units: -10n, held: true, fee: true },
    ]),
    linesOf(4, 'lever', '9', [{ currency: 3, units: -usdt(4n) }]),
    linesOf(5, 'lever', '9', [{ currency: 3, units: -1n, fee: true }]),
    linesOf(6, 'savings', '10', [
      { currency: 3, units: -usdt(50n), held: true },
      { currency: 3, units: usdt(51n) },
    ]),
    linesOf(7, 'micro', '11', [{ currency: 3, units: 7n, fee: true }]),
    linesOf(8, 'points_exchange', '12', [
      { currency: INTERNAL_CURRENCIES.PTS.id, units: -100n },
      { currency: 3, units: 500n },
    ]),
  ];
  const NOTHING = ['', ''];

  test('of Koinly have the fee beside the amounts, and its labels', () => {
    const [, ...rows] = fileOf('koinly', journals);
    const time = '2026-03-01 12:30:05 UTC';
    const row = (sent: string[], received: string[], fee: string[], label: string, about: string): string[] => [
      ...[time, ...sent, ...received, ...fee, ...NOTHING, label, about, ''],
    ];
    expect(rows).toEqual([
      row(
        ['100.000000', 'USDT'],
        ['2.00000000', 'BTC'],
        ['0.00002000', 'BTC'],
        '',
        'about trade, BTC/USDT-7, journal 128',
      ),
      row(['1.00000000', 'BTC'], NOTHING, ['0.00000010', 'BTC'], '', 'about withdrawal, 8, journal 192'),
      row(['4.000000', 'USDT'], NOTHING, NOTHING, 'realized gain', 'about lever, 9, journal 256'),
      row(['0.000001', 'USDT'], NOTHING, NOTHING, 'margin fee', 'about lever, 9, journal 320'),
      row(NOTHING, ['1.000000', 'USDT'], NOTHING, 'loan interest', 'about savings, 10, journal 384'),
      row(NOTHING, ['0.000007', 'USDT'], NOTHING, '', 'about micro, 11, journal 448'),
      row(NOTHING, ['0.000500', 'USDT'], NOTHING, 'reward', 'about points_exchange, 12, journal 512'),
    ]);
  });

  test('of CoinTracking have the fee inside of the amounts, and its types', () => {
    const [head, ...rows] = fileOf('cointracking', journals);
    expect(head?.length).toBe(11);
    expect(rows.map((row) => row.slice(0, 7))).toEqual([
      ['Trade', '1.99998000', 'BTC', '100.000000', 'USDT', '0.00002000', 'BTC'],
      ['Withdrawal', '', '', '1.00000010', 'BTC', '0.00000010', 'BTC'],
      ['Margin Loss', '', '', '4.000000', 'USDT', '', ''],
      ['Margin Fee', '', '', '0.000001', 'USDT', '', ''],
      ['Interest Income', '1.000000', 'USDT', '', '', '', ''],
      ['Deposit', '0.000007', 'USDT', '', '', '', ''],
      ['Reward / Bonus', '0.000500', 'USDT', '', '', '', ''],
    ]);
    expect(rows[0]?.slice(7)).toEqual(['Bourse', '', 'about trade, BTC/USDT-7, journal 128', '2026-03-01 12:30:05']);
  });
});
