import { expect, test } from '@jest/globals';
import type { SpotFill, SpotOrder } from '@bourse/contract';
import { csvRow } from '@bourse/platform';
import { ORDER_COLUMNS, orderValues, TRADE_COLUMNS, tradeValues } from './order-csv.js';

const ORDER = {
  id: '81',
  client_order_id: '-SUM',
  ts: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  updated_ts: Date.UTC(2026, 0, 2, 3, 5),
  symbol: 'BTC/USDT',
  type: 2,
  order_type: 'stop_limit',
  time_in_force: 'GTC',
  target_price: '56000.00',
  stop_price: '56100.00',
  trigger_by: 'mark',
  trade_amount: '0.030000',
  filled_amount: '0.010000',
  trade_price: '56000.00',
  fee: '0.56000000',
  fee_currency: 'USDT',
  status: 1,
  cancelled: 0,
  cancel_reason: '',
} as unknown as SpotOrder;
const FILL = {
  id: 'BTC/USDT-7',
  order_id: '81',
  symbol: 'BTC/USDT',
  type: 1,
  price: '56000.00',
  number: '0.010000',
  total: '560.00000000',
  fee: '0.00001000',
  fee_currency: 'BTC',
  role: 'taker',
  ts: ORDER.ts,
} as unknown as SpotFill;

test('an order is a row of its texts in the list, and a client id is never a formula [SPOT-270]', () => {
  const values = orderValues(ORDER);
  expect(values).toHaveLength(ORDER_COLUMNS.length);
  expect(csvRow(values)).toBe(
    "2026-01-02T03:04:05.006Z,81,'-SUM,BTC/USDT,sell,stop_limit,GTC,56000.00,56100.00,0.030000,0.010000,56000.00," +
      '0.56000000,USDT,open,,2026-01-02T03:05:00.000Z,mark\n',
  );
});

test.each([
  [{ status: 1, cancelled: 0 }, 'open'],
  [{ status: 2, cancelled: 0 }, 'filled'],
  [{ status: 2, cancelled: 1 }, 'cancelled'],
] as const)('the state of an order %j is %s [SPOT-270]', (fields, state) => {
  expect(orderValues({ ...ORDER, ...fields })[ORDER_COLUMNS.indexOf('state')]).toBe(state);
});

test('a fill is a row of its texts in the list [SPOT-270]', () => {
  const values = tradeValues(FILL);
  expect(values).toHaveLength(TRADE_COLUMNS.length);
  expect(csvRow(values)).toBe(
    '2026-01-02T03:04:05.006Z,BTC/USDT-7,81,BTC/USDT,buy,56000.00,0.010000,560.00000000,0.00001000,BTC,taker\n',
  );
});
