/** A recorded price as this service keeps it (rules §4). Times are business time, ms. */
export interface Tick {
  readonly symbol: string;
  /** Rises by 1 from tick to tick of a market. */
  readonly id: bigint;
  /** On the full second. */
  readonly time: number;
  /** When the price was given; null in ticks of version 1, whose hash is without it. */
  readonly at: number | null;
  /** Decimal text, exactly as hashed. */
  readonly price: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** The head of a market's chain in this service. `broken`: the tick received after it did not follow. */
export type TickHead = Pick<Tick, 'symbol' | 'id' | 'time' | 'hash'> & { readonly broken: boolean };

/** How a tick relates to the chain: the next one, a known one, or one that does not fit. */
export type ChainStep =
  | { readonly kind: 'next' }
  | { readonly kind: 'known' }
  | { readonly kind: 'broken'; readonly fault: string };

/**
 * Whether a tick continues the chain of its market; the first one that is ever seen begins it. Its own hash and
 * signature are checked apart.
 */
export function chainStep(head: TickHead | undefined, { id, time, prevHash, hash }: Tick): ChainStep {
  if (!head) return { kind: 'next' };
  if (id === head.id && hash === head.hash) return { kind: 'known' };
  if (id <= head.id) return broken(`tick ${id} came again with another content, or behind tick ${head.id}`);
  if (id !== head.id + 1n) return broken(`tick ${id} came after tick ${head.id}: what lies between is missing`);
  if (prevHash !== head.hash) return broken(`tick ${id} does not follow the hash of tick ${head.id}`);
  if (time <= head.time) return broken(`tick ${id} is not later than tick ${head.id}`);
  return { kind: 'next' };
}
const broken = (fault: string): ChainStep => ({ kind: 'broken', fault });

/** How far the ticks of one market may lag behind those of others in the log. Ms. */
export const LATE_MS = 10_000;

/**
 * Until when all ticks of a market are known, ms: up to its own last one, because its ticks come in order; and where it
 * has none, up to 10 s before the last one of any market, because all of them are in one log. No clock is used: an
 * instance that was down, or lags, decides the same. Where the chain is broken nothing is known beyond its end.
 */
export function knownThrough(heads: readonly TickHead[], symbol: string): number {
  const head = heads.find((each) => each.symbol === symbol);
  const own = head?.time ?? Number.NEGATIVE_INFINITY;
  if (head?.broken) return own;
  const any = Math.max(Number.NEGATIVE_INFINITY, ...heads.map(({ time }) => time));
  return Math.max(own, any - LATE_MS);
}
