import { describe, expect, test } from '@jest/globals';
import type { UserNotices } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { noticeCredited, noticeHeld, noticeReturned, noticeSeen } from './deposit-notices.js';
import type { DepositRow, NewDeposit } from './ports.js';

const BTC = { name: 'BTC', scale: 8 };

/** The notices that a transaction sends. */
function told(work: (tx: Tx) => void): UserNotices['notices'] {
  const notices: UserNotices['notices'][number][] = [];
  work({
    emit: (topic: string, partition: number, { body }: { body: UserNotices }) => {
      expect([topic, partition]).toEqual(['user.notices', 0]);
      notices.push(...body.notices);
    },
  } as unknown as Tx);
  return notices;
}
const row = (more: Partial<DepositRow> = {}): DepositRow =>
  ({ id: '5', userId: 7, currencyId: 1, amount: '2.50000000', minimum: '3.00000000', ...more }) as DepositRow;
const seen = (more: Partial<NewDeposit> = {}): NewDeposit =>
  ({
    ...{ chain: 'bitcoin', txId: 'ab12', output: 1, userId: 7, currencyId: 1, amount: '0.25', seenAt: 1_000 },
    ...more,
  }) as NewDeposit;

describe('the owner of a deposit is notified', () => {
  test('that a block has brought it, each payment under a name of its own [NOTICE-034]', () => {
    const deposits = [seen(), seen({ output: 2, userId: 8, amount: '1' }), seen({ output: 3, userId: null })];
    expect(told((tx) => noticeSeen(tx, deposits, () => BTC))).toEqual([
      {
        userId: 7,
        id: 'deposit:bitcoin:ab12:1:seen',
        kind: 'depositSeen',
        params: { amount: '0.25 BTC' },
        link: '/coinRecord',
        at: 1_000,
      },
      {
        userId: 8,
        id: 'deposit:bitcoin:ab12:2:seen',
        kind: 'depositSeen',
        params: { amount: '1 BTC' },
        link: '/coinRecord',
        at: 1_000,
      },
    ]);
  });

  test.each([
    ['credited', noticeCredited, 'depositCredited', { amount: '2.5 BTC' }],
    ['held', noticeHeld, 'depositHeld', { amount: '2.5 BTC', minimum: '3 BTC' }],
    ['returned', noticeReturned, 'depositReturned', { amount: '2.5 BTC' }],
  ] as const)('that it is %s [NOTICE-034]', (step, notice, kind, params) => {
    expect(told((tx) => notice(tx, row(), BTC, 2_000))).toEqual([
      { userId: 7, id: `deposit:5:${step}`, kind, params, link: '/coinRecord', at: 2_000 },
    ]);
    expect(told((tx) => notice(tx, row({ userId: null }), BTC, 2_000))).toEqual([]);
  });
});
