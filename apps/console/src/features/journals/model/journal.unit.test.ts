import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatUnits } from '@bourse/money';
import type { Leg } from '../../../core/journal.js';
import { byCurrency, legsText, peopleIn } from './journal.js';

const leg = (owner: string, amount: string, currency = 'USDT'): Leg => ({
  owner,
  account: owner === 'house' ? 'h.fees' : 'change',
  state: 'available',
  currency,
  amount,
});
/** Legs of transfers from one to another: what a journal is made of. */
const transfers = fc
  .array(
    fc.record({
      currency: fc.constantFrom('USDT', 'BTC', 'JPY'),
      units: fc.bigInt({ min: 1n, max: 10n ** 26n }),
      from: fc.constantFrom('100001', '100002', 'house'),
      to: fc.constantFrom('100003', 'house'),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((moves) =>
    moves.flatMap(({ currency, units, from, to }) => {
      const text = formatUnits(units, currency === 'JPY' ? 0 : 8);
      return [leg(from, `-${text}`, currency), leg(to, text, currency)];
    }),
  );

describe('a journal as operators see it', () => {
  test('its legs sum to zero in each currency, to the last digit [CONSOLE-212]', () => {
    fc.assert(
      fc.property(transfers, (legs) => {
        const shown = byCurrency(legs);
        expect(shown.flatMap((one) => one.legs)).toHaveLength(legs.length);
        expect(shown.map(({ currency }) => currency)).toEqual([...new Set(legs.map(({ currency }) => currency))]);
        for (const { sum, isEven } of shown) expect([isEven, sum]).toEqual([true, expect.stringMatching(/^0(\.0+)?$/)]);
      }),
    );
  });

  test('one unit too many in one leg shows in that currency alone [CONSOLE-212]', () => {
    const legs = [
      leg('100001', '-1234567890123456.00000001'),
      leg('house', '1234567890123456.00000002'),
      leg('100001', '-1.5', 'BTC'),
      leg('100002', '1.50000000', 'BTC'),
    ];
    expect(byCurrency(legs).map(({ currency, sum, isEven }) => [currency, sum, isEven])).toEqual([
      ['USDT', '0.00000001', false],
      ['BTC', '0.00000000', true],
    ]);
  });

  test('names each person once and no account of the house as a person', () => {
    const legs = [leg('100001', '-2'), leg('100001', '1'), leg('house', '1')];
    expect(peopleIn(legs)).toEqual(['100001']);
    expect(legsText(legs.slice(1))).toBe('100001 change available 1 USDT; house h.fees available 1 USDT');
  });
});
