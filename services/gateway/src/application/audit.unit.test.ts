import { expect, test } from '@jest/globals';
import type { AuditFlow } from '@bourse/messaging';
import { differing, holdDifferences, passed, type Moved } from './audit.js';

test('holds of orders and open orders must agree in both directions, whatever the notation [EDGE-018]', () => {
  const held = [{ hold: 'order:1', currency: 3, amount: '10.00000000' }, { hold: 'order:2', currency: 1, amount: '0.5' }, { hold: 'withdrawal:1', currency: 3, amount: '7' }, { hold: 'order:4', currency: 3, amount: '0' }];
  expect(holdDifferences(held, [{ hold: 'order:1', currency: 3, amount: '10' }, { hold: 'order:2', currency: 1, amount: '0.5' }])).toEqual([]);
  expect(holdDifferences(held, [{ hold: 'order:1', currency: 3, amount: '9' }, { hold: 'order:3', currency: 1, amount: '1' }])).toEqual([
    'order:1 currency 3: 10.00000000 held, 9 needed', 'order:3 currency 1: 0 held, 1 needed', 'order:2 currency 1: 0.5 held for no open order',
  ]);
});

test('a reader has passed a writer when it stands at or behind every head of the topic, whoever of its consumers it was [AUDIT-006]', () => {
  const writer = { heads: { 'spot.0>ledger.commands/0': 7, 'spot.0>user.events/0': 90 }, positions: {}, deadLetters: 0 };
  const reader = (number: number): AuditFlow => ({ heads: {}, positions: { 'ledger.reference': {}, 'ledger.writer': { 'spot.0>ledger.commands/0': number } }, deadLetters: 0 });
  expect([6, 7, 8].map((number) => passed(writer, reader(number), 'ledger.commands'))).toEqual([false, true, true]);
  expect(passed({ ...writer, heads: { ...writer.heads, 'spot.1>ledger.commands/1': 1 } }, reader(8), 'ledger.commands')).toBe(false);
});

test('blocks differ where one is missing or says something else; the order of currencies says nothing [AUDIT-006]', () => {
  const block = (from: number, sides: number, sums: Record<string, string[]>): Moved => ({ from, sides, sums });
  const [first, second] = [block(1, 2_000, { 1: ['1'], 3: ['2'] }), block(1_001, 4, { 1: ['5'] })];
  expect(differing([first, second], [block(1_001, 4, { 1: ['5'] }), block(1, 2_000, { 3: ['2'], 1: ['1'] })])).toBeNull();
  expect(differing([first, second], [first])).toBe(1_001);
  expect(differing([first], [first, second])).toBe(1_001);
  expect(differing([first, second], [block(1, 2_000, { 1: ['1'], 3: ['3'] }), second])).toBe(1);
  expect(differing([first], [block(1, 1_999, { 1: ['1'], 3: ['2'] })])).toBe(1);
});
