import { expect, test } from '@jest/globals';
import { inOrder, type Check } from './audit.js';

const check = (name: string, ok: 0 | 1): Check => ({ name, ok, detail: '' });
const round = [check('ledger.I1', 1), check('ledger.I2', 0), check('gateway.alarms', 1)];

test('the auditors’ round lists failed checks first and leaves no check out [CONSOLE-214]', () => {
  expect(inOrder(round).map(({ name }) => name)).toEqual(['ledger.I2', 'ledger.I1', 'gateway.alarms']);
  expect(inOrder(round, '0')).toEqual([check('ledger.I2', 0)]);
  expect(inOrder(round, '1', 'ledger')).toEqual([check('ledger.I1', 1)]);
});
