import { baseOf, COIN_SCALE } from '@bourse/formulas';
import { hasExits, type PriceName, type Ticket, type TicketInputs, type TicketPair } from './ticket.js';
import { scalesOf, totalUnits, unitsOf, walkOf } from './ticket-units.js';

type TicketErrorKey =
  | 'cuy.pbPrice'
  | 'cuy.psPrice'
  | 'cuy.pbNum'
  | 'cuy.psNum'
  | 'trade.stopRequired'
  | 'trade.stopPrice'
  | 'trade.ocoSide'
  | 'trade.exitRequired'
  | 'trade.exitSide'
  | 'quantity.ruleMin'
  | 'balance.insufficient'
  | 'trade.bookEmpty';
export interface TicketError {
  readonly field: 'price' | 'amount' | 'total' | PriceName;
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
  if ((ticket.stopOn || ticket.ocoOn) && unitsOf(ticket.stopPrice, pair.priceScale) === 0n)
    return { field: 'stopPrice', key: 'trade.stopRequired' };
  const side = ticket.ocoOn ? pairFault(ticket, inputs, pair) : hasExits(ticket) && exitFault(ticket, inputs, pair);
  if (side) return side;
  if (ticket.mode === 'market' && !ticket.stopOn && inputs.opposite.length === 0)
    return { field: 'amount', key: 'trade.bookEmpty' };
  const needed = buy ? buyNeed(ticket, total, pair) : baseOf(scalesOf(pair), amount);
  if (inputs.available !== undefined && needed > unitsOf(inputs.available, COIN_SCALE))
    return { field: 'amount', key: 'balance.insufficient' };
  return undefined;
}

/** Whether a trade from one price to another is a gain, for a buyer or a seller; an unknown price is 0, and fits. */
const isGain = (buy: boolean, from: bigint, to: bigint): boolean =>
  from === 0n || to === 0n || (buy ? to > from : to < from);

/** The last price lies between the limit of a pair and its stop. */
function pairFault(ticket: Ticket, { lastPrice }: TicketInputs, { priceScale }: TicketPair): TicketError | undefined {
  const [price, stop, last] = [ticket.price, ticket.stopPrice, lastPrice].map((text) => unitsOf(text, priceScale)) as [
    bigint,
    bigint,
    bigint,
  ];
  const buy = ticket.side === 'buy';
  if (!isGain(buy, last, stop)) return { field: 'stopPrice', key: 'trade.stopPrice' };
  return isGain(buy, price, last) && isGain(buy, price, stop) ? undefined : { field: 'price', key: 'trade.ocoSide' };
}

/** At least one exit, each on its side of the price at which the order is expected to trade. */
function exitFault(ticket: Ticket, { lastPrice }: TicketInputs, { priceScale }: TicketPair): TicketError | undefined {
  const [price, profit, loss] = [
    ticket.mode === 'limit' ? ticket.price : lastPrice,
    ticket.takeProfit,
    ticket.stopLoss,
  ].map((text) => unitsOf(text, priceScale)) as [bigint, bigint, bigint];
  const buy = ticket.side === 'buy';
  if (profit === 0n && loss === 0n) return { field: 'takeProfit', key: 'trade.exitRequired' };
  if (!isGain(buy, price, profit)) return { field: 'takeProfit', key: 'trade.exitSide' };
  return isGain(buy, loss, price) && isGain(buy, loss, profit)
    ? undefined
    : { field: 'stopLoss', key: 'trade.exitSide' };
}

/** The least hold of a buy: of a pair the larger of the two needs. */
function buyNeed(ticket: Ticket, total: bigint, pair: TicketPair): bigint {
  if (!ticket.ocoOn) return total;
  const ofStop = totalUnits({ ...ticket, price: ticket.stopLimit || ticket.stopPrice }, pair);
  return ofStop > total ? ofStop : total;
}
