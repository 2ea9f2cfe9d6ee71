import { describe, expect, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { positionWith } from './positions.js';
import { accountOf } from '../src/domain/account.js';
import { closeOrder } from '../src/domain/journals.js';
import {
  chargeOvernightFee,
  chargeOverdueFees,
  nextMidnight,
  payableOvernightFees,
  deductUnpaidFees,
} from '../src/domain/overnight-fees.js';
import { settle } from '../src/domain/settlement.js';

const usdt = (text: string): bigint => toUnits(text, 8);
const MIDNIGHT = Date.UTC(2026, 10, 23);
const DAY = 86_400_000;
/** The position of the worked example: 0.1 BTC at 60,060.00, a margin of 300.30, 0.001 % a night. */
const example = (given: Parameters<typeof positionWith>[0] = {}) =>
  positionWith({
    price: 6_006_000n,
    lots: 100_000n,
    margin: usdt('300.30'),
    overnight: percent('0.001'),
    openedAt: MIDNIGHT - 1,
    ...given,
  });

describe('overnight fees that no timer has charged yet [LEVER-049]', () => {
  test('a close after midnight pays the fee of the worked example: 0.06006', () => {
    const { position, overnightCharges } = chargeOverdueFees(example(), MIDNIGHT, MIDNIGHT + 1);
    expect(overnightCharges).toEqual([{ day: '2026-11-23', fromMargin: usdt('0.06006') }]);
    expect(position).toMatchObject({
      margin: usdt('300.23994'),
      paidOvernightFees: usdt('0.06006'),
      unpaidOvernightFee: 0n,
    });
  });
  test('are due at midnight itself and not before', () => {
    expect(chargeOverdueFees(example(), MIDNIGHT, MIDNIGHT).overnightCharges).toHaveLength(1);
    expect(chargeOverdueFees(example(), MIDNIGHT, MIDNIGHT - 1)).toEqual({ position: example(), overnightCharges: [] });
    expect(chargeOverdueFees(example(), null, MIDNIGHT + DAY).overnightCharges).toEqual([]);
  });
  test('two missed midnights are two fees, charged as by the timer', () => {
    const { position, overnightCharges } = chargeOverdueFees(example(), MIDNIGHT, MIDNIGHT + DAY);
    expect(overnightCharges.map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-24']);
    const first = chargeOvernightFee(example(), MIDNIGHT).position;
    expect(position).toEqual(chargeOvernightFee(first, MIDNIGHT + DAY).position);
    expect(nextMidnight(MIDNIGHT - 1)).toBe(MIDNIGHT);
    expect(nextMidnight(MIDNIGHT)).toBe(MIDNIGHT + DAY);
  });
});

describe('unpaid overnight fees [LEVER-050]', () => {
  const bare = (id: string, unpaidOvernightFee: string) =>
    example({ id, margin: 0n, unpaidOvernightFee: usdt(unpaidOvernightFee) });
  test('reduce the margin ratio, the transferable amount and the distance to liquidation', () => {
    const positions = [bare('1', '4'), bare('2', '3')];
    expect(deductUnpaidFees(usdt('10'), positions)).toBe(usdt('3'));
    expect(accountOf(usdt('10'), positions, new Map()).balance).toBe(usdt('3'));
    expect(accountOf(usdt('5'), positions, new Map()).balance).toBe(0n);
    expect([...payableOvernightFees(usdt('5'), positions)]).toEqual([
      ['1', usdt('4')],
      ['2', usdt('1')],
    ]);
  });
  test('are paid by a close before its loss, and the fund pays the deficit', () => {
    const positions = [bare('1', '4')];
    const { settled, balance } = settle(positions, new Map([[1, 6_005_000n]]), usdt('10'));
    // A loss of 1.00 at 60,050: of 10 the unpaid fees take 4, the loss 1.
    expect(balance).toBe(usdt('5'));
    expect(settled[0]).toMatchObject({ overnightFee: usdt('4'), loss: usdt('1'), shortfall: 0n });
    const poor = settle(positions, new Map([[1, 6_005_000n]]), usdt('4.40')).settled[0];
    expect(poor).toMatchObject({ overnightFee: usdt('4'), loss: usdt('0.40'), shortfall: usdt('0.60') });
  });
  test('have journals of their own, before that of the close', () => {
    const { position, overnightCharges } = chargeOverdueFees(
      example({ unpaidOvernightFee: usdt('1') }),
      MIDNIGHT,
      MIDNIGHT + DAY,
    );
    const { settled } = settle([position], new Map([[1, 6_106_000n]]), usdt('10'));
    const order = closeOrder(settled, 'close:1:3:7', new Map([['1', overnightCharges]]));
    const margin = '1.lever*#lever:1';
    expect(order.journals.map(({ id, legs }) => [id, legs.map(({ from, to, amount }) => [from, to, amount])])).toEqual([
      ['lever:1:night:2026-11-23', [[margin, 'h.fees', '0.06006000']]],
      ['lever:1:night:2026-11-24', [[margin, 'h.fees', '0.06006000']]],
      ['lever:1:rest:close:1:3:7', [['1.lever', 'h.fees', '1.00000000']]],
      [
        'lever:1:close',
        [
          [margin, '1.lever', '300.17988000'],
          ['h.lever', '1.lever', '100.00000000'],
        ],
      ],
    ]);
  });
  test('a position without margin left closes at its own price with a journal without legs [LEVER-075]', () => {
    const { settled, balance } = settle([bare('1', '0')], new Map([[1, 6_006_000n]]), usdt('10'));
    expect(balance).toBe(usdt('10'));
    // The command still has its journal: the ledger answers it, and the position ends.
    expect(closeOrder(settled, 'close:1:3:7').journals).toMatchObject([{ id: 'lever:1:close', legs: [] }]);
  });
});
