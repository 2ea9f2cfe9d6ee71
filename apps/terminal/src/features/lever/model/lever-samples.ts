import type { LeverDeal, LeverPosition } from '@bourse/contract';

/*
 * The pair, the terms and the position of the worked example of rules §3, for tests.
 */

export const LEVER_PAIR = { price_scale: 2, number_scale: 6 } as const;

export const LEVER_DEAL: LeverDeal = {
  last_price: '60000.00',
  mark_price: '60000.00',
  multiple: { muit: [{ value: 20 }], share: [{ value: 1 }] },
  all_levers: '0',
  user_lever: '1000',
  lever_share_limit: { min: 1, max: 1000 },
  lever_share_num: '0.01',
  spread: '0.1',
  lever_trade_fee: '0.05',
  overnight: '0.001',
  burst_rate: '110',
  open_rate: '120',
  hazard_rate: '0.00',
  my_transaction: [],
};

const ROW: LeverPosition = {
  id: '1',
  legal: 'USDT',
  currency: 'BTC',
  legal_id: 3,
  currency_id: 1,
  symbol: 'BTC/USDT',
  type: 1,
  status: 1,
  status_name: '',
  share: 10,
  number: '0.1',
  multiple: 20,
  price: '60060.00',
  origin_price: '60000.00',
  update_price: '61000.00',
  caution_money: '300.3',
  origin_caution_money: '300.3',
  target_profit_price: '0',
  stop_loss_price: '0',
  profits: '94',
  fund_paid: '0',
  trade_fee: '3.003',
  overnight: '0.001',
  overnight_money: '0',
  liquidation_price: '53393.33',
  closed_type: 0,
  time: '2026-01-01 00:00:00',
  create_time: '2026-01-01 00:00:00',
  ts: 1_767_225_600_000,
  updated_ts: 1_767_225_600_000,
  transaction_time: '2026-01-01 00:00:00',
  handle_time: '',
  client_id: '',
};

/** The position of the example at a mark price of 61,000, changed by what is given. */
export const leverRow = (given: Partial<LeverPosition> = {}): LeverPosition => ({ ...ROW, ...given });
