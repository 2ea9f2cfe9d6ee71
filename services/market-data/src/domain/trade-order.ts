/** A trade as it has its place among those of its pair. */
interface Numbered {
  readonly sequence: number;
}

/**
 * Returns the trades of a pair that come next, in their order: those that follow the last one without a hole. The
 * others are ahead: a pair that was moved between partitions has trades in both, which may be read in another order
 * than they were made. Trades that are in the series already are dropped, and a trade that came twice counts once.
 */
export function nextOf<T extends Numbered>(
  last: number,
  trades: readonly T[],
): { readonly next: readonly T[]; readonly ahead: readonly T[] } {
  const fresh = [...new Map(trades.map((trade) => [trade.sequence, trade])).values()]
    .filter(({ sequence }) => sequence > last)
    .sort((a, b) => a.sequence - b.sequence);
  const hole = fresh.findIndex(({ sequence }, index) => sequence !== last + 1 + index);
  return hole < 0 ? { next: fresh, ahead: [] } : { next: fresh.slice(0, hole), ahead: fresh.slice(hole) };
}
