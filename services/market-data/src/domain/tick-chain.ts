import { createHash } from 'node:crypto';

/** Before the first tick of a market there is no hash. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);

/** The last recorded price of a market, as far as the next one needs it. */
export interface TickHead {
  readonly id: number;
  /** Full second of the business clock, ms. */
  readonly time: number;
  readonly hash: string;
}
/** A recorded price: numbered by market, each chained to the one before (rules §4). */
export interface Tick extends TickHead {
  readonly symbol: string;
  /** Decimal text without trailing zeros, exactly as hashed. */
  readonly price: string;
  /** When the price was given, ms; null in ticks of version 1, whose hash is without it. */
  readonly at: number | null;
  readonly prevHash: string;
}

/** SHA-256 of `prev_hash|id|symbol|time|price|at`, in hex; of version 1 without `at`. */
export const tickHash = ({ prevHash, id, symbol, time, price, at }: Omit<Tick, 'hash'>): string =>
  createHash('sha256')
    .update([prevHash, id, symbol, time, price, ...(at === null ? [] : [at])].join('|'))
    .digest('hex');

/**
 * The tick that follows a head, of version 2; null where the second already has one, or has passed: a clock that was
 * set back makes no tick until it is beyond the last one again.
 */
export function nextTick(
  head: TickHead | undefined,
  { symbol, time, price, at }: Pick<Tick, 'symbol' | 'time' | 'price'> & { readonly at: number },
): (Tick & { readonly at: number }) | null {
  if (time % 1_000 !== 0) throw new RangeError(`invariant: a tick of ${symbol} at ${time} is not on a full second`);
  if (head && time <= head.time) return null;
  // A price that comes within a second that has begun belongs to the second in which it is recorded.
  const given = Math.min(at, time);
  const prevHash = head?.hash ?? FIRST_PREVIOUS_HASH;
  const tick = { prevHash, id: (head?.id ?? 0) + 1, symbol, time, price, at: given };
  return { ...tick, hash: tickHash(tick) };
}

/** Returns the fault of a tick, alone and as the successor of another one; null: none. */
export function tickFault(before: (TickHead & { readonly at?: number | null }) | undefined, tick: Tick): string | null {
  if (tickHash(tick) !== tick.hash) return `tick ${tick.id} does not have the hash of what it says`;
  if (tick.time % 1_000 !== 0) return `tick ${tick.id} is not on a full second`;
  if (!before) {
    return tick.id === 1 && tick.prevHash !== FIRST_PREVIOUS_HASH ? 'the first tick follows another one' : null;
  }
  if (tick.id !== before.id + 1) return `tick ${before.id} is followed by ${tick.id}`;
  if (tick.prevHash !== before.hash) return `tick ${tick.id} does not follow the hash of tick ${before.id}`;
  if (tick.time <= before.time) return `tick ${tick.id} is not later than tick ${before.id}`;
  if (tick.at === null && typeof before.at === 'number')
    return `tick ${tick.id} does not say when its price was given, and tick ${before.id} does`;
  return null;
}
