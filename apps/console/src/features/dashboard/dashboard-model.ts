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
