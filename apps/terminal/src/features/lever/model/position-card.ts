import type { LeverPosition, QuotationItem } from '@bourse/contract';
import { arrowOf, directionOf, formatBookPrice, formatChange, timeOf } from '@bourse/ui';
import { roiOf } from './positions.js';

/** Texts and numbers of a position's picture. Without amounts, balance or account: it is made to be shown to others. */
export interface PositionCard {
  readonly symbol: string;
  readonly isLong: boolean;
  readonly multiple: number;
  /** Return on the margin with arrow and sign, such as `▲ +31.30%`. */
  readonly roi: string;
  readonly direction: -1 | 0 | 1;
  readonly openPrice: string;
  readonly price: string;
  /** Whether `price` is the price of the close; else it is the mark price. */
  readonly isClosed: boolean;
  /** When it was closed, else when the picture was made; in UTC, because readers live anywhere. */
  readonly time: string;
  /** The source of the pair's prices: a simulated one must be named (rules §17). */
  readonly feed: QuotationItem['feed'];
}

/** The picture of a position; null while it has no return: not opened, revoked, or without a margin. */
export function cardOf(
  row: LeverPosition,
  pair: Pick<QuotationItem, 'price_scale' | 'feed'>,
  nowMs: number,
): PositionCard | null {
  const roi = row.status === 0 || row.status === 4 ? '' : roiOf(row);
  if (roi === '') return null;
  const isClosed = row.status === 3;
  const at = (isClosed ? timeOf(row.handle_time) : undefined) ?? nowMs;
  return {
    symbol: row.symbol,
    isLong: row.type === 1,
    multiple: row.multiple,
    roi: `${arrowOf(roi)} ${formatChange(roi)}`.trim(),
    direction: directionOf(roi),
    openPrice: formatBookPrice(row.price, pair.price_scale),
    price: formatBookPrice(row.update_price, pair.price_scale),
    isClosed,
    time: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    feed: pair.feed,
  };
}
