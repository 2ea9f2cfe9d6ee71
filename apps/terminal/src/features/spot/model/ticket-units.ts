import { COIN_SCALE, quoteOf, walk, type PairScales, type Walk } from '@bourse/formulas';
import { divide, formatUnits, pow10, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { scaleOf, type Ticket, type TicketInputs, type TicketPair } from './ticket.js';

/** The pair's decimals as the formulas take them; coins count in eight (rules §2). */
export const scalesOf = ({ priceScale, numberScale }: TicketPair): PairScales => ({
  priceScale,
  numberScale,
  baseScale: COIN_SCALE,
  quoteScale: COIN_SCALE,
});

/** The fills of the amount in the levels shown. */
export const walkOf = (levels: TicketInputs['opposite'], amount: bigint, pair: TicketPair): Walk =>
  walk(
    scalesOf(pair),
    levels.map(([price, number]) => [toUnits(price, pair.priceScale), toUnits(number, pair.numberScale)] as const),
    amount,
  );

/** The largest amount that a total buys, or that sells for it, in the shown levels: never more than the total pays. */
export function lotsFor(levels: TicketInputs['opposite'], total: bigint, pair: TicketPair): bigint {
  const unit = pow10(COIN_SCALE);
  let left = total * pow10(pair.priceScale + pair.numberScale);
  let lots = 0n;
  for (const [price, number] of levels) {
    const perLot = toUnits(price, pair.priceScale) * unit;
    const all = toUnits(number, pair.numberScale);
    const take = perLot === 0n || perLot * all <= left ? all : left / perLot;
    lots += take;
    left -= perLot * take;
    if (take < all) break;
  }
  return lots;
}

/** The hold of a limit buy, and the least yield of a limit sell. */
export function totalUnits(ticket: Ticket, pair: TicketPair): bigint {
  const price = unitsOf(ticket.price, pair.priceScale);
  const amount = unitsOf(ticket.amount, pair.numberScale);
  return quoteOf(scalesOf(pair), price, amount, ticket.side === 'buy' ? 'up' : 'down');
}

/** Decimals of percentages, and the unit of hundred percent in them. */
const PERCENT_SCALE = 4;
const WHOLE = 100n * pow10(PERCENT_SCALE);

/**
 * The price at which an order that waits, or a limit, is held for: for a pair the dearer of its two, for an order that
 * starts as a market order its first trigger and the band above it (rules §2), up. Empty while it is not known.
 */
export function dearestPrice(ticket: Ticket, lastPrice: string, pair: TicketPair): string {
  const at = (text: string): bigint => unitsOf(text, pair.priceScale) * pow10(COIN_SCALE - pair.priceScale);
  const banded = (price: bigint): bigint =>
    divide(price * (WHOLE + unitsOf(pair.marketBand, PERCENT_SCALE)), WHOLE, 'up');
  const price = at(ticket.price);
  const ofStop = ticket.stopLimit === '' ? banded(at(ticket.stopPrice)) : at(ticket.stopLimit);
  const held = {
    limit: price,
    market: 0n,
    stop_limit: price,
    stop_market: banded(at(ticket.stopPrice)),
    oco: ofStop > price ? ofStop : price,
    trailing_stop: banded(firstTrigger(ticket, at(ticket.activation || lastPrice), pair)),
  }[ticket.kind];
  return held === 0n ? '' : formatUnits(held, COIN_SCALE);
}

/** The first trigger of a trailing stop that buys, of coin units at the price from which it trails. */
function firstTrigger(ticket: Ticket, from: bigint, pair: TicketPair): bigint {
  const trail = unitsOf(ticket.trail, scaleOf('trail', ticket, pair));
  return ticket.trailBy === 'amount'
    ? from + trail * pow10(COIN_SCALE - pair.priceScale)
    : from + divide(from * trail, 10_000n, 'up');
}

/** The hold of a buy at a price of eight decimals. */
export const holdAt = (price: string, amount: bigint, pair: TicketPair): bigint =>
  divide(toUnits(price || '0', COIN_SCALE) * amount, pow10(pair.numberScale), 'up');

/**
 * Units of typed text; nothing typed is 0. Digits beyond the scale cannot be typed, but may come from a coarser pair:
 * they are cut.
 */
export function unitsOf(typed: string, scale: number): bigint {
  const text = toDecimalText(typed);
  return text === '' || !/^\d+(\.\d+)?$/.test(text) ? 0n : toUnits(cutTo(text, scale), scale);
}

export const cutTo = (text: string, scale: number): string => {
  const point = text.indexOf('.');
  return point < 0 ? text : text.slice(0, point + 1 + scale).replace(/\.$/, '');
};
