import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { percent } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import {
  applyAction,
  cashOf,
  coinsOf,
  keepsCash,
  keepsCoins,
  leaveToFinance,
  calculateMaxMoney,
  openAcceptorDeal,
  RATE_MAX,
  calculateReceived,
  applyDeadline,
  type AcceptorAction,
  type AcceptorDeal,
  disputeDeal,
  isObjected,
  keepConfirmed,
  failReturn,
  objectableUntil,
  planRecovery,
  finishReturn,
  beginReturn,
} from './acceptor-deal.js';

const coins = (text: string): bigint => toUnits(text, 8);
const cents = (text: string): bigint => toUnits(text, 2);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const asked = (type: 'buy' | 'sell'): AcceptorDeal => ({
  id: '7',
  type,
  userId: 1,
  acceptorId: 2,
  acceptorName: 'Pier One',
  currencyId: 3,
  scale: 8,
  money: cents('100'),
  received: type === 'buy' ? coins('98') : cents('98'),
  way: 'bank',
  facts: 'sealed',
  silentMs: type === 'buy' ? 24 * HOUR : 30 * MINUTE,
  autoMs: 20 * MINUTE,
  state: 'asking',
  stage: 'waiting',
  proof: '',
  evidence: '',
  reason: '',
  reasonKey: '',
  autoAt: null,
  dispute: 'none',
  missing: 0n,
  dueAt: null,
  createdAt: 0,
  updatedAt: 0,
});
const ACTIONS: readonly AcceptorAction[] = [
  'confirm',
  'reject',
  'transfer',
  'cancel',
  'receive',
  'object',
  'decideConfirm',
  'decideReject',
];
const allowed = (deal: AcceptorDeal): AcceptorAction[] =>
  ACTIONS.filter((action) => applyAction(deal, action, 1) !== null);
const after = (deal: AcceptorDeal, action: AcceptorAction, at = 1): AcceptorDeal => {
  const next = applyAction(deal, action, at);
  if (!next) throw new Error(`${action} is not allowed`);
  return next;
};

describe('the payout', () => {
  test('the worked example: both rates 2, money 100 [ACC-001]', () => {
    expect(calculateReceived(coins('100'), percent('2'))).toBe(coins('98'));
    expect(calculateReceived(cents('100'), percent('2'))).toBe(cents('98'));
    expect([coinsOf(asked('buy')), cashOf(asked('buy'))]).toEqual([coins('98'), cents('100')]);
    expect([coinsOf(asked('sell')), cashOf(asked('sell'))]).toEqual([coins('100'), cents('98')]);
  });

  test('coins of a deposit are exact, fiat of a withdrawal is rounded down to the cent [ACC-001]', () => {
    expect(calculateReceived(coins('33.33'), percent('2'))).toBe(coins('32.6634'));
    expect(calculateReceived(cents('33.33'), percent('2'))).toBe(cents('32.66'));
    expect(calculateReceived(cents('0.01'), percent('20'))).toBe(0n);
    expect(calculateReceived(cents('0.01'), 0n)).toBe(1n);
  });

  test('the largest payment fits the remaining quota to within two cents [ACC-002]', () => {
    expect(calculateMaxMoney(coins('98'), 8, percent('2'))).toBe(cents('100'));
    expect(calculateMaxMoney(cents('50000'), 2, percent('2'))).toBe(cents('51020.40'));
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, RATE_MAX), (left, rate) => {
        const most = calculateMaxMoney(left, 2, rate);
        expect(calculateReceived(most, rate)).toBeLessThanOrEqual(left);
        expect(calculateReceived(most + 3n, rate)).toBeGreaterThan(left);
      }),
    );
  });
});

describe('states', () => {
  test('a waiting deposit is confirmed, rejected, cancelled or objected to; then finance decides [ACC-003]', () => {
    const deal = openAcceptorDeal(asked('buy'), 0);
    expect(allowed(deal)).toEqual(['confirm', 'reject', 'cancel', 'object']);
    const objected = after(deal, 'object');
    expect([objected.stage, objected.dueAt]).toEqual(['objected', null]);
    expect(allowed(objected)).toEqual(['decideConfirm', 'decideReject']);
  });

  test('a waiting withdrawal is transferred, rejected or cancelled; then received or objected to [ACC-004]', () => {
    const deal = openAcceptorDeal(asked('sell'), 0);
    expect(allowed(deal)).toEqual(['reject', 'transfer', 'cancel']);
    const transferred = after(deal, 'transfer', 5);
    expect([transferred.stage, transferred.dueAt]).toEqual(['transferred', 5 + 20 * MINUTE]);
    expect(allowed(transferred)).toEqual(['receive', 'object']);
    const objected = after(transferred, 'object');
    expect([objected.dueAt, allowed(objected)]).toEqual([null, ['decideConfirm', 'decideReject']]);
  });

  test('a deal that has ended or is not open yet allows no action [ACC-005]', () => {
    for (const type of ['buy', 'sell'] as const) {
      const deal = openAcceptorDeal(asked(type), 0);
      const ends = [after(deal, 'reject'), after(deal, 'cancel')];
      if (type === 'buy') ends.push(after(deal, 'confirm'));
      else ends.push(after(after(deal, 'transfer'), 'receive'));
      for (const end of ends) {
        expect([allowed(end), end.dueAt]).toEqual([[], null]);
        expect(applyDeadline(end, Number.MAX_SAFE_INTEGER, 0)).toBeNull();
        expect([keepsCoins(end), keepsCash(end)]).toEqual([false, false]);
      }
      expect(allowed(asked(type))).toEqual([]);
      expect(allowed({ ...asked(type), state: 'holding' })).toEqual([]);
    }
  });

  test('the ledger holds coins of every open deal, and cash only of withdrawals [ACC-005]', () => {
    expect(keepsCoins(asked('buy'))).toBe(false);
    expect(keepsCoins({ ...asked('sell'), state: 'holding' })).toBe(true);
    expect(keepsCash({ ...asked('sell'), state: 'holding' })).toBe(false);
    expect([keepsCoins(openAcceptorDeal(asked('sell'), 0)), keepsCash(openAcceptorDeal(asked('sell'), 0))]).toEqual([
      true,
      true,
    ]);
    expect([keepsCoins(openAcceptorDeal(asked('buy'), 0)), keepsCash(openAcceptorDeal(asked('buy'), 0))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('time', () => {
  test('a withdrawal goes back after exactly 30 minutes when the acceptor is silent [ACC-006]', () => {
    const deal = openAcceptorDeal(asked('sell'), 1_000);
    expect(deal.dueAt).toBe(1_000 + 30 * MINUTE);
    expect(applyDeadline(deal, deal.dueAt! - 1, 0)).toBeNull();
    expect(applyDeadline(deal, deal.dueAt!, deal.dueAt!)).toMatchObject({
      state: 'rejected',
      dueAt: null,
      reasonKey: 'acceptor.silent',
    });
  });

  test('a deposit goes to finance when the acceptor is silent, and is never rejected by time [ACC-006]', () => {
    const deal = openAcceptorDeal(asked('buy'), 1_000);
    expect(deal.dueAt).toBe(1_000 + 24 * HOUR);
    const late = applyDeadline(deal, deal.dueAt!, deal.dueAt!);
    expect(late).toMatchObject({ state: 'open', stage: 'objected', dueAt: null });
    expect(applyDeadline(late!, Number.MAX_SAFE_INTEGER, 0)).toBeNull();
  });

  test('a transfer counts as received after 20 minutes unless the person objects [ACC-007]', () => {
    const deal = after(openAcceptorDeal(asked('sell'), 0), 'transfer', 10);
    expect(applyDeadline(deal, deal.dueAt! - 1, 0)).toBeNull();
    expect(applyDeadline(deal, deal.dueAt!, deal.dueAt!)).toMatchObject({
      state: 'confirmed',
      dueAt: null,
      reasonKey: '',
    });
    expect(applyDeadline(after(deal, 'object'), Number.MAX_SAFE_INTEGER, 0)).toBeNull();
  });

  test('a transfer goes to finance when the person cannot object, and no deadline follows [ACC-027]', () => {
    const left = leaveToFinance(after(openAcceptorDeal(asked('sell'), 0), 'transfer', 10), 20 * MINUTE);
    expect(left).toMatchObject({ state: 'open', stage: 'objected', dueAt: null, reasonKey: 'acceptor.cannotAnswer' });
    expect(applyDeadline(left, Number.MAX_SAFE_INTEGER, 0)).toBeNull();
    expect(allowed(left)).toEqual(['decideConfirm', 'decideReject']);
  });
});

describe('an objection to a withdrawal that time has confirmed [HARD-448]', () => {
  const transferred = applyAction(openAcceptorDeal(asked('sell'), 0), 'transfer', 0)!;
  const confirmed = applyDeadline(transferred, 20 * MINUTE, 20 * MINUTE)!;
  const DAY = 24 * HOUR;

  test('is possible once, within its time, and only after a confirmation by time', () => {
    expect(confirmed).toMatchObject({ state: 'confirmed', autoAt: 20 * MINUTE });
    expect(objectableUntil(confirmed, DAY)).toBe(20 * MINUTE + DAY);
    expect(disputeDeal(confirmed, 20 * MINUTE + DAY, DAY)).toBeNull();
    const open = disputeDeal(confirmed, 20 * MINUTE + DAY - 1, DAY)!;
    expect(open).toMatchObject({ state: 'confirmed', stage: 'objected', dispute: 'open', dueAt: null });
    expect([isObjected(confirmed), isObjected(open)]).toEqual([false, true]);
    expect(disputeDeal(open, 21 * MINUTE, DAY)).toBeNull();
    expect(disputeDeal(applyAction(transferred, 'receive', 1)!, 2, DAY)).toBeNull();
    const silent = applyDeadline(openAcceptorDeal(asked('sell'), 0), 30 * MINUTE, 30 * MINUTE)!;
    expect(disputeDeal(silent, 31 * MINUTE, DAY)).toBeNull();
    expect(ACTIONS.filter((action) => applyAction(open, action, 1) !== null)).toEqual([]);
  });
  test('has its full time after a confirmation that an outage has delayed [ACC-036]', () => {
    const late = applyDeadline(transferred, 20 * MINUTE, 5 * DAY)!;
    expect(late).toMatchObject({ state: 'confirmed', autoAt: 5 * DAY, updatedAt: 20 * MINUTE });
    expect(disputeDeal(late, 6 * DAY - 1, DAY)).toMatchObject({ dispute: 'open' });
    expect(disputeDeal(late, 6 * DAY, DAY)).toBeNull();
    // A clock that is behind the deadline takes nothing away.
    expect(applyDeadline(transferred, 20 * MINUTE, MINUTE)).toMatchObject({ autoAt: 20 * MINUTE });
  });
  test('is decided once, for the acceptor or for the person', () => {
    const open = disputeDeal(confirmed, 21 * MINUTE, DAY)!;
    const won = keepConfirmed(open, 22 * MINUTE)!;
    expect(won).toMatchObject({ state: 'confirmed', dispute: 'kept' });
    const under = beginReturn(open, coins('30'))!;
    expect(under).toMatchObject({ state: 'confirmed', dispute: 'returning', missing: coins('70') });
    expect(failReturn(under)).toEqual(open);
    expect(finishReturn(under, 23 * MINUTE)).toMatchObject({
      state: 'rejected',
      dispute: 'returned',
      missing: coins('70'),
    });
    for (const ended of [won, under, confirmed])
      expect([keepConfirmed(ended, 1), beginReturn(ended, 1n)]).toEqual([null, null]);
  });
  test('taken and missing coins add up to the person’s, whatever the acceptor has', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 18n), fc.bigInt(0n, 10n ** 18n), (all, posted) => {
        const { taken, missing } = planRecovery(all, posted);
        expect(taken + missing).toBe(all);
        expect(taken >= 0n && taken <= posted && missing >= 0n).toBe(true);
        expect(missing === 0n || taken === posted).toBe(true);
      }),
    );
  });
});
