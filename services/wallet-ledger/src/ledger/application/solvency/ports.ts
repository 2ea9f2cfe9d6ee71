import type { OperatorAction } from '@bourse/events';
import type { Tx } from '@bourse/persistence';

/** Nodes of a tree that are stored together. */
export const NODES_A_BLOCK = 64;

/** Balance of one owner in a coin: all accounts, available and held, as decimal text. */
export interface OwedRow {
  readonly owner: number;
  readonly currency: number;
  readonly balance: string;
}
/** Balance of `h.outside` over all partitions: minus the net amount that has come in. */
export interface OutsideRow {
  readonly currency: number;
  readonly balance: string;
}
/** A coin of a snapshot, as published. Amounts are decimal text of the coin's scale. */
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

/** Snapshots of the exchange's liabilities. */
export abstract class SolvencyStore {
  /** Requests a snapshot; the action is sent in the same transaction. */
  abstract request(action?: (id: number) => OperatorAction): Promise<number>;
  /** Requests the snapshot of a day (`YYYY-MM-DD`), once. */
  abstract requestDaily(tx: Tx, day: string): Promise<void>;
  /** Requests a snapshot unless one exists or is requested. */
  abstract requestFirst(): Promise<void>;
  /** Claims the oldest requested snapshot without a claim, for `seconds`. Null without one. */
  abstract claim(by: string, seconds: number): Promise<number | null>;
  /** Extends a claim. False: another instance has it by now. */
  abstract keepClaim(id: number, by: string, seconds: number): Promise<boolean>;
  abstract isDone(id: number): Promise<boolean>;

  /**
   * Liabilities to all owners and money that came in, in one database snapshot; rows come in pieces, ordered by owner.
   */
  abstract read(take: (rows: readonly OwedRow[]) => Promise<void>): Promise<readonly OutsideRow[]>;
  /** Prepares an empty snapshot, also if another instance had begun it. */
  abstract begin(id: number): Promise<void>;
  abstract saveLeaves(id: number, currency: number, leaves: readonly StoredLeaf[]): Promise<void>;
  abstract saveNodes(id: number, currency: number, nodes: readonly StoredNodes[]): Promise<void>;
  /** Publishes the snapshot. False: the claim was lost. */
  abstract finish(row: SnapshotRow, by: string): Promise<boolean>;
  /** Drops all snapshots taken before a time (business time, ms). */
  abstract dropBefore(at: number): Promise<void>;

  /** The newest finished snapshot, or the one with this id if it is finished. */
  abstract snapshot(id?: number): Promise<SnapshotRow | null>;
  abstract leaf(id: number, currency: number, owner: number): Promise<StoredLeaf | null>;
  /** In the requested order. */
  abstract nodes(
    id: number,
    currency: number,
    places: readonly NodePlace[],
  ): Promise<readonly (readonly [hash: string, sum: string])[]>;
}

/** The exchange's assets in each coin, in units of its scale. */
export abstract class Assets {
  /**
   * `outside`: the net amount that has come in according to the books. Throws `Unavailable` when a chain cannot be
   * queried.
   */
  abstract of(
    outside: ReadonlyMap<number, bigint>,
  ): Promise<{ readonly units: ReadonlyMap<number, bigint>; readonly simulated: boolean }>;
}
