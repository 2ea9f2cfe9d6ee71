import { grouped } from '@bourse/ui';

/** Open work by name, largest count first. Names without work stay in the list: a zero is information too. */
export function waitingOf(work: Readonly<Record<string, number>>): readonly { name: string; count: number }[] {
  return Object.entries(work)
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || one.name.localeCompare(other.name));
}

export interface VolumeShare {
  readonly symbol: string;
  /** As the call answers it: with its coin. */
  readonly volume: string;
  /** Share of the largest worth, 0 to 1. It is the length of a bar; no amount is computed from it. */
  readonly share: number;
}

/** Volumes of the pairs, greatest worth first; the worth of a quote comes from its pair with USDT. */
export function sharesOf(
  volumes: readonly { readonly symbol: string; readonly volume: string; readonly now_price: string }[],
): readonly VolumeShare[] {
  const prices = new Map(volumes.map(({ symbol, now_price }) => [symbol, Number(now_price)]));
  const worthOf = (quote: string): number => (quote === 'USDT' ? 1 : (prices.get(`${quote}/USDT`) ?? 0));
  const turnovers = volumes.map(({ symbol, volume, now_price }) => {
    const [base = '', quote = ''] = symbol.split('/');
    const turnover = Number(volume) * Number(now_price) * worthOf(quote);
    return { symbol, volume: `${grouped(volume)} ${base}`, turnover };
  });
  const most = Math.max(0, ...turnovers.map(({ turnover }) => turnover));
  return turnovers
    .sort((one, other) => other.turnover - one.turnover)
    .map(({ symbol, volume, turnover }) => ({ symbol, volume, share: most === 0 ? 0 : turnover / most }));
}

/** The last and the highest of values in their order; undefined while there are fewer than two of them. */
export function figuresOf(values: readonly number[]): { readonly now: number; readonly most: number } | undefined {
  const now = values.at(-1);
  return now === undefined || values.length < 2 ? undefined : { now, most: Math.max(...values) };
}

/** Points of a line, one per second as the chart needs them; the last value of a second counts. */
export function pointsOf(
  times: readonly number[],
  values: readonly number[],
): readonly { readonly time: number; readonly value: number }[] {
  const bySecond = new Map(times.map((time, at) => [Math.floor(time / 1_000), values[at] ?? 0]));
  return [...bySecond].sort(([one], [other]) => one - other).map(([time, value]) => ({ time, value }));
}
