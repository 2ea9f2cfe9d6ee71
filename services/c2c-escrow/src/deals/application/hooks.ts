import type { Language, Params } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';

/** One side of a deal, as the chat needs to know them. */
export interface LoggedParty {
  readonly userId: number;
  /** Their language when the deal was made: pushes speak it. */
  readonly lang: Language;
}
/** What the chat needs to know of a deal. */
export interface LoggedDeal {
  readonly id: string;
  readonly buyer: LoggedParty;
  readonly seller: LoggedParty;
}

/** Writes the steps of a deal into its chat, in the transaction that makes them. */
export abstract class DealLog {
  /**
   * Adds a line of the system and pushes it to both sides when the transaction stands. Kept as `key` and `params`, a
   * text of the area `server`: each reader has it in their own language.
   */
  abstract addLine(tx: Tx, deal: LoggedDeal, key: string, params?: Params): Promise<void>;
}

/** Watches over sellers who say nothing after the buyer has paid (rules §6). */
export abstract class SellerResponseTimeout {
  /** The deal is paid since then: an appeal opens by itself if it is still paid when the time is over. */
  abstract start(tx: Tx, dealId: string, since: number): Promise<void>;
  /** The deal is over. */
  abstract stop(tx: Tx, dealId: string): Promise<void>;
}

/** How many lines of the other side and of support somebody has not read yet (`Deal.unread`). */
export abstract class UnreadCounts {
  /** Deals without unread lines are left out. Within `tx` where what it tells was just written there. */
  abstract countUnread(userId: number, dealIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, number>>;
}
