import type { SpotFill, SpotOrder } from '@bourse/contract';
import { SIDE_NAMES } from '@bourse/matching';
import type { CsvValues } from '@bourse/platform';

/*
 * Rows of the files of own orders and trades (api §2.3). Figures are the texts of the lists, so that file and list
 * agree to the digit [SPOT-270].
 */

export const ORDER_COLUMNS = [
  'time',
  'order_id',
  'client_order_id',
  'pair',
  'side',
  'type',
  'time_in_force',
  'price',
  'stop_price',
  'amount',
  'filled',
  'average_price',
  'fee',
  'fee_currency',
  'state',
  'cancel_reason',
  'updated',
  'trigger_by',
] as const;
/** Writes an order as a row of `ORDER_COLUMNS`. */
export const orderValues = (order: SpotOrder): CsvValues => [
  isoTime(order.ts),
  order.id,
  order.client_order_id,
  order.symbol,
  sideName(order.type),
  order.order_type,
  order.time_in_force,
  order.target_price,
  order.stop_price,
  order.trade_amount,
  order.filled_amount,
  order.trade_price,
  order.fee,
  order.fee_currency,
  stateName(order),
  order.cancel_reason,
  isoTime(order.updated_ts),
  order.trigger_by ?? '',
];

export const TRADE_COLUMNS = [
  'time',
  'trade_id',
  'order_id',
  'pair',
  'side',
  'price',
  'amount',
  'total',
  'fee',
  'fee_currency',
  'role',
] as const;
/** Writes a fill as a row of `TRADE_COLUMNS`. */
export const tradeValues = (fill: SpotFill): CsvValues => [
  isoTime(fill.ts),
  fill.id,
  fill.order_id,
  fill.symbol,
  sideName(fill.type),
  fill.price,
  fill.number,
  fill.total,
  fill.fee,
  fill.fee_currency,
  fill.role,
];

/** ISO 8601 in UTC, with its offset. */
const isoTime = (ms: number): string => new Date(ms).toISOString();
const sideName = (type: 1 | 2): string => SIDE_NAMES[type === 1 ? 0 : 1];
const stateName = ({ status, cancelled }: SpotOrder): string =>
  status === 1 ? 'open' : cancelled === 1 ? 'cancelled' : 'filled';
