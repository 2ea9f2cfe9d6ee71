import { baseOf, COIN_SCALE } from '@bourse/formulas';
import type { Ticket, TicketInputs, TicketPair } from './ticket.js';
import { scalesOf, totalUnits, unitsOf, walkOf } from './ticket-units.js';

export type TicketErrorKey =
  | 'cuy.pbPrice'
  | 'cuy.psPrice'
  | 'cuy.pbNum'
  | 'cuy.psNum'
  | 'trade.stopRequired'
  | 'quantity.ruleMin'
  | 'balance.insufficient'
  | 'trade.bookEmpty';
export interface TicketError {
  readonly field: 'price' | 'amount' | 'total' | 'stopPrice';
  readonly key: TicketErrorKey;
  readonly params?: Readonly<Record<string, string>>;
}

/** The first fault, in the order of rules §12.6; undefined when the order may be sent. The server checks again. */
export function validateTicket(ticket: Ticket, inputs: TicketInputs, pair: TicketPair): TicketError | undefined {
  const buy = ticket.side === 'buy';
  if (ticket.mode === 'limit' && unitsOf(ticket.price, pair.priceScale) === 0n)
    return { field: 'price', key: buy ? 'cuy.pbPrice' : 'cuy.psPrice' };
  const amount = unitsOf(ticket.amount, pair.numberScale);
  if (amount === 0n) return { field: 'amount', key: buy ? 'cuy.pbNum' : 'cuy.psNum' };
  const total = ticket.mode === 'limit' ? totalUnits(ticket, pair) : walkOf(inputs.opposite, amount, pair).cost;
  if (ticket.mode === 'limit' && total < unitsOf(pair.minTotal, COIN_SCALE))
    return { field: 'total', key: 'quantity.ruleMin', params: { min: pair.minTotal } };
  if (ticket.stopOn && unitsOf(ticket.stopPrice, pair.priceScale) === 0n)
    return { field: 'stopPrice', key: 'trade.stopRequired' };
  if (ticket.mode === 'market' && !ticket.stopOn && inputs.opposite.length === 0)
    return { field: 'amount', key: 'trade.bookEmpty' };
  const needed = buy ? total : baseOf(scalesOf(pair), amount);
  if (inputs.available !== undefined && needed > unitsOf(inputs.available, COIN_SCALE))
    return { field: 'amount', key: 'balance.insufficient' };
  return undefined;
}
