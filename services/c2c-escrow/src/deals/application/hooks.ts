import type { Language, Params } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';

/** One side of a deal, as the chat needs it. */
export interface LoggedParty {
  readonly userId: number;
  /** Language when the deal opened; pushes use it. */
  readonly lang: Language;
}
/** The part of a deal that the chat needs. */
export interface LoggedDeal {
  readonly id: string;
  readonly buyer: LoggedParty;
  readonly seller: LoggedParty;
}

/** Writes the steps of a deal into its chat, in their transaction. */
export abstract class DealLog {
  /**
   * Adds a line of the system and pushes it to both sides after the commit. It is stored as `key` and `params` of a
   * text in the area `server`, so each reader gets it in their own language.
   */
  abstract addLine(tx: Tx, deal: LoggedDeal, key: string, params?: Params): Promise<void>;
}

/** Opens an appeal by itself when a paid seller does not answer in time (rules §6). */
export abstract class SellerResponseTimeout {
  /** Starts the timeout of a deal that was paid at `since`. */
  abstract start(tx: Tx, dealId: string, since: number): Promise<void>;
  /** Stops the timeout: the deal has ended, or an appeal is open. */
  abstract stop(tx: Tx, dealId: string): Promise<void>;
}

/** Counts lines of the other side and of support that a person has not read (`Deal.unread`). */
export abstract class UnreadCounts {
  /** By deal; deals without unread lines are left out. With `tx` it also counts lines written in that transaction. */
  abstract countUnread(userId: number, dealIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, number>>;
}
