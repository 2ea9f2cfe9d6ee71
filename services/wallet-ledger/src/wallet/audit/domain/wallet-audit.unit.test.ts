import { describe, expect, test } from '@jest/globals';
import {
  auditAdjustment,
  auditDeposit,
  auditUnopened,
  auditWithdrawal,
  type AuditedDeposit,
  type AuditedWithdrawal,
  type BookedOf,
  type Move,
  type PayoutState,
} from './wallet-audit.js';

const USDT = 3;
const move = (name: string, amount: bigint, more: Partial<Move> = {}): Move => ({
  account: name.replace('*', ''),
  state: name.endsWith('*') ? 'h' : 'a',
  own: !name.startsWith('h.'),
  currency: USDT,
  amount,
  ...more,
});
const booked = (transition: string, moves: Readonly<Record<string, bigint>>): BookedOf => ({
  transition,
  moves: Object.entries(moves).map(([name, amount]) => move(name, amount)),
});

describe('deposits', () => {
  const deposit = (state: AuditedDeposit['state'], more: Partial<AuditedDeposit> = {}): AuditedDeposit => ({
    state,
    currency: USDT,
    owned: true,
    amount: 100n,
    fee: 0n,
    ...more,
  });
  const credit = booked('credit', { 'h.outside': -100n, change: 100n });
  const kept = booked('held', { 'h.outside': -100n, 'h.suspense': 100n });
  const freed = booked('credit', { 'h.suspense': -100n, change: 100n });
  const unowned = booked('unowned', { 'h.suspense': -100n, 'h.outside': 100n });
  const owned = booked('owned', { 'h.outside': -100n, 'h.suspense': 100n });
  test("one without an owner that got one moved to the owner's partition, whole [CLIENT-250]", () => {
    expect(auditDeposit(deposit('credited'), [kept, unowned, owned, freed])).toBeNull();
    expect(auditDeposit(deposit('held'), [kept, unowned, owned])).toBeNull();
    expect(auditDeposit(deposit('credited'), [kept, owned, freed])).toContain('credit held owned');
    expect(auditDeposit(deposit('held'), [kept, unowned])).toContain('held unowned');
  });
  const back = booked('return', { 'h.suspense': -100n, 'h.outside': 98n, 'h.fees': 2n });

  test.each<[string, AuditedDeposit, BookedOf[]]>([
    ['seen', deposit('seen'), []],
    ['credited at once', deposit('credited'), [credit]],
    ['held', deposit('held'), [kept]],
    ['on its way back', deposit('returning'), [kept]],
    ['credited after it was held', deposit('credited'), [kept, freed]],
    ['returned', deposit('returned', { fee: 2n }), [kept, back]],
    ['of nobody', deposit('held', { owned: false }), [kept]],
  ])('%s agrees with its journals [AUDIT-020]', (_, row, journals) => {
    expect(auditDeposit(row, journals)).toBeNull();
  });

  test.each<[string, AuditedDeposit, BookedOf[], string]>([
    ['credited without a journal', deposit('credited'), [], 'has the journals ()'],
    ['credited twice', deposit('credited'), [credit, credit], 'credit credit'],
    ['booked before it is confirmed', deposit('seen'), [credit], 'is not confirmed'],
    ['one unit more', deposit('credited', { amount: 101n }), [credit], '101'],
    [
      'credited to somebody else',
      deposit('credited'),
      [{ ...credit, moves: [move('h.outside', -100n), move('change', 100n, { own: false })] }],
      'foreign.change',
    ],
    ['another coin', deposit('credited', { currency: 1 }), [credit], 'currency'],
    ['held and still in suspense after credit', deposit('credited'), [kept, credit], 'h.outside'],
    ['returned whole while the network took a fee', deposit('returned', { fee: 3n }), [kept, back], 'h.'],
    ['held without a journal', deposit('held'), [], 'is held'],
    ['credited without an owner', deposit('credited', { owned: false }), [credit], 'without an owner'],
    ['returned without leaving', deposit('returned'), [kept], 'is returned'],
  ])('%s is a difference [AUDIT-020]', (_, row, journals, words) => {
    expect(auditDeposit(row, journals)).toContain(words);
  });
});

describe('withdrawals', () => {
  const withdrawal = (state: AuditedWithdrawal['state'], more: Partial<AuditedWithdrawal> = {}): AuditedWithdrawal => ({
    state,
    currency: USDT,
    number: 150n,
    fee: 2n,
    received: 148n,
    gone: 147n,
    ...more,
  });
  const hold = booked('hold', { change: -150n, 'change*': 150n });
  const release = booked('release', { 'change*': -150n, change: 150n });
  const done = booked('done', { 'change*': -150n, 'h.outside': 147n, 'h.fees': 3n });

  test.each<[string, AuditedWithdrawal, BookedOf[], PayoutState | null]>([
    ['in review', withdrawal('review'), [hold], null],
    ['being sent', withdrawal('sending'), [hold], 'waiting'],
    ['under way', withdrawal('sending'), [hold], 'signed'],
    ['done', withdrawal('done'), [hold, done], 'done'],
    ['failed', withdrawal('failed'), [hold, release], 'failed'],
    ['cancelled', withdrawal('cancelled'), [hold, release], null],
  ])('%s agrees with its journals and its payment [AUDIT-021]', (_, row, journals, payout) => {
    expect(auditWithdrawal(row, journals, payout)).toBeNull();
  });

  test.each<[string, AuditedWithdrawal, BookedOf[], PayoutState | null, string]>([
    ['done without money leaving', withdrawal('done'), [hold], 'done', 'is done and has'],
    ['done and not paid', withdrawal('done'), [hold, done], 'signed', 'payment is signed'],
    ['paid before its review', withdrawal('review'), [hold], 'waiting', 'is in review'],
    ['cancelled and paid', withdrawal('cancelled'), [hold, release], 'done', 'is cancelled'],
    ['sent without a payment', withdrawal('sending'), [hold], null, 'not there'],
    ['given back before it failed', withdrawal('sending'), [hold, release], 'signed', 'is being sent and has'],
    ['one unit more', withdrawal('review', { number: 151n, received: 149n }), [hold], null, '151'],
    ['parts that make another sum', withdrawal('review', { fee: 3n }), [hold], null, 'sum'],
    ['paid out and given back', withdrawal('failed'), [hold, done, release], 'failed', 'done hold release'],
    ['a fee that went out', withdrawal('done', { gone: 148n }), [hold, done], 'done', 'h.'],
    [
      'held from somebody else',
      withdrawal('review'),
      [{ ...hold, moves: hold.moves.map((one) => ({ ...one, own: false })) }],
      null,
      'foreign.change',
    ],
  ])('%s is a difference [AUDIT-021]', (_, row, journals, payout, words) => {
    expect(auditWithdrawal(row, journals, payout)).toContain(words);
  });

  test('a hold that never opened was returned in full [AUDIT-021]', () => {
    expect(auditUnopened([hold, release])).toBeNull();
    expect(auditUnopened([hold])).toContain('given back');
    expect(auditUnopened([hold, booked('release', { 'change*': -149n, change: 149n })])).toContain('units');
    expect(auditUnopened([hold, done])).toContain('done hold');
  });
});

test('a movement by two people has its journals when it is approved, and none otherwise [AUDIT-022]', () => {
  const row = { currency: USDT, account: 'change', toAccount: null, amount: -5n } as const;
  const journal = booked('7', { change: -5n, 'h.capital': 5n });
  expect(auditAdjustment({ ...row, state: 'approved' }, [journal])).toBeNull();
  expect(auditAdjustment({ ...row, state: 'posting' }, [journal])).toBeNull();
  expect(auditAdjustment({ ...row, state: 'waiting' }, [])).toBeNull();
  expect(auditAdjustment({ ...row, state: 'rejected' }, [journal])).toContain('is rejected');
  expect(auditAdjustment({ ...row, state: 'approved' }, [])).toContain('0 journals');
  expect(auditAdjustment({ ...row, state: 'approved' }, [journal, journal])).toContain('2 journals');
  expect(auditAdjustment({ ...row, amount: -6n, state: 'approved' }, [journal])).toContain('-6');
  const fund = { currency: USDT, account: 'h.capital', toAccount: 'h.lever', amount: 9n, state: 'approved' } as const;
  expect(
    auditAdjustment(fund, [
      booked('1', { 'h.capital': -4n, 'h.lever': 4n }),
      booked('2', { 'h.capital': -5n, 'h.lever': 5n }),
    ]),
  ).toBeNull();
  expect(auditAdjustment(fund, [booked('1', { 'h.capital': -4n, 'h.lever': 4n })])).toContain('9');
});
