import type { TypedNotice } from '@bourse/events';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { CLOSED_BY, type ClosedBy, type Position } from '../domain/position.js';
import type { LeverMarket } from './lever-markets.js';

/** Page of the terminal that lists positions. */
const LINK = '/leverList';
/** Kind of the notice by reason; a close by the owner sends none. */
const KINDS = {
  [CLOSED_BY.liquidation]: 'positionRisk',
  [CLOSED_BY.stop]: 'positionStop',
  [CLOSED_BY.target]: 'positionTarget',
  [CLOSED_BY.cover]: 'positionCover',
} as const;
const isNotified = (by: ClosedBy): by is keyof typeof KINDS => Object.hasOwn(KINDS, by);

/**
 * The personal notice of a close by liquidation, stop, target or cover; null for any other close.
 * @param scale decimals of the quote
 */
export function closedNotice(position: Position, market: LeverMarket, scale: number): TypedNotice | null {
  const { id, userId, closedBy, closeProfits, handledAt, changedAt } = position;
  if (!isNotified(closedBy)) return null;
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

/** The personal notice that the market has reached a trigger order and its position is open. */
export const openedNotice = ({ id, userId, price, scales, changedAt }: Position, market: LeverMarket): TypedNotice => ({
  userId,
  id: `lever:${id}:opened`,
  kind: 'positionOpened',
  params: { symbol: market.symbol, price: `${formatUnits(price, scales.priceScale)} ${market.quoteName}` },
  link: LINK,
  at: changedAt,
});
