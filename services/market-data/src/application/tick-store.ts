import type { MarketTick } from '@bourse/events';
import type { Lease } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Tick, TickHead } from '../domain/tick-chain.js';

/** A key and when it signed: ticks with `from` ≤ time < `until`, business time, ms. */
export interface TickKeyPeriod {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  readonly from: number;
  /** Null: it signs now. */
  readonly until: number | null;
}
/** The key that signs now, as stored. */
export interface StoredTickKey {
  readonly id: number;
  readonly publicKey: string;
  readonly sealed: Buffer;
}
/** A tick with all that its row and its message say. */
export interface SignedTick extends Tick {
  readonly pairId: number;
  /** When the feed gave the price, ms. */
  readonly at: number;
  readonly kind: MarketTick['kind'];
  /** Ed25519 over the hash, base64. */
  readonly signature: string;
}
/** A tick as it was stored, with the key that signed it. */
export type StoredTick = Omit<SignedTick, 'at' | 'symbol'> & Pick<Tick, 'at'> & { readonly publicKey: string };

/** The storage of recorded prices and of the keys that sign them. */
export abstract class TickStore {
  /** Runs the work at one instance at a time, under an epoch (`SingleRunner`). */
  abstract lead(work: (lease: Lease) => Promise<void>): { stop(): Promise<void> };
  /** The last tick of each market by pair id. */
  abstract heads(tx?: Tx): Promise<Map<number, TickHead>>;
  abstract currentKey(): Promise<StoredTickKey | null>;
  /** All periods, oldest first. */
  abstract keys(): Promise<readonly TickKeyPeriod[]>;
  /** Makes room for the days around a moment, and drops those that ended before `keptSince`. */
  abstract makeRoom(now: number, keptSince: number): Promise<void>;
  abstract transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Whether an operator has requested another key; the transaction deletes the request. */
  abstract takeKeyRequest(tx: Tx): Promise<boolean>;
  /** Ends the period of the key that signs, and begins one for another key; returns its id. */
  abstract changeKey(tx: Tx, time: number, publicKey: string, sealed: Buffer): Promise<number>;
  /**
   * Stores the ticks of one second, moves the heads and sends the events. Throws, and so undoes all, unless each head
   * is where its tick says.
   */
  abstract append(tx: Tx, key: Omit<StoredTickKey, 'sealed'>, ticks: readonly SignedTick[]): Promise<void>;
  /** Ticks of a market with `from` ≤ time < `to`, rising, at most `limit`. */
  abstract range(pairId: number, from: number, to: number, limit: number): Promise<StoredTick[]>;
  /** The newest ticks of a market, rising. */
  abstract newest(tx: Tx, pairId: number, limit: number): Promise<StoredTick[]>;
}
