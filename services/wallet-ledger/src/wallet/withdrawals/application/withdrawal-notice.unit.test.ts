import { expect, test } from '@jest/globals';
import type { UserNotices } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { noticeWithdrawal } from './withdrawal-notice.js';

test.each(['withdrawalPlaced', 'withdrawalSent', 'withdrawalDone', 'withdrawalRejected'] as const)(
  'the owner of a withdrawal gets one notice of %s [NOTICE-034]',
  (kind) => {
    const told: unknown[] = [];
    const tx = {
      emit: (topic: string, partition: number, { body }: { body: UserNotices }) => told.push(topic, partition, body),
    } as unknown as Tx;
    noticeWithdrawal(tx, kind, { id: '5', userId: 7, number: '150.00000000' }, { name: 'USDT', scale: 8 }, 1_000);
    const notice = {
      userId: 7,
      id: `withdrawal:5:${kind}`,
      kind,
      params: { amount: '150 USDT' },
      link: '/coinRecord',
      at: 1_000,
    };
    expect(told).toEqual(['user.notices', 0, { notices: [notice] }]);
  },
);
