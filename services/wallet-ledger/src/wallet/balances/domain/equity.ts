import { rescale } from '@bourse/money';

/** Causes by which coins come from outside of the exchange or from another person, or go there. */
const OUTSIDE: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'deal', 'acceptor', 'adjustment', 'seed']);

/** The change of one currency by a day, in units of the sums. */
export interface Move {
  /** Beginning of the day, ms. */
  readonly day: number;
  readonly currency: number;
  readonly causeType: string;
  readonly fee: boolean;
  readonly units: bigint;
}
/** A day of an account, in units of the values. */
interface EquityDay {
  readonly day: number;
  /** The worth of all accounts at the end of the day. */
  readonly equity: bigint;
  /** The worth of what came in less what went out. */
  readonly deposits: bigint;
  /** The change of the worth that deposits do not explain: equity − equity of the day before − deposits. */
  readonly profit: bigint;
}
/** Positions that were open in a pair at the end of each day, from the first: their number, and what they cost. */
export interface OpenPair {
  readonly base: number;
  readonly quote: number;
  readonly numbers: readonly bigint[];
  readonly costs: readonly bigint[];
}
interface Scales {
  readonly amounts: number;
  readonly prices: number;
  readonly values: number;
}

/**
 * Worth and profit of each day but the first, which the second is compared with. Balances of before are those of now
 * less what has moved since; fees of deposits and withdrawals are losses. Each worth is rounded down once, at its end.
 *
 * @param days beginnings, rising, without holes
 * @param balances now, which is the end of the last day
 * @param open positions count with their unrealized profit, and not at all without a price of both currencies
 * @param priceOf of one unit at the end of a day; 0 where none is known
 */
export function equityDays(
  days: readonly number[],
  balances: ReadonlyMap<number, bigint>,
  moves: readonly Move[],
  open: readonly OpenPair[],
  priceOf: (currency: number, at: number) => bigint,
  { amounts, prices, values }: Scales,
): EquityDay[] {
  const last = days.length - 1;
  const first = days[0] ?? 0;
  const length = last > 0 ? (days[1] as number) - first : 1;
  /** Index of the day of a move; one after the last day, by a clock that is ahead, belongs to the last. */
  const at = ({ day }: Move): number => Math.min(last, Math.floor((day - first) / length));
  const left = new Map(balances);
  /** The unrealized profit at the end of a day, not rounded. */
  const profitOf = (day: number): bigint =>
    open.reduce((sum, { base, quote, numbers, costs }) => {
      const [price, unit] = [priceOf(base, day), priceOf(quote, day)];
      return price === 0n || unit === 0n ? sum : sum + (numbers[day] ?? 0n) * price - (costs[day] ?? 0n) * unit;
    }, 0n);
  const worth = (units: ReadonlyMap<number, bigint>, day: number, profit = 0n): bigint => {
    let sum = profit;
    for (const [currency, held] of units) sum += held * priceOf(currency, day);
    return rescale(sum, amounts + prices, values, 'down');
  };
  const ends = days.map((day): { day: number; equity: bigint; deposits: bigint } => ({
    day,
    equity: 0n,
    deposits: 0n,
  }));
  for (let index = last; index >= 0; index -= 1) {
    const own = moves.filter((move) => at(move) === index);
    const outside = new Map<number, bigint>();
    for (const { currency, causeType, fee, units } of own)
      if (!fee && OUTSIDE.has(causeType)) outside.set(currency, (outside.get(currency) ?? 0n) + units);
    const end = ends[index]!;
    end.equity = worth(left, index, profitOf(index));
    end.deposits = worth(outside, index);
    for (const { currency, units } of own) left.set(currency, (left.get(currency) ?? 0n) - units);
  }
  return ends.slice(1).map((end, index) => ({
    ...end,
    profit: end.equity - ends[index]!.equity - end.deposits,
  }));
}
