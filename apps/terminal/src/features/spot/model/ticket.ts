import { baseOf, COIN_SCALE, feeOf, percent, quoteOf, walk, type PairScales, type Walk } from '@bourse/formulas';
import { divide, formatTrimmed, formatUnits, pow10, toUnits, trimZeros } from '@bourse/money';
import { createTicket } from '../../../core/ticket/create-ticket.js';
import { acceptTyping, toDecimalText } from '../../../core/ticket/typing.js';

export type Side = 'buy' | 'sell';
export type Mode = 'limit' | 'market';
export type Percent = 0 | 25 | 50 | 75 | 100;
export const PERCENTS: readonly Percent[] = [0, 25, 50, 75, 100];

/** What the ticket must know of its pair. */
export interface TicketPair {
  readonly priceScale: number;
  readonly numberScale: number;
  readonly minTotal: string;
  readonly takerFee: string;
  readonly makerFee: string;
}

/**
 * One side's form. The texts are what the fields show; `driver` is the one edited last of amount and total, and wins
 * over the other.
 */
export interface Ticket {
  readonly side: Side;
  readonly mode: Mode;
  readonly price: string;
  readonly amount: string;
  readonly total: string;
  readonly driver: 'amount' | 'total';
  readonly percent: Percent;
  /** Stop order: shown under the advanced switch. */
  readonly stopOn: boolean;
  readonly stopPrice: string;
}

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'price' | 'amount' | 'total' | 'stopPrice'; readonly text: string }
  | { readonly type: 'suggest'; readonly text: string }
  | { readonly type: 'step'; readonly field: 'price' | 'amount' | 'stopPrice'; readonly ticks: number }
  | { readonly type: 'percent'; readonly percent: Percent; readonly available: string; readonly bestAsk: string }
  | { readonly type: 'pick'; readonly price: string; readonly amount?: string }
  | { readonly type: 'stop'; readonly on: boolean }
  | { readonly type: 'reset' };

/** Amounts set by percent keep 4 decimals (rules §2). */
const PERCENT_SCALE = 4;

export const emptyTicket = (side: Side): Ticket => ({
  side,
  mode: 'limit',
  price: '',
  amount: '',
  total: '',
  driver: 'amount',
  percent: 0,
  stopOn: false,
  stopPrice: '',
});

/** The ticket after one action. A change that a field refuses leaves the ticket as it was. */
export function reduceTicket(ticket: Ticket, action: TicketAction, pair: TicketPair): Ticket {
  switch (action.type) {
    case 'mode':
      return relate({ ...ticket, mode: action.mode, driver: 'amount' }, pair);
    case 'price': {
      const price = acceptTyping(action.text, pair.priceScale);
      return price === undefined ? ticket : relate({ ...ticket, price }, pair);
    }
    case 'suggest': {
      // Decided here, on the ticket as it is when its turn comes: what was typed a moment before the price arrived
      // stands.
      const units = unitsOf(action.text, pair.priceScale);
      return ticket.price !== '' || units === 0n
        ? ticket
        : relate({ ...ticket, price: formatUnits(units, pair.priceScale) }, pair);
    }
    case 'stopPrice': {
      const stopPrice = acceptTyping(action.text, pair.priceScale);
      return stopPrice === undefined ? ticket : { ...ticket, stopPrice };
    }
    case 'amount': {
      const amount = acceptTyping(action.text, pair.numberScale);
      return amount === undefined ? ticket : relate({ ...ticket, amount, driver: 'amount', percent: 0 }, pair);
    }
    case 'total': {
      const total = acceptTyping(action.text, COIN_SCALE);
      return total === undefined ? ticket : relate({ ...ticket, total, driver: 'total', percent: 0 }, pair);
    }
    case 'step': {
      const scale = action.field === 'amount' ? pair.numberScale : pair.priceScale;
      const stepped = unitsOf(ticket[action.field], scale) + BigInt(action.ticks);
      const text = formatUnits(stepped < 0n ? 0n : stepped, scale);
      const next = { ...ticket, [action.field]: text };
      return action.field === 'stopPrice'
        ? next
        : relate(action.field === 'amount' ? { ...next, driver: 'amount', percent: 0 } : next, pair);
    }
    case 'percent': {
      const price = ticket.mode === 'market' ? action.bestAsk : toDecimalText(ticket.price);
      const amount = percentAmount({
        side: ticket.side,
        percent: action.percent,
        available: action.available,
        price,
        numberScale: pair.numberScale,
      });
      return relate({ ...ticket, percent: action.percent, amount, driver: 'amount' }, pair);
    }
    case 'pick':
      // A price from the book means a limit order at exactly that price; the amount typed before is kept (terminal rule
      // 3).
      return relate(
        {
          ...ticket,
          mode: 'limit',
          price: trimZeros(action.price),
          ...(action.amount === undefined
            ? {}
            : { amount: cutTo(action.amount, pair.numberScale), driver: 'amount' as const, percent: 0 as const }),
        },
        pair,
      );
    case 'stop':
      return { ...ticket, stopOn: action.on, stopPrice: action.on ? ticket.stopPrice : '' };
    case 'reset':
      return { ...emptyTicket(ticket.side), mode: ticket.mode, price: ticket.price, stopOn: ticket.stopOn };
  }
}

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

/** Brings price, amount and total into line: the driver stands, the other follows. */
function relate(ticket: Ticket, pair: TicketPair): Ticket {
  if (ticket.mode === 'market') return { ...ticket, total: '' };
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
export interface TicketInputs {
  /**
   * Free balance of what is paid with: quote for a buy, base for a sell. Undefined while it is not known: then the
   * server alone judges it.
   */
  readonly available: string | undefined;
  readonly lastPrice: string;
  /** Best levels of the other side, best first, for what a market order would meet. */
  readonly opposite: readonly (readonly [price: string, number: string])[];
}

/** Figures under the form and in the confirmation. Decimal texts; empty when they cannot be told yet. */
export interface TicketSummary {
  readonly price: string;
  readonly total: string;
  readonly fee: string;
  /** Mean price a market order would meet in the book as it stands. */
  readonly meanPrice: string;
  /**
   * Percent between the price and the last price, signed, 2 decimals; for a market order how far it would move the
   * price.
   */
  readonly gapPercent: string;
  /** Whether the confirmation may not be skipped, and why (terminal rule 5). */
  readonly mustConfirm: '' | 'farPrice' | 'movesPrice' | 'market';
}

/** What this order would cost or bring. The fee shown is the taker's, the larger case: received × rate, up. */
export function summarizeTicket(ticket: Ticket, inputs: TicketInputs, pair: TicketPair): TicketSummary {
  const amount = unitsOf(ticket.amount, pair.numberScale);
  const walked = ticket.mode === 'market' && amount > 0n ? walkOf(inputs.opposite, amount, pair) : undefined;
  const total = ticket.mode === 'limit' ? totalUnits(ticket, pair) : (walked?.cost ?? 0n);
  const received = ticket.side === 'buy' ? baseOf(scalesOf(pair), amount) : total;
  const fee = feeOf(received, percent(pair.takerFee));
  const known = amount > 0n && total > 0n;
  const price =
    ticket.mode === 'limit'
      ? toDecimalText(ticket.price)
      : walked && walked.worst > 0n
        ? formatUnits(walked.worst, pair.priceScale)
        : '';
  const gapPercent = gap(price, ticket.mode === 'limit' ? inputs.lastPrice : (inputs.opposite[0]?.[0] ?? ''));
  return {
    price,
    gapPercent,
    total: known ? formatTrimmed(total, COIN_SCALE) : '',
    fee: known ? formatTrimmed(fee, COIN_SCALE) : '',
    meanPrice:
      walked && walked.taken > 0n
        ? formatUnits(
            divide(
              walked.cost * pow10(pair.numberScale + pair.priceScale),
              walked.taken * pow10(COIN_SCALE),
              'half_up',
            ),
            pair.priceScale,
          )
        : '',
    mustConfirm:
      ticket.mode === 'market'
        ? beyond(gapPercent, 2n)
          ? 'movesPrice'
          : 'market'
        : beyond(gapPercent, 5n)
          ? 'farPrice'
          : '',
  };
}

/** The first fault, in the order of rules §12.6; undefined when the order may be sent. The server judges again. */
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

/** Fields of the order as the call takes them. */
export function orderFields(ticket: Ticket): {
  target_price?: string;
  amount: string;
  order_type: 'limit' | 'market' | 'stop_limit' | 'stop_market';
  stop_price?: string;
} {
  const stop = ticket.stopOn ? { stop_price: toDecimalText(ticket.stopPrice) } : {};
  const amount = toDecimalText(ticket.amount);
  if (ticket.mode === 'market') return { amount, order_type: ticket.stopOn ? 'stop_market' : 'market', ...stop };
  return {
    target_price: toDecimalText(ticket.price),
    amount,
    order_type: ticket.stopOn ? 'stop_limit' : 'limit',
    ...stop,
  };
}

/** The pair's decimals as the formulas take them; coins count in eight (rules §2). */
const scalesOf = ({ priceScale, numberScale }: TicketPair): PairScales => ({
  priceScale,
  numberScale,
  baseScale: COIN_SCALE,
  quoteScale: COIN_SCALE,
});

/** What the amount would meet in the levels shown. */
const walkOf = (levels: TicketInputs['opposite'], amount: bigint, pair: TicketPair): Walk =>
  walk(
    scalesOf(pair),
    levels.map(([price, number]) => [toUnits(price, pair.priceScale), toUnits(number, pair.numberScale)] as const),
    amount,
  );

/** What a limit buy holds, and what a limit sell brings at least. */
function totalUnits(ticket: Ticket, pair: TicketPair): bigint {
  const price = unitsOf(ticket.price, pair.priceScale);
  const amount = unitsOf(ticket.amount, pair.numberScale);
  return quoteOf(scalesOf(pair), price, amount, ticket.side === 'buy' ? 'up' : 'down');
}

function gap(price: string, reference: string): string {
  const base = unitsOf(reference, COIN_SCALE);
  const at = unitsOf(price, COIN_SCALE);
  if (base === 0n || at === 0n) return '';
  return formatUnits(divide((at - base) * 10_000n, base, 'half_up'), 2);
}

const beyond = (percent: string, limit: bigint): boolean => {
  if (percent === '') return false;
  const units = toUnits(percent, 2);
  return (units < 0n ? -units : units) > limit * 100n;
};

/**
 * Units of typed text; nothing typed is 0. Digits beyond the scale cannot be typed, but may come from a coarser pair:
 * they are cut.
 */
function unitsOf(typed: string, scale: number): bigint {
  const text = toDecimalText(typed);
  return text === '' || !/^\d+(\.\d+)?$/.test(text) ? 0n : toUnits(cutTo(text, scale), scale);
}

const cutTo = (text: string, scale: number): string => {
  const point = text.indexOf('.');
  return point < 0 ? text : text.slice(0, point + 1 + scale).replace(/\.$/, '');
};

/** What a spot ticket knows besides what was typed. */
export interface SpotInputs extends TicketInputs {
  readonly pair: TicketPair;
}

/** The spot ticket in the frame that all tickets share. */
export const SPOT_TICKET = createTicket({
  reduce: (ticket: Ticket, action: TicketAction, { pair }: SpotInputs) => reduceTicket(ticket, action, pair),
  summarize: (ticket, inputs) => summarizeTicket(ticket, inputs, inputs.pair),
  validate: (ticket, inputs) => validateTicket(ticket, inputs, inputs.pair),
  fields: orderFields,
  mustConfirm: ({ mustConfirm }: TicketSummary) => mustConfirm !== '',
  sent: { type: 'reset' },
});
