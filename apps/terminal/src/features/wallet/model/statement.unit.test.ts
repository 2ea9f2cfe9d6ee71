import { expect, test } from '@jest/globals';
import {
  accountHolds,
  chooseCause,
  choosePeriod,
  fileName,
  filterFields,
  isSpanReadable,
  homeOfCause,
  NO_FILTER,
  spanIsTurned,
  stateKey,
  utcText,
  type Period,
} from './statement.js';

test('a filter goes out as the call wants it: no empty fields, UTC, whole last minute [WALLETVIEW-030]', () => {
  expect(filterFields(NO_FILTER)).toEqual({
    account: undefined,
    currency: undefined,
    cause_type: undefined,
    from: undefined,
    to: undefined,
  });
  const local = new Date(2026, 0, 2, 3, 4).toISOString().slice(0, 16).replace('T', ' ');
  expect(
    filterFields({
      ...NO_FILTER,
      account: 'lever',
      currency: '3',
      cause: 'trade',
      from: '2026-01-02T03:04',
      to: '2026-01-02T03:04',
    }),
  ).toEqual({ account: 'lever', currency: '3', cause_type: 'trade', from: `${local}:00`, to: `${local}:59` });
  expect([utcText('2026-01-02', '00'), utcText('2026-13-45T99:99', '00')]).toEqual([undefined, undefined]);
  expect([
    spanIsTurned({ ...NO_FILTER, from: '2026-01-02T00:00', to: '2026-01-01T00:00' }),
    spanIsTurned({ ...NO_FILTER, from: '2026-01-02T00:00' }),
  ]).toEqual([true, false]);
  const spans = [
    ['', ''],
    ['2026-01-02T00:00', ''],
    ['2026-02-30T00:00', ''],
    ['', '2026-01'],
    ['2026-01-02T00:00', '2026-01-01T00:00'],
  ] as const;
  expect(spans.map(([from, to]) => isSpanReadable({ ...NO_FILTER, from, to }))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('every cause of the wallet has a screen, unknown ones are shown as words alone [WALLETVIEW-031]', () => {
  const causes = ['deposit', 'withdrawal', 'transfer', 'order', 'trade', 'lever', 'micro', 'savings', 'seed'];
  expect(causes.map((cause) => homeOfCause(cause, '7'))).toEqual([
    '/account/coinRecord?tab=deposits',
    '/account/coinRecord?tab=withdrawals',
    '/transferRecord',
    '/account/accountEntrust',
    '/account/accountEntrust',
    '/leverRecord?id=7',
    '/microReceipt?id=7',
    '/manageList',
    undefined,
  ]);
  expect([stateKey({ state: 'held' }), stateKey({ state: 'available' })]).toEqual([
    'wallet.frozen',
    'wallet.available',
  ]);
});

test('whether balance and sum agree is checked here, by value and not by spelling [WALLETVIEW-032]', () => {
  const row = { account: 'change', state: 'available', currency: 'USDT' };
  expect([
    accountHolds({ ...row, balance: '1.50', sum: '1.5' }),
    accountHolds({ ...row, balance: '1.50', sum: '1.50000001' }),
    accountHolds({ ...row, balance: '-0', sum: '0' }),
  ]).toEqual([true, false, true]);
  expect([
    fileName(NO_FILTER, '2026-01-02'),
    fileName({ ...NO_FILTER, account: 'legal', from: '2026-01-01T00:00', to: '2026-01-31T23:59' }, '2026-02-02'),
  ]).toEqual(['statement-2026-01-02.csv', 'statement-legal-2026-01-01-2026-01-31.csv']);
});

test('a period ends now; the cause that only holds funds shows holds [WALLETVIEW-033]', () => {
  const now = new Date(2026, 2, 15, 12, 30).getTime();
  const from = (period: Period): string => choosePeriod({ ...NO_FILTER, to: '2026-01-01T00:00' }, period, now).from;
  expect([from('all'), from('day'), from('week'), from('year')]).toEqual([
    '',
    '2026-03-14T12:30',
    '2026-03-08T12:30',
    '2026-01-01T00:00',
  ]);
  expect(choosePeriod({ ...NO_FILTER, to: '2026-01-01T00:00' }, 'day', now)).toMatchObject({ period: 'day', to: '' });
  expect([chooseCause(NO_FILTER, 'order').holds, chooseCause(NO_FILTER, 'trade').holds]).toEqual([true, false]);
  expect(chooseCause({ ...NO_FILTER, holds: true }, 'trade').holds).toBe(true);
});
