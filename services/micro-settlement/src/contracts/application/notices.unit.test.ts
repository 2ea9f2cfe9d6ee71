import { describe, expect, test } from '@jest/globals';
import type { Claim, Policy } from '../../insurance/domain/policy.js';
import { settledNotice } from './notices.js';
import type { Closed } from './ports.js';
import { paidNotice } from '../../insurance/application/notices.js';

const CONTRACT = {
  id: '42',
  userId: 7,
  symbol: 'BTC/USDT',
  stake: 1_000_000_000n,
  scale: 8,
  currencyName: 'USDT',
  handledAt: 2_000,
} as Closed;

describe('a person with a stake gets a notice', () => {
  test.each([
    ['won', 800_000_000n, '+8 USDT'],
    ['lost', -1_000_000_000n, '-10 USDT'],
    ['came to nothing', 0n, '0 USDT'],
  ])('that a contract was %s, with stake and result [NOTICE-031]', (_, profits, profit) => {
    expect(settledNotice({ ...CONTRACT, profits })).toEqual({
      userId: 7,
      id: 'micro:42:settled',
      kind: 'microSettled',
      params: { symbol: 'BTC/USDT', amount: '10 USDT', profit },
      link: '/microReceipt?id=42',
      at: 2_000,
    });
  });

  test('that the insurance has paid [NOTICE-031]', () => {
    const claim = { id: '5', userId: 7, amount: 2_550_000_000n, scale: 8 } as Claim;
    expect(paidNotice(claim, { currencyName: 'HAP' } as Policy, 3_000)).toEqual({
      userId: 7,
      id: 'claim:5:paid',
      kind: 'claimPaid',
      params: { amount: '25.5 HAP' },
      link: '/microInsurance',
      at: 3_000,
    });
  });
});
