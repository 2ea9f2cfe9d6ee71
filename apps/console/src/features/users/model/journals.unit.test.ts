import { expect, test } from '@jest/globals';
import { ownLegs } from './journals.js';

test('the page of a person shows the legs of the person, not those of the house [CONSOLE-113]', () => {
  const leg = (owner: string, amount: string) => ({
    owner,
    account: 'change',
    state: 'available' as const,
    currency: 'USDT',
    amount,
  });
  expect(ownLegs({ legs: [leg('100001', '5'), leg('h.outside', '-5'), leg('1000010', '1')] }, 100_001)).toEqual([
    leg('100001', '5'),
  ]);
});
