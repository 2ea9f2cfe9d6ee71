import { COIN_SCALE, quoteOf, walk, type PairScales, type Walk } from '@bourse/formulas';
import { pow10, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import type { Ticket, TicketInputs, TicketPair } from './ticket.js';

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
