/** How far the data of a pair may be trusted (terminal rule 8). */
export type Freshness = 'fresh' | 'old' | 'dead';
const OLD_MS = 3_000;
/** The server refuses market orders on data older than this, so the screen does not offer them. */
const DEAD_MS = 5_000;

export function freshnessOf(ageMs: number, connected: boolean): Freshness {
  if (!connected || ageMs > DEAD_MS) return 'dead';
  return ageMs > OLD_MS ? 'old' : 'fresh';
}
