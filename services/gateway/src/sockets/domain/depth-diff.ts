/** Price and number, texts without trailing zeros. */
export type Level = readonly [price: string, number: string];
export interface Window {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}
/** Flat `[price, number, …]`; number `0` removes the level. */
export interface Difference {
  readonly b: string[];
  readonly a: string[];
}

/** Levels per side that subscribers hold (api §4): as many as the checksum covers. */
const WINDOW_LEVELS = 20;

/** The best levels of a deeper book. */
export const windowOf = (bids: readonly Level[], asks: readonly Level[]): Window => ({
  bids: bids.slice(0, WINDOW_LEVELS),
  asks: asks.slice(0, WINDOW_LEVELS),
});

/**
 * The changes from one window to the next. A level that leaves the window is removed, even if it still exists deeper in
 * the book: its changes there are not sent, and a stale one must not return into a client's best 20.
 */
export function difference(from: Window, to: Window): Difference {
  return { b: side(from.bids, to.bids), a: side(from.asks, to.asks) };
}

/** Levels as one flat list. */
export const flat = (levels: readonly Level[]): string[] => levels.flatMap(([price, number]) => [price, number]);

function side(from: readonly Level[], to: readonly Level[]): string[] {
  const before = new Map(from);
  const changes: string[] = [];
  for (const [price, number] of to) {
    if (before.get(price) !== number) changes.push(price, number);
    before.delete(price);
  }
  for (const price of before.keys()) changes.push(price, '0');
  return changes;
}
