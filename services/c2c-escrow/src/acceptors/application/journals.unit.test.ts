import { expect, test } from '@jest/globals';
import { ledgerPartition } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { toUnits } from '@bourse/money';
import type { AcceptorTerms } from '../domain/acceptor-deal.js';
import {
  createCashOrder,
  createEndOrders,
  createGrantOrder,
  createHoldOrder,
  createReserveOrder,
  createUnholdOrder,
} from './journals.js';

const PARTITIONS = 4;
const [USER, SAME, OTHER] = people();
/** A person, another one of the same partition, and one of another partition. */
function people(): [number, number, number] {
  const home = ledgerPartition(100_001, PARTITIONS);
  const find = (is: (partition: number) => boolean): number => {
    for (let id = 100_002; ; id++) if (is(ledgerPartition(id, PARTITIONS))) return id;
  };
  return [100_001, find((partition) => partition === home), find((partition) => partition !== home)];
}
const terms = (type: 'buy' | 'sell', acceptorId: number): AcceptorTerms => ({
  id: '7',
  type,
  userId: USER,
  acceptorId,
  acceptorName: 'Pier One',
  currencyId: 3,
  scale: 8,
  money: toUnits('100', 2),
  received: toUnits('98', type === 'buy' ? 8 : 2),
  way: 'bank',
  facts: 'sealed',
  silentMs: 1,
  autoMs: 1,
});
const legs = (...orders: readonly LedgerOrder[]): string[] =>
  orders.flatMap(({ journals }) =>
    journals.flatMap((journal) =>
      journal.legs.map(({ from, to, amount, currency }) =>
        `${from} → ${to} ${amount as string} ${currency === 3 ? 'USDT' : 'CSH'}`
          .replaceAll(`${USER}.`, 'u.')
          .replaceAll(`${SAME}.`, 'a.')
          .replaceAll(`${OTHER}.`, 'a.')
          .replaceAll('#acceptor:7', ''),
      ),
    ),
  );

test('holds match the journals of the rules; the person’s hold belongs to their own call [ACC-008]', () => {
  expect(legs(createReserveOrder(terms('buy', SAME)))).toEqual(['a.acceptor → a.acceptor* 98.00000000 USDT']);
  expect(legs(createHoldOrder(terms('sell', SAME)))).toEqual(['u.legal → u.legal* 100.00000000 USDT']);
  expect(legs(createCashOrder(terms('sell', SAME)))).toEqual(['a.quota → a.quota* 98.00 CSH']);
  expect(legs(createUnholdOrder(terms('sell', SAME)))).toEqual(['u.legal* → u.legal 100.00000000 USDT']);
  expect(createHoldOrder(terms('sell', SAME)).onBehalfOf).toBe(USER);
  expect([createReserveOrder(terms('buy', SAME)).onBehalfOf, createCashOrder(terms('sell', SAME)).onBehalfOf]).toEqual([
    null,
    null,
  ]);
});

test('an end in one partition is one command with the journals of the rules [ACC-008]', () => {
  expect(legs(...createEndOrders(terms('buy', SAME), true, PARTITIONS))).toEqual([
    'a.acceptor* → u.legal 98.00000000 USDT',
    'h.quota → a.quota 100.00 CSH',
  ]);
  expect(legs(...createEndOrders(terms('buy', SAME), false, PARTITIONS))).toEqual([
    'a.acceptor* → a.acceptor 98.00000000 USDT',
  ]);
  expect(legs(...createEndOrders(terms('sell', SAME), true, PARTITIONS))).toEqual([
    'u.legal* → a.acceptor 100.00000000 USDT',
    'a.quota* → h.quota 98.00 CSH',
  ]);
  expect(legs(...createEndOrders(terms('sell', SAME), false, PARTITIONS))).toEqual([
    'u.legal* → u.legal 100.00000000 USDT',
    'a.quota* → a.quota 98.00 CSH',
  ]);
});

test('an end in two partitions is two commands, the person’s first, through the clearing account [ACC-009]', () => {
  for (const type of ['buy', 'sell'] as const)
    for (const isConfirmed of [true, false]) {
      const orders = createEndOrders(terms(type, OTHER), isConfirmed, PARTITIONS);
      const ids = orders.flatMap(({ journals }) => journals.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      for (const { userId, partition } of orders) expect(partition).toBe(ledgerPartition(userId, PARTITIONS));
      // A returned deposit moves only coins of the acceptor.
      expect(orders.map(({ userId }) => userId)).toEqual(type === 'buy' && !isConfirmed ? [OTHER] : [USER, OTHER]);
    }
  expect(legs(...createEndOrders(terms('buy', OTHER), true, PARTITIONS))).toEqual([
    'h.clearing → u.legal 98.00000000 USDT',
    'a.acceptor* → h.clearing 98.00000000 USDT',
    'h.quota → a.quota 100.00 CSH',
  ]);
  expect(legs(...createEndOrders(terms('sell', OTHER), true, PARTITIONS))).toEqual([
    'u.legal* → h.clearing 100.00000000 USDT',
    'h.clearing → a.acceptor 100.00000000 USDT',
    'a.quota* → h.quota 98.00 CSH',
  ]);
});

test('granted cash comes from the house and returns out of the free cash [ACC-010]', () => {
  expect(legs(createGrantOrder(SAME, '7', 500n))).toEqual(['h.quota → a.quota 5.00 CSH']);
  expect(legs(createGrantOrder(SAME, '7', -500n))).toEqual([
    'a.quota → a.quota* 5.00 CSH',
    'a.quota* → h.quota 5.00 CSH',
  ]);
});
