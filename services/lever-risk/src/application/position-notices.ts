import type { ToldNotice } from '@bourse/events';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { CLOSED_BY, type ClosedBy, type Position } from '../domain/position.js';
import type { LeverMarket } from './lever-markets.js';

/** Where the terminal lists positions. */
const LINK = '/leverList';
/** What people are told of; what they close themselves they know. */
const KINDS = {
  [CLOSED_BY.burst]: 'positionRisk',
  [CLOSED_BY.stop]: 'positionStop',
  [CLOSED_BY.target]: 'positionTarget',
  [CLOSED_BY.cover]: 'positionCover',
} as const;
const isTold = (by: ClosedBy): by is keyof typeof KINDS => Object.hasOwn(KINDS, by);

/**
 * The personal notice of a position that risk, a trigger or the loss of another has closed; null: another close.
 * `scale` is that of the quote.
 */
export function closedNotice(position: Position, market: LeverMarket, scale: number): ToldNotice | null {
  const { id, userId, closedBy, closeProfits, handledAt, changedAt } = position;
  if (!isTold(closedBy)) return null;
  const sign = closeProfits > 0n ? '+' : '';
  return {
    userId,
    id: `lever:${id}:closed`,
    kind: KINDS[closedBy],
    params: { symbol: market.symbol, profit: `${sign}${formatTrimmed(closeProfits, scale)} ${market.quoteName}` },
    link: LINK,
    at: handledAt ?? changedAt,
  };
}

/** The personal notice that the market has touched an order, and its position is open. */
export const openedNotice = ({ id, userId, price, scales, changedAt }: Position, market: LeverMarket): ToldNotice => ({
  userId,
  id: `lever:${id}:opened`,
  kind: 'positionOpened',
  params: { symbol: market.symbol, price: `${formatUnits(price, scales.priceScale)} ${market.quoteName}` },
  link: LINK,
  at: changedAt,
});
