import { toUnits } from '@bourse/money';
import type { TradeRow } from '../../application/ports.js';
import { SCALE } from '../../domain/candle.js';

/** Columns of `trade` that `tradeOf` reads. */
export const TRADE_COLUMNS =
  'sequence, price, quantity, taker_side, (extract(epoch from at) * 1000)::bigint as at, house, counted';

/** A row of `trade` as the driver returns it. */
export interface StoredTrade {
  sequence: string;
  price: string;
  quantity: string;
  taker_side: 'buy' | 'sell';
  at: string;
  house: boolean;
  counted: boolean;
}

/** A stored trade in units. */
export const tradeOf = (row: StoredTrade): TradeRow => ({
  sequence: Number(row.sequence),
  price: toUnits(row.price, SCALE),
  quantity: toUnits(row.quantity, SCALE),
  takerSide: row.taker_side,
  at: Number(row.at),
  house: row.house,
  counted: row.counted,
});
