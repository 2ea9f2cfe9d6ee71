import type { SolvencyCoin } from '@bourse/contract';
import { compareDecimals, decimals, divide, formatUnits, pow10, toUnits } from '@bourse/money';

/** The middle of some round trips in ms: one slow answer of a busy line changes nothing. Undefined without any. */
export function median(times: readonly number[]): number | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Assets in percent of what is owed, cut to two decimals. */
const percentOf = ({ assets, liabilities }: Pick<SolvencyCoin, 'assets' | 'liabilities'>): string => {
  const scale = Math.max(decimals(assets), decimals(liabilities));
  return formatUnits(divide(toUnits(assets, scale) * pow10(4), toUnits(liabilities, scale), 'down'), 2);
};

/**
 * The coin that is covered least, of those that anything is owed of: the house is as solvent as that one. Undefined
 * where nothing is owed.
 */
export function leastCovered(
  coins: readonly Pick<SolvencyCoin, 'currency' | 'assets' | 'liabilities'>[],
): { currency: string; percent: string; covered: boolean } | undefined {
  const owed = coins.filter(({ liabilities }) => compareDecimals(liabilities, '0') > 0);
  const [least] = owed
    .map((coin) => ({ coin, percent: percentOf(coin) }))
    .sort((a, b) => compareDecimals(a.percent, b.percent));
  return (
    least && {
      currency: least.coin.currency,
      percent: least.percent,
      covered: compareDecimals(least.coin.assets, least.coin.liabilities) >= 0,
    }
  );
}
