import { expect, test } from '@jest/globals';
import type { LeverDeal, LeverPosition } from '@bourse/contract';
import { LEVER_DEAL, LEVER_PAIR, leverRow } from './lever-samples.js';
import { judgeOpposite, oppositeFields } from './reverse.js';

const LONG = leverRow({ price: '60060.00', update_price: '60000.00', profits: '-6' });
const judge = (row: LeverPosition, deal: Partial<LeverDeal>, others: readonly LeverPosition[] = []) =>
  judgeOpposite(row, [row, ...others], { ...LEVER_DEAL, ...deal }, LEVER_PAIR);

test('the opposite has as many contracts and the same multiple, at the market and without stops [LEVERUI-043]', () => {
  const stops = leverRow({ target_profit_price: '61000', stop_loss_price: '59000' });
  expect(oppositeFields(stops)).toEqual({ type: 2, status: 1, multiple: 20, share: '10' });
  expect(oppositeFields(leverRow({ type: 2, share: 3, multiple: 5 }))).toEqual({
    type: 1,
    status: 1,
    multiple: 5,
    share: '3',
  });
});

test('the opposite is judged on what the close leaves: balance, margin and result [LEVERUI-043]', () => {
  // 696.697 and the margin of 300.3, less a loss of 6: 990.997. The short opens at 59,940.
  const { figures, fault } = judge(LONG, { user_lever: '696.697' });
  expect(fault).toBeUndefined();
  expect(figures).toMatchObject({ price: '59940.00', caution_money: '299.7', trade_fee: '2.997' });
  // (990.997 − 2.997 − 6) / 299.7
  expect(figures?.hazard_rate).toBe('327.66');
});

test('an opposite that would be refused is refused before the position closes [LEVERUI-043]', () => {
  expect(judge(LONG, { user_lever: '0' }).fault?.key).toBe('balance.insufficient');
  expect(judge(leverRow({ profits: '-900' }), { user_lever: '696.697' }).fault?.key).toBe('balance.insufficient');
  expect(judge(LONG, { user_lever: '40' }).fault?.key).toBe('lever.riskOpen');
  expect(judge(LONG, { lever_share_limit: { min: 1, max: 9 } }).fault).toEqual({
    key: 'lever.shareMax',
    params: { max: '9' },
  });
  expect(judge(LONG, { multiple: { muit: [{ value: 10 }], share: [] } }).fault).toEqual({
    key: 'lever.multipleGone',
    params: { multiple: '20' },
  });
});

test('other positions of the quote count for the opposite as they do for an order [LEVERUI-043]', () => {
  const loser = leverRow({ id: '2', type: 2, profits: '-700' });
  expect(judge(LONG, { user_lever: '696.697' }, [loser]).fault?.key).toBe('lever.riskOpen');
});
