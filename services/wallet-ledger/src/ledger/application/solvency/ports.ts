import type { OperatorAction } from '@bourse/events';
import type { Tx } from '@bourse/persistence';

/** Nodes of a tree that are stored together. */
export const NODES_A_BLOCK = 64;

/** What one account owner has of a coin: all accounts, available and held, as decimal text. */
export interface OwedRow {
  readonly owner: number;
  readonly currency: number;
  readonly balance: string;
}
/** What `h.outside` stands at, over all partitions: minus what has come in and not gone out. */
export interface OutsideRow {
  readonly currency: number;
  readonly balance: string;
}
/** A coin of a snapshot, as shown to everybody. Amounts are decimal text of the coin's scale. */
export interface SnapshotCoin {
  readonly currency: number;
  readonly name: string;
  readonly scale: number;
  readonly liabilities: string;
  readonly assets: string;
  readonly leaves: number;
  readonly depth: number;
  readonly rootHash: string;
}
export interface SnapshotRow {
  readonly id: number;
  readonly takenAt: number;
  readonly simulatedAssets: boolean;
  readonly coins: readonly SnapshotCoin[];
}
export interface StoredLeaf {
  readonly owner: number;
  readonly place: number;
  readonly nonce: string;
  readonly balance: string;
}
/** Nodes of a level from `block` × NODES_A_BLOCK on: hash, and sum as plain decimal. */
export interface StoredNodes {
  readonly level: number;
  readonly block: number;
  readonly nodes: readonly (readonly [hash: string, sum: string])[];
}
export interface NodePlace {
  readonly level: number;
  readonly index: number;
}

/** Snapshots of what is owed. */
export abstract class SolvencyStore {
  /** Asks for a snapshot; the action is sent in the same transaction. */
  abstract request(action?: (id: number) => OperatorAction): Promise<number>;
  /** Asks for the one of a day (`YYYY-MM-DD`), once. */
  abstract requestDaily(tx: Tx, day: string): Promise<void>;
  /** Asks for a snapshot unless there is, or is going to be, one. */
  abstract requestFirst(): Promise<void>;
  /** Takes the oldest wanted one that nobody works on, for `seconds`. Null: there is none. */
  abstract claim(by: string, seconds: number): Promise<number | null>;
  /** False: somebody else has it by now. */
  abstract keepClaim(id: number, by: string, seconds: number): Promise<boolean>;
  abstract isDone(id: number): Promise<boolean>;

  /** What is owed to everybody and what came in, of one instant; rows come in pieces, ordered by owner. */
  abstract read(take: (rows: readonly OwedRow[]) => Promise<void>): Promise<readonly OutsideRow[]>;
  /** Makes room for a snapshot, empty even if somebody has begun it before. */
  abstract begin(id: number): Promise<void>;
  abstract saveLeaves(id: number, currency: number, leaves: readonly StoredLeaf[]): Promise<void>;
  abstract saveNodes(id: number, currency: number, nodes: readonly StoredNodes[]): Promise<void>;
  /** Shows it to everybody. False: the claim was lost. */
  abstract finish(row: SnapshotRow, by: string): Promise<boolean>;
  /** Drops what was taken before (business time, ms), whole. */
  abstract dropBefore(at: number): Promise<void>;

  /** The newest one that is done, or that one if it is. */
  abstract snapshot(id?: number): Promise<SnapshotRow | null>;
  abstract leaf(id: number, currency: number, owner: number): Promise<StoredLeaf | null>;
  /** In the order asked for. */
  abstract nodes(
    id: number,
    currency: number,
    places: readonly NodePlace[],
  ): Promise<readonly (readonly [hash: string, sum: string])[]>;
}

/** What the exchange has of each coin, in units of its scale. */
export abstract class Assets {
  /** `outside`: what the books say has come in and not gone out. Throws `Unavailable` when a chain cannot be asked. */
  abstract of(
    outside: ReadonlyMap<number, bigint>,
  ): Promise<{ readonly units: ReadonlyMap<number, bigint>; readonly simulated: boolean }>;
}
