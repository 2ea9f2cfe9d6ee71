// The quotes of a market maker. Nothing here calls an exchange: amounts and prices are decimal texts, added exactly.
import ccxt from 'ccxt';

const { Precise } = ccxt;

/**
 * Orders around the middle of a book: `levels` on each side, `spread` apart, each of `size`. The maker's balance stays
 * between `target` - `most` and `target` + `most` even if every order is filled: the side that would pass a limit has
 * fewer orders, or none.
 *
 * @param {{ mid: string, held: string }} state middle price, and how much of the base coin the maker has
 * @param {{ spread: string, levels: number, size: string, target: string, most: string }} limits `spread`: as a part of
 *   the price, `0.001` is a tenth of a percent
 * @returns {{ side: 'buy' | 'sell', price: string, amount: string }[]} not yet cut to the scales of a market
 */
export function quotesOf({ mid, held }, { spread, levels, size, target, most }) {
  const away = Precise.stringSub(held, target);
  const room = { buy: Precise.stringSub(most, away), sell: Precise.stringAdd(most, away) };
  const quotes = [];
  for (const side of ['buy', 'sell'])
    for (let level = 1; level <= levels; level += 1) {
      room[side] = Precise.stringSub(room[side], size);
      if (Precise.stringLt(room[side], '0')) break;
      const offset = Precise.stringMul(spread, String(level));
      const factor = side === 'buy' ? Precise.stringSub('1', offset) : Precise.stringAdd('1', offset);
      quotes.push({ side, price: Precise.stringMul(mid, factor), amount: size });
    }
  return quotes;
}

/**
 * The middle of the best prices of a book; of one side if the other is empty.
 *
 * @param {{ bids: [price: string, number: string][], asks: [price: string, number: string][] }} book
 * @returns {string | undefined} undefined: the book is empty
 */
export function middleOf({ bids, asks }) {
  const [bid, ask] = [bids[0] ?? asks[0], asks[0] ?? bids[0]];
  return bid && ask && Precise.stringDiv(Precise.stringAdd(bid[0], ask[0]), '2');
}

/**
 * Whether quotes must be replaced: the middle has moved by more than a quarter of the spread, or the balance changed.
 *
 * @param {{ mid: string, held: string } | undefined} before
 * @param {{ mid: string, held: string }} now
 */
export function isStale(before, now, { spread }) {
  if (before === undefined || !Precise.stringEq(before.held, now.held)) return true;
  const moved = Precise.stringAbs(Precise.stringSub(now.mid, before.mid));
  return Precise.stringGt(moved, Precise.stringMul(now.mid, Precise.stringDiv(spread, '4')));
}
