import type { DataPage, MicroOrder } from '@bourse/contract';
import { COIN_SCALE, percent, wouldBe } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { timeOf } from '@bourse/ui';
import { afterFee } from '../../../core/micro-result.js';

/** A closed row stays among the running ones this long (rules §4). */
export const LEAVES_AFTER_MS = 500;
/** Finer than any pair's price: what is compared is only whether one is above the other. */
const PRICE_SCALE = 18;

const isDecimal = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);

/** The stages of a running row. */
export type Stage = 'opening' | 'running' | 'settling' | 'closed';

/** Milliseconds until a contract expires; the whole length before its opening tick, never below zero. */
export function remaining(order: Pick<MicroOrder, 'expire_time' | 'seconds'>, serverNow: number): number {
  const expires = timeOf(order.expire_time);
  return expires === undefined ? order.seconds * 1_000 : Math.max(0, expires - serverNow);
}

export function stageOf(
  order: Pick<MicroOrder, 'status' | 'open_price' | 'expire_time' | 'seconds'>,
  now: number,
): Stage {
  if (order.status === 3) return 'closed';
  if (order.open_price === '') return 'opening';
  return remaining(order, now) > 0 ? 'running' : 'settling';
}

/**
 * The profit of a running contract at a price, after its fee: signed decimal text; empty before it opened or without a
 * price.
 */
export function wouldBeText(
  {
    type,
    open_price: open,
    number,
    profit_ratio: ratio,
    fee,
  }: Pick<MicroOrder, 'type' | 'open_price' | 'number' | 'profit_ratio' | 'fee'>,
  price: string,
): string {
  if (!isDecimal(open) || !isDecimal(price)) return '';
  const units = wouldBe(
    type === 1 ? 'up' : 'down',
    toUnits(open, PRICE_SCALE),
    toUnits(price, PRICE_SCALE),
    toUnits(number, COIN_SCALE),
    percent(ratio),
  );
  return afterFee(units, fee);
}

/** The running rows after a push or an answer: one row each, newest first, a closed one stays closed. */
export function withOrder(rows: readonly MicroOrder[], order: MicroOrder): MicroOrder[] {
  const held = rows.find(({ id }) => id === order.id);
  if (!held) return order.status === 1 ? [order, ...rows] : [...rows];
  return rows.map((row) => (row.id !== order.id || (row.status === 3 && order.status === 1) ? row : order));
}

export const withoutOrder = (rows: readonly MicroOrder[], id: string): MicroOrder[] =>
  rows.filter((row) => row.id !== id);

/** A closed order on top of the first page, once. */
export function closedPage(page: DataPage<MicroOrder>, order: MicroOrder): DataPage<MicroOrder> {
  if (page.data.some(({ id }) => id === order.id)) return page;
  return { ...page, data: [order, ...page.data], total: page.total + 1 };
}
