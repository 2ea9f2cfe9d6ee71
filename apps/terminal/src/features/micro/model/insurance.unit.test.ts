import { describe, expect, test } from '@jest/globals';
import { buyProblems, policyFigures, vaultPercent } from './insurance.js';
import { houseRows, outcomeRows } from './house.js';

const TYPE = {
  id: 1,
  currency_id: 5,
  currency_name: 'HAP',
  name: 'HAP',
  min_amount: '100',
  max_amount: '10000',
  premium_rate: '5',
  end_profit_rate: '100',
  claim_loss_rate: '50',
  claim_rate: '50',
  claims_per_day: 2,
  stake_rate: '2',
  max_open: 5,
  quota_left: '5000',
};

describe('insurance', () => {
  test('shows the figures of the worked example [MICROUI-030]', () => {
    expect(policyFigures('1000', TYPE)).toEqual({
      premium: '50',
      total: '1050',
      stake: '20',
      claimAt: '500',
      payout: '500',
      back: '1000',
      endAt: '2000',
    });
  });

  test('names reasons that prevent a purchase, in the order of the rules [MICROUI-031]', () => {
    const word = 'Abc123';
    const amount = (text: string, available?: string): string | undefined =>
      buyProblems({ amount: text, password: word }, TYPE, available).amount;
    expect([amount(''), amount('100.5'), amount('0'), amount('99'), amount('10001')]).toEqual([
      'insurance.whole',
      'insurance.whole',
      'insurance.whole',
      'insurance.range',
      'insurance.range',
    ]);
    expect([amount('5001'), amount('1000', '1049.99'), amount('1000', '1050'), amount('1000')]).toEqual([
      'insurance.quotaLeft',
      'insurance.tooLittle',
      undefined,
      undefined,
    ]);
    expect(buyProblems({ amount: '1000', password: '12345' }, TYPE, undefined)).toEqual({ password: 'fund.format' });
  });

  test('the vault in percent of the amount is cut [MICROUI-032]', () => {
    expect(vaultPercent({ amount: '300', vault: '200' })).toBe('66.66');
    expect(vaultPercent({ amount: '0', vault: '0' })).toBe('0.00');
  });
});

describe('the books of the house', () => {
  test('a line a product and coin, and outcomes with their share [MICROUI-040]', () => {
    expect(houseRows({ house: { micro: { USDT: { reserved: '50', owed_at_most: '50' } }, lever: {} } })).toEqual([
      { product: 'micro', coin: 'USDT', reserved: '50', owed: '50' },
    ]);
    expect(outcomeRows({ outcomes: { micro: { win: 1, loss: 2 }, lever: {} } })).toEqual([
      { product: 'micro', outcome: 'win', count: 1, share: '33.3' },
      { product: 'micro', outcome: 'loss', count: 2, share: '66.7' },
    ]);
    expect(outcomeRows({ outcomes: { micro: { void: 0 } } })[0]?.share).toBe('0.0');
  });
});
