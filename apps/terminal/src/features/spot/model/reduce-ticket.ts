import { COIN_SCALE } from '@bourse/formulas';
import { divide, formatTrimmed, formatUnits, pow10, trimZeros } from '@bourse/money';
import { acceptTyping } from '../../../core/ticket/typing.js';
import {
  emptyTicket,
  isMarket,
  isStop,
  scaleOf,
  type Percent,
  type Side,
  type Ticket,
  type TicketAction,
  type TicketInputs,
  type TicketPair,
} from './ticket.js';
import { cutTo, dearestPrice, lotsFor, totalUnits, unitsOf } from './ticket-units.js';

/** Amounts set by percent keep 4 decimals (rules §2). */
const PERCENT_SCALE = 4;

/**
 * The ticket after one action. A change that a field refuses leaves the ticket as it was.
 * @param opposite levels of the other side, for a market order by its total or by a share of the balance
 */
export function reduceTicket(
  ticket: Ticket,
  action: TicketAction,
  pair: TicketPair,
  opposite: TicketInputs['opposite'] = [],
): Ticket {
  const relate = (next: Ticket): Ticket => related(next, pair, opposite);
  switch (action.type) {
    case 'price': {
      const price = acceptTyping(action.text, pair.priceScale);
      return price === undefined ? ticket : relate(withoutShare({ ...ticket, price }));
    }
    case 'suggest': {
      // Decided here, on the ticket as it is when its turn comes: what was typed a moment before the price arrived
      // stands.
      const units = unitsOf(action.text, pair.priceScale);
      return ticket.price !== '' || units === 0n
        ? ticket
        : relate(withoutShare({ ...ticket, price: formatUnits(units, pair.priceScale) }));
    }
    case 'stopPrice':
    case 'stopLimit':
    case 'trail':
    case 'activation': {
      const price = acceptTyping(action.text, scaleOf(action.type, ticket, pair));
      return price === undefined ? ticket : withoutShare({ ...ticket, [action.type]: price });
    }
    case 'takeProfit':
    case 'stopLoss': {
      const price = acceptTyping(action.text, pair.priceScale);
      return price === undefined ? ticket : { ...ticket, [action.type]: price };
    }
    case 'amount': {
      const amount = acceptTyping(action.text, pair.numberScale);
      return amount === undefined ? ticket : relate({ ...ticket, amount, driver: 'amount', percent: 0 });
    }
    case 'total': {
      const total = acceptTyping(action.text, COIN_SCALE);
      return total === undefined ? ticket : relate({ ...ticket, total, driver: 'total', percent: 0 });
    }
    case 'step': {
      const scale = scaleOf(action.field, ticket, pair);
      const stepped = unitsOf(ticket[action.field], scale) + BigInt(action.ticks);
      const text = formatUnits(stepped < 0n ? 0n : stepped, scale);
      const next = { ...ticket, [action.field]: text };
      if (action.field === 'amount') return relate({ ...next, driver: 'amount', percent: 0 });
      if (action.field === 'takeProfit' || action.field === 'stopLoss') return next;
      return withoutShare(action.field === 'price' ? relate(next) : next);
    }
    case 'percent': {
      const { side, kind } = ticket;
      const { percent, available, lastPrice } = action;
      const amount =
        side === 'buy' && kind === 'market'
          ? percentBought(percent, available, opposite, pair)
          : percentAmount({
              side,
              percent,
              available,
              price: dearestPrice(ticket, lastPrice, pair),
              numberScale: pair.numberScale,
            });
      return relate({ ...ticket, percent, amount, driver: 'amount' });
    }
    case 'pick':
      // A price from the book means a limit order at exactly that price; the amount typed before is kept (terminal rule
      // 3).
      return relate({
        ...withoutShare(ticket),
        kind: 'limit',
        price: trimZeros(action.price),
        ...(action.amount === undefined
          ? {}
          : { amount: cutTo(action.amount, pair.numberScale), driver: 'amount' as const, percent: 0 as const }),
      });
    case 'kind': {
      const { kind } = action;
      const isPair = kind === 'oco';
      const next: Ticket = {
        ...(kind === ticket.kind ? ticket : withoutShare(ticket)),
        kind,
        stopPrice: isStop(action) || isPair ? ticket.stopPrice : '',
        stopLimit: isPair ? ticket.stopLimit : '',
        ...(kind !== 'trailing_stop' && { trail: '', activation: '' }),
      };
      return relate({ ...next, ...(isMarket(next) && { driver: 'amount' as const }) });
    }
    case 'trailBy':
      return action.trailBy === ticket.trailBy
        ? ticket
        : withoutShare({ ...ticket, trailBy: action.trailBy, trail: '' });
    case 'triggerBy':
      return { ...ticket, triggerBy: action.triggerBy };
    case 'timeInForce':
      return { ...ticket, timeInForce: action.timeInForce, postOnly: ticket.postOnly && action.timeInForce === 'GTC' };
    case 'postOnly':
      return { ...ticket, postOnly: action.on, timeInForce: action.on ? 'GTC' : ticket.timeInForce };
    case 'exits':
      return { ...ticket, exitsOn: action.on, ...(!action.on && { takeProfit: '', stopLoss: '' }) };
    case 'settle':
      return ticket.kind === 'market' && ticket.driver === 'total' ? relate(ticket) : ticket;
    case 'reset': {
      const { side, kind, price, timeInForce, postOnly, exitsOn, trailBy, triggerBy } = ticket;
      return { ...emptyTicket(side), kind, price, timeInForce, postOnly, exitsOn, trailBy, triggerBy };
    }
  }
}

/**
 * The ticket after a change of the price at which a buy is paid: its amount stays, so the chosen percent is no longer
 * the share of the balance. That of a sale stays true: it is of the coins alone.
 */
const withoutShare = (ticket: Ticket): Ticket => (ticket.side === 'buy' ? { ...ticket, percent: 0 } : ticket);

/**
 * Slider (rules §2): buy = balance × percent / price, sell = balance × percent, both down to 4 decimals. Empty when
 * there is no price to divide by.
 */
export function percentAmount({
  side,
  percent,
  available,
  price,
  numberScale,
}: {
  side: Side;
  percent: Percent;
  available: string;
  price: string;
  numberScale: number;
}): string {
  const scale = Math.min(PERCENT_SCALE, numberScale);
  const balance = unitsOf(available, COIN_SCALE);
  const part = balance * BigInt(percent);
  if (side === 'sell') return formatTrimmed(divide(part, 100n * pow10(COIN_SCALE - scale), 'down'), scale);
  const priceUnits = unitsOf(price, COIN_SCALE);
  if (priceUnits === 0n) return '';
  return formatTrimmed(divide(part * pow10(scale), 100n * priceUnits, 'down'), scale);
}

/** The amount that a share of the balance buys in the shown asks (rules §2), down to 4 decimals; empty without asks. */
function percentBought(percent: Percent, available: string, asks: TicketInputs['opposite'], pair: TicketPair): string {
  if (asks.length === 0) return '';
  const scale = Math.min(PERCENT_SCALE, pair.numberScale);
  const lots = lotsFor(asks, (unitsOf(available, COIN_SCALE) * BigInt(percent)) / 100n, pair);
  return formatTrimmed(divide(lots, pow10(pair.numberScale - scale), 'down'), scale);
}

/** Recomputes price, amount and total: the field that the person edited last keeps its value. */
function related(ticket: Ticket, pair: TicketPair, opposite: TicketInputs['opposite']): Ticket {
  if (isMarket(ticket)) {
    if (ticket.driver !== 'total' || ticket.kind !== 'market') return { ...ticket, driver: 'amount', total: '' };
    const lots = lotsFor(opposite, unitsOf(ticket.total, COIN_SCALE), pair);
    return { ...ticket, amount: lots === 0n ? '' : formatTrimmed(lots, pair.numberScale) };
  }
  const price = unitsOf(ticket.price, pair.priceScale);
  if (ticket.driver === 'total') {
    if (ticket.total === '') return { ...ticket, amount: '' };
    if (price === 0n) return ticket;
    const total = unitsOf(ticket.total, COIN_SCALE);
    const amount = divide(total * pow10(pair.priceScale + pair.numberScale), price * pow10(COIN_SCALE), 'down');
    return { ...ticket, amount: formatTrimmed(amount, pair.numberScale) };
  }
  if (ticket.amount === '' || price === 0n) return { ...ticket, total: '' };
  return { ...ticket, total: formatTrimmed(totalUnits(ticket, pair), COIN_SCALE) };
}
