import { baseOf, COIN_SCALE } from '@bourse/formulas';
import {
  hasExits,
  isMarket,
  isStop,
  scaleOf,
  type PriceName,
  type Ticket,
  type TicketInputs,
  type TicketPair,
} from './ticket.js';
import { dearestPrice, holdAt, scalesOf, totalUnits, unitsOf, walkOf } from './ticket-units.js';

type TicketErrorKey =
  | 'cuy.pbPrice'
  | 'cuy.psPrice'
  | 'cuy.pbNum'
  | 'cuy.psNum'
  | 'trade.stopRequired'
  | 'trade.stopPrice'
  | 'trade.ocoSide'
  | 'trade.trail'
  | 'trade.activationPrice'
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
  const limited = !isMarket(ticket);
  if (limited && unitsOf(ticket.price, pair.priceScale) === 0n)
    return { field: 'price', key: buy ? 'cuy.pbPrice' : 'cuy.psPrice' };
  const amount = unitsOf(ticket.amount, pair.numberScale);
  if (amount === 0n) return { field: 'amount', key: buy ? 'cuy.pbNum' : 'cuy.psNum' };
  const total = limited ? totalUnits(ticket, pair) : walkOf(inputs.opposite, amount, pair).cost;
  if (limited && total < unitsOf(pair.minTotal, COIN_SCALE))
    return { field: 'total', key: 'quantity.ruleMin', params: { min: pair.minTotal } };
  if ((isStop(ticket) || ticket.kind === 'oco') && unitsOf(ticket.stopPrice, pair.priceScale) === 0n)
    return { field: 'stopPrice', key: 'trade.stopRequired' };
  const fault = {
    oco: pairFault,
    trailing_stop: trailFault,
    stop_limit: undefined,
    stop_market: undefined,
    limit: hasExits(ticket) ? exitFault : undefined,
    market: hasExits(ticket) ? exitFault : undefined,
  }[ticket.kind]?.(ticket, inputs, pair);
  if (fault) return fault;
  if (ticket.kind === 'market' && inputs.opposite.length === 0) return { field: 'amount', key: 'trade.bookEmpty' };
  const needed = !buy
    ? baseOf(scalesOf(pair), amount)
    : ticket.kind === 'market'
      ? total
      : holdAt(dearestPrice(ticket, inputs.lastPrice, pair), amount, pair);
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
  const [price, profit, loss] = [isMarket(ticket) ? lastPrice : ticket.price, ticket.takeProfit, ticket.stopLoss].map(
    (text) => unitsOf(text, priceScale),
  ) as [bigint, bigint, bigint];
  const buy = ticket.side === 'buy';
  if (profit === 0n && loss === 0n) return { field: 'takeProfit', key: 'trade.exitRequired' };
  if (!isGain(buy, price, profit)) return { field: 'takeProfit', key: 'trade.exitSide' };
  return isGain(buy, loss, price) && isGain(buy, loss, profit)
    ? undefined
    : { field: 'stopLoss', key: 'trade.exitSide' };
}

/** A trail within its bounds (rules §2), and an activation price on the side of a gain. */
function trailFault(ticket: Ticket, { lastPrice }: TicketInputs, pair: TicketPair): TicketError | undefined {
  const trail = unitsOf(ticket.trail, scaleOf('trail', ticket, pair));
  const [activation, last] = [ticket.activation, lastPrice].map((text) => unitsOf(text, pair.priceScale)) as [
    bigint,
    bigint,
  ];
  const buy = ticket.side === 'buy';
  const from = activation || last;
  const isWithin =
    ticket.trailBy === 'percent' ? trail >= 10n && trail <= 2_000n : trail > 0n && (buy || from === 0n || trail < from);
  if (!isWithin) return { field: 'trail', key: 'trade.trail' };
  const isAhead = last === 0n || (buy ? activation < last : activation > last);
  return ticket.activation === '' || (activation > 0n && isAhead)
    ? undefined
    : { field: 'activation', key: 'trade.activationPrice' };
}
