/** Open work, most of it first. Names without work stay: nothing to do is news too. */
export function waitingOf(work: Readonly<Record<string, number>>): readonly { name: string; count: number }[] {
  return Object.entries(work)
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || one.name.localeCompare(other.name));
}

export interface VolumeShare {
  readonly symbol: string;
  /** As the call answers it. */
  readonly volume: string;
  /** Of the largest, 0 to 1: the length of a bar, nothing that is counted with. */
  readonly share: number;
}

/** Volumes in the quote currency of each pair, the largest first. */
export function sharesOf(
  volumes: readonly { readonly symbol: string; readonly volume: string; readonly now_price: string }[],
): readonly VolumeShare[] {
  const turnovers = volumes.map(({ symbol, volume, now_price }) => ({
    symbol,
    volume,
    turnover: Number(volume) * Number(now_price),
  }));
  const most = Math.max(0, ...turnovers.map(({ turnover }) => turnover));
  return turnovers
    .sort((one, other) => other.turnover - one.turnover)
    .map(({ symbol, volume, turnover }) => ({ symbol, volume, share: most === 0 ? 0 : turnover / most }));
}

/** A line over time in a box of the given size, for an SVG: the highest value touches the top, nothing lies below 0. */
export interface TimeLine {
  readonly path: string;
  readonly now: number;
  readonly most: number;
}

/** `values` in the order of `times`; undefined while there are fewer than two of them. */
export function timeLine(
  times: readonly number[],
  values: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): TimeLine | undefined {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || last <= first) return undefined;
  const most = Math.max(...values);
  const scale = Math.max(most, Number.MIN_VALUE);
  const points = values.map((value, at) => {
    const x = (((times[at] ?? first) - first) / (last - first)) * width;
    return `${x.toFixed(1)},${(height - (value / scale) * height).toFixed(1)}`;
  });
  return { path: `M${points.join('L')}`, now: values.at(-1) ?? 0, most };
}
