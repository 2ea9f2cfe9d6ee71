import { describe, expect, test } from '@jest/globals';
import type { AcceptorAction, AcceptorDeal } from '../domain/acceptor-deal.js';
import { toAcceptorNotices } from './notices.js';

const [PERSON, ACCEPTOR] = [11, 13];
const DEPOSIT = {
  id: '6',
  type: 'buy',
  userId: PERSON,
  acceptorId: ACCEPTOR,
  money: 100_000n,
  received: 98_000_000_000n,
  scale: 8,
  state: 'open',
  stage: 'waiting',
  updatedAt: 2_000,
} as AcceptorDeal;
const WITHDRAWAL: AcceptorDeal = { ...DEPOSIT, type: 'sell', received: 98_000n };

describe('a step of a deal with an acceptor notifies the party that did not take it', () => {
  const both = [PERSON, ACCEPTOR];
  test.each<[string, Partial<AcceptorDeal>, AcceptorAction | 'place' | null, string, readonly number[]]>([
    ['placed', {}, 'place', 'acceptorPlaced', [ACCEPTOR]],
    ['confirmed by the acceptor', { state: 'confirmed' }, 'confirm', 'acceptorDone', [PERSON]],
    ['rejected by the acceptor', { state: 'rejected' }, 'reject', 'acceptorRejected', [PERSON]],
    ['cancelled by the person', { state: 'rejected' }, 'cancel', 'acceptorRejected', [ACCEPTOR]],
    ['transferred', { stage: 'transferred' }, 'transfer', 'acceptorTransferred', [PERSON]],
    ['received', { state: 'confirmed', stage: 'transferred' }, 'receive', 'acceptorDone', [ACCEPTOR]],
    ['objected to', { stage: 'objected' }, 'object', 'acceptorObjected', [ACCEPTOR]],
    ['decided by finance', { state: 'confirmed', stage: 'objected' }, 'decideConfirm', 'acceptorDone', both],
    ['refused by finance', { state: 'rejected', stage: 'objected' }, 'decideReject', 'acceptorRejected', both],
    ['ended by time', { state: 'confirmed', stage: 'transferred' }, null, 'acceptorDone', both],
  ])('%s [NOTICE-033]', (_, change, action, kind, recipients) => {
    expect(toAcceptorNotices({ ...DEPOSIT, ...change }, action)).toEqual(
      recipients.map((userId) => ({
        userId,
        id: `acceptor:6:${kind}`,
        kind,
        params: { amount: '980 USDT' },
        link: '/account/aceite',
        at: 2_000,
      })),
    );
  });

  test.each<[string, Partial<AcceptorDeal>, AcceptorAction, string, string, readonly number[]]>([
    ['raised', { state: 'confirmed', dispute: 'open' }, 'object', 'acceptorObjected', 'acceptorObjected', [ACCEPTOR]],
    ['lost', { state: 'confirmed', dispute: 'kept' }, 'decideConfirm', 'acceptorDone', 'kept', both],
    ['won', { state: 'rejected', dispute: 'returned' }, 'decideReject', 'acceptorReturned', 'acceptorReturned', both],
  ])(
    'a late objection that is %s sends a notice of its own [NOTICE-037]',
    (_, change, action, kind, id, recipients) => {
      const deal: AcceptorDeal = { ...WITHDRAWAL, stage: 'objected', ...change };
      expect(toAcceptorNotices(deal, action)).toMatchObject(
        recipients.map((userId) => ({ userId, kind, id: `acceptor:6:${id}` })),
      );
    },
  );

  test('a notice of a withdrawal names the coins paid in [NOTICE-033]', () => {
    expect(toAcceptorNotices(WITHDRAWAL, 'place').map(({ params }) => params)).toEqual([{ amount: '1000 USDT' }]);
  });

  test('a deal that waits for the ledger sends no notice [NOTICE-033]', () => {
    for (const state of ['asking', 'holding'] as const)
      expect(toAcceptorNotices({ ...DEPOSIT, state }, 'place')).toEqual([]);
  });
});
