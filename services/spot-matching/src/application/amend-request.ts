import { refuse, Refused } from '@bourse/platform';
import { holdFor, isMarket, type Order, numberText } from '@bourse/matching';
import type { ListedMarket, Markets } from './markets.js';
import type { AmendOrderBody } from './order-fields.js';
import { checkExits, checkTotal, lotsWithin, readPrice, readQuantity, ticksWithin } from './order-request.js';

/** An amend that passed all checks but the balance. */
export interface AmendRequest {
  readonly market: ListedMarket;
  /** Ticks and lots; null: it stays as it is. */
  readonly price: number | null;
  readonly quantity: number | null;
  /** Units that the ledger is to hold, beside what the order holds as it is now. */
  readonly more: bigint;
}

/**
 * Reads an amend of an open order in the order of rules §12.6, by the checks of a new order.
 * @throws Refused with the key of the first check that fails.
 */
export function readAmend(order: Order, fields: AmendOrderBody, markets: Markets): AmendRequest {
  const market = markets.byPair(order.pairId);
  if (!market) throw new Refused('common.notFound');
  if (!market.openSpot) throw new Refused('pair.delisted');
  if (order.type === 'trailing_stop') throw new Refused('trade.trailing');
  const { side } = order;
  const [hasPrice, hasAmount] = [fields.price?.text !== undefined, fields.quantity?.text !== undefined];
  if (!hasPrice && !hasAmount) throw refuse('common.fieldRequired', 'target_price');
  // An order without a limit price has none to change.
  if (hasPrice && isMarket(order)) throw refuse('trade.flags', 'target_price');
  const price = hasPrice ? readPrice(fields.price, side, market) : null;
  const amount = hasAmount ? readQuantity(fields.quantity, side, market) : null;
  const ticks = price === null ? null : ticksWithin(price, market);
  const lots = amount === null ? null : lotsWithin(amount, market);
  const [priceThen, quantityThen] = [ticks ?? order.price, lots ?? order.quantity];
  checkTotal(market, isMarket(order) ? order.stopPrice : priceThen, quantityThen);
  if (ticks !== null) checkExits(order, ticks);
  if (quantityThen <= order.filled)
    throw new Refused('trade.amountFilled', { filled: numberText(market, order.filled) }, { field: 'amount' });
  if (markets.depth(market)?.mode !== 'normal') throw new Refused('market.paused');
  const needed = holdFor(market, order, priceThen, quantityThen - order.filled);
  const more = needed > order.holdLeft ? needed - order.holdLeft : 0n;
  return { market, price: ticks, quantity: lots, more };
}
