import { divide, formatUnits, toUnits } from '@bourse/money';
import { COIN_SCALE } from '@bourse/formulas';
import type { SpotFill } from '@bourse/contract';
import type { EquityPoint, PracticeMarket } from './practice-market.js';

/** The outcome of a practice, in decimal texts of the quote; percentages have two decimals. */
export interface PracticeResult {
  readonly start: string;
  readonly equity: string;
  readonly profit: string;
  readonly profitPercent: string;
  /** Fees in the quote; those in coins at the price of their fill. */
  readonly fees: string;
  readonly fills: number;
  /** Sell orders with a gain among those that sold, in percent; empty before the first. */
  readonly winPercent: string;
  /** The largest loss from a top of the curve. */
  readonly drawdown: string;
  readonly drawdownPercent: string;
  /** The change of the start amount, had it bought the coin at the first price. */
  readonly holdProfit: string;
  readonly holdPercent: string;
}

/** The outcome of a practice so far. */
export function resultOf(practice: PracticeMarket): PracticeResult {
  const { start, market, day, last, curve, fills } = practice;
  const equity = practice.equity();
  const money = (units: bigint): string => formatUnits(units, market.quoteScale);
  const first = BigInt(day.prints[0]?.price ?? 0);
  const held = first === 0n || last === 0 ? start : divide(start * BigInt(last), first, 'down');
  const drawdown = largestDrawdown([...curve, { at: practice.now, equity }]);
  return {
    start: money(start),
    equity: money(equity),
    profit: money(equity - start),
    profitPercent: percentText(equity - start, start),
    fees: money(feesOf(fills)),
    fills: fills.length,
    winPercent: winPercentOf(fills),
    drawdown: money(drawdown.loss),
    drawdownPercent: percentText(drawdown.loss, drawdown.top),
    holdProfit: money(held - start),
    holdPercent: percentText(held - start, start),
  };
}

const percentText = (part: bigint, whole: bigint): string =>
  formatUnits(whole === 0n ? 0n : divide(part * 10_000n, whole, 'half_up'), 2);

const unitsOf = (text: string): bigint => toUnits(text, COIN_SCALE);

/** Fees of fills in the quote, up. */
function feesOf(fills: readonly SpotFill[]): bigint {
  let sum = 0n;
  for (const { type, fee, price } of fills)
    sum += type === 2 ? unitsOf(fee) : divide(unitsOf(fee) * unitsOf(price), unitsOf('1'), 'up');
  return sum;
}

/** The largest fall of a curve from one of its tops, and that top. */
export function largestDrawdown(curve: readonly EquityPoint[]): { readonly loss: bigint; readonly top: bigint } {
  let top = 0n;
  let largest = { loss: 0n, top: 1n };
  for (const { equity } of curve) {
    if (equity > top) top = equity;
    const loss = top - equity;
    // Compared by share: loss / top > largest.loss / largest.top.
    if (loss * largest.top > largest.loss * top) largest = { loss, top };
  }
  return largest;
}

/** Sell orders whose proceeds after the fee are above the mean cost of what they sold, in percent. */
export function winPercentOf(fills: readonly SpotFill[]): string {
  const gains = new Map<string, bigint>();
  let [base, cost] = [0n, 0n];
  for (const { order_id: id, type, number, total, fee } of fills) {
    const [amount, quote] = [unitsOf(number), unitsOf(total)];
    if (type === 1) {
      base += amount - unitsOf(fee);
      cost += quote;
      continue;
    }
    const part = base === 0n ? 0n : divide(cost * amount, base, 'up');
    const spent = part > cost ? cost : part;
    cost -= spent;
    base -= amount;
    gains.set(id, (gains.get(id) ?? 0n) + quote - unitsOf(fee) - spent);
  }
  if (gains.size === 0) return '';
  const won = [...gains.values()].filter((gain) => gain > 0n).length;
  return percentText(BigInt(won), BigInt(gains.size));
}
