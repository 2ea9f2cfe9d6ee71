import type { Tx } from '@bourse/persistence';
import type { Tick, TickHead } from '../domain/tick.js';

/** A recorded tick with the signature of its hash. */
export interface SignedTick extends Tick {
  readonly signature: string;
  readonly publicKey: string;
}

/** The time window of a query for ticks: after < time ≤ until. */
export interface TickWindow {
  readonly symbol: string;
  readonly after: number;
  readonly until: number;
}

/** The own copy of the recorded ticks. */
export abstract class TickStore {
  /** The heads of the chains; in a transaction the rows stay locked until it ends. */
  abstract heads(tx?: Tx): Promise<readonly TickHead[]>;
  /** Stores ticks that continue their chains, each market's last one as its head. */
  abstract append(tx: Tx, ticks: readonly SignedTick[]): Promise<void>;
  /** The chains of these markets are broken, until a tick that follows comes. */
  abstract markBroken(tx: Tx, symbols: readonly string[]): Promise<void>;
  /** Ticks in any of the windows, each once. */
  abstract within(windows: readonly TickWindow[], tx?: Tx): Promise<readonly SignedTick[]>;
  /** Keeps ticks that have opened or judged a contract for good. */
  abstract keep(tx: Tx, ticks: readonly Tick[]): Promise<void>;
  /** Ticks that were kept for good, by their ids. */
  abstract kept(symbol: string, ids: readonly bigint[]): Promise<readonly Tick[]>;
  /** Creates the partitions of the coming days and drops those before this time. */
  abstract maintain(now: number, keptSince: number): Promise<void>;
}
