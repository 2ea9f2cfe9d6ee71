import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LEVER_DEAL, LEVER_PAIR } from './lever-samples.js';
import { emptyLeverTicket, LEVER_TICKET, sizeText, type LeverTicket, type LeverTicketAction } from './lever-ticket.js';
import { accountOf, termsOf } from './offer.js';
import { contractsIn, sizeOf, type Size, type SizeTerms } from './size.js';

const inputsAt = (mark: string) => ({
  priceScale: 2,
  numberScale: 6,
  terms: termsOf(LEVER_PAIR, LEVER_DEAL, mark, accountOf('1000000', [])),
  shareMin: 1,
  shareMax: 1_000,
});
const INPUTS = inputsAt('60000.00');
const by = (more: Partial<SizeTerms> = {}): SizeTerms => ({
  terms: INPUTS.terms,
  direction: 'long',
  base: '60000.00',
  ...more,
});
const act = (actions: readonly LeverTicketAction[], inputs = INPUTS): LeverTicket =>
  actions.reduce((ticket, action) => LEVER_TICKET.reduce(ticket, action, inputs), {
    ...emptyLeverTicket('long'),
    multiple: 20,
  } as LeverTicket);
const typed = (unit: Size['unit'], text: string): LeverTicketAction => ({ type: 'size', size: { unit, text } });

describe('the size of a leverage order', () => {
  test('an amount is rounded down to whole contracts, to the last unit [LEVERUI-044]', () => {
    expect(contractsIn({ unit: 'base', text: '0.03' }, by())).toBe(3n);
    expect(contractsIn({ unit: 'base', text: '0.029999' }, by())).toBe(2n);
    // A long opens at 60,060: a contract of 0.01 BTC is worth 600.60.
    expect(contractsIn({ unit: 'quote', text: '1801.8' }, by())).toBe(3n);
    expect(contractsIn({ unit: 'quote', text: '1801.79999999' }, by())).toBe(2n);
    expect(contractsIn({ unit: 'quote', text: '1801.8' }, by({ direction: 'short' }))).toBe(3n);
    expect(contractsIn({ unit: 'quote', text: '5' }, by({ base: '' }))).toBe(0n);
    expect(contractsIn({ unit: 'base', text: '' }, by())).toBe(0n);
  });

  test('for any price and amount, contracts are worth no more than the amount, and one more is [LEVERUI-044]', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.constantFrom('long' as const, 'short' as const),
        (ticks, units, direction) => {
          const at = by({ direction, base: `${ticks / 100n}.${String(ticks % 100n).padStart(2, '0')}` });
          const text = `${units / 10n ** 8n}.${String(units % 10n ** 8n).padStart(8, '0')}`;
          const contracts = contractsIn({ unit: 'quote', text }, at);
          const worth = (count: bigint): bigint => {
            const [whole = '0', part = ''] = sizeOf(count, 'quote', at).split('.');
            return BigInt(whole + part.padEnd(8, '0'));
          };
          if (sizeOf(1n, 'quote', at) === '') return;
          expect(worth(contracts)).toBeLessThanOrEqual(units);
          expect(worth(contracts + 1n)).toBeGreaterThan(units);
          // The size that a field shows for contracts means these contracts.
          expect(contractsIn({ unit: 'quote', text: sizeOf(contracts, 'quote', at) }, at)).toBe(contracts);
          expect(contractsIn({ unit: 'base', text: sizeOf(contracts, 'base', at) }, at)).toBe(contracts);
        },
      ),
    );
  });

  test('contracts follow a typed size with price, side and the press; chosen contracts stay [LEVERUI-045]', () => {
    const market = act([typed('quote', '1801.8')]);
    expect(market.share).toBe('3');
    const dearer = inputsAt('60000.01');
    expect(LEVER_TICKET.reduce(market, { type: 'pressed' }, dearer).share).toBe('2');
    expect(LEVER_TICKET.reduce(market, { type: 'pressed' }, INPUTS)).toBe(market);
    const limit = act([{ type: 'mode', mode: 'xtd' }, { type: 'price', text: '30000' }, typed('quote', '1801.8')]);
    expect(limit.share).toBe('6');
    expect(LEVER_TICKET.reduce(limit, { type: 'price', text: '' }, INPUTS).share).toBe('');
    const chosen = act([typed('quote', '1801.8'), { type: 'percent', percent: 50, maxShare: 8n }]);
    expect([chosen.share, chosen.size]).toEqual(['4', undefined]);
    expect(LEVER_TICKET.reduce(chosen, { type: 'pressed' }, dearer).share).toBe('4');
    expect(LEVER_TICKET.fields(market).share).toBe('3');
    expect(act([typed('base', '0.05'), { type: 'sent' }]).size).toBeUndefined();
  });

  test('a field of another unit shows the size of the contracts [LEVERUI-045]', () => {
    const ticket = act([{ type: 'share', text: '3' }]);
    expect(sizeText(ticket, 'contracts', INPUTS)).toBe('3');
    expect(sizeText(ticket, 'base', INPUTS)).toBe('0.03');
    expect(sizeText(ticket, 'quote', INPUTS)).toBe('1801.8');
    const typedSize = act([typed('quote', '1900')]);
    expect(sizeText(typedSize, 'quote', INPUTS)).toBe('1900');
    expect(sizeText(typedSize, 'base', INPUTS)).toBe('0.03');
    expect(sizeText(act([]), 'quote', INPUTS)).toBe('');
  });

  test('a size of less than one contract is refused with the least size [LEVERUI-045]', () => {
    expect(LEVER_TICKET.validate(act([typed('quote', '600.59')]), INPUTS)).toEqual({
      field: 'share',
      key: 'lever.sizeSmall',
      params: { min: '600.6' },
    });
    expect(LEVER_TICKET.validate(act([typed('base', '0.001')]), INPUTS)?.params).toEqual({ min: '0.01' });
    expect(LEVER_TICKET.validate(act([]), INPUTS)?.key).toBe('lever.shareInteger');
  });
});
