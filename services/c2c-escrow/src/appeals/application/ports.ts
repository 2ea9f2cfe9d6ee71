import type { Language, Params } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Appeal, AppealSide, AppealState, Brought } from '../domain/appeal.js';
import type { ChatLine, ChatSide, Said } from '../../chat/domain/chat-line.js';
import type { Page, Rows } from '../../deals/application/ports.js';

/** The chat of a deal. */
export interface Chat {
  readonly dealId: string;
  readonly buyerId: number;
  readonly sellerId: number;
  /** Languages of the two when the deal was made: pushes speak them. */
  readonly buyerLang: Language;
  readonly sellerLang: Language;
}

/** Chats and their lines. */
/** Chats whose time is over, and names of the pictures in them. */
export interface OldChats {
  readonly dealIds: readonly string[];
  readonly pictures: readonly string[];
}

export abstract class ChatStore {
  /** Makes the chat of a deal where there is none yet. */
  abstract open(tx: Tx, chat: Chat): Promise<void>;
  abstract find(dealId: string, tx?: Tx): Promise<Chat | null>;
  /** Lines that the two sides have written; until `tx` ends nobody else adds one. */
  abstract spoken(tx: Tx, dealId: string): Promise<number>;
  /** Adds a line with the next number of its chat. @throws Error when there is no chat. */
  abstract add(tx: Tx, dealId: string, said: Said, at: number): Promise<ChatLine>;
  /** The newest first; `after`: only lines with a greater number. */
  abstract list(dealId: string, after: number, page: Page): Promise<Rows<ChatLine>>;
  /** All lines, the oldest first. */
  abstract whole(dealId: string): Promise<readonly ChatLine[]>;
  /** A side has read up to a line. */
  abstract read(dealId: string, side: ChatSide, upTo: number): Promise<void>;
  /** Lines that somebody else has written and this person has not read, by deal; chats without are left out. */
  abstract unread(userId: number, dealIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, number>>;
  /** Up to so many chats of deals that ended before then, without an open appeal; pictures that no other chat has. */
  abstract over(endedBefore: number, limit: number): Promise<OldChats>;
  /** Removes the chats of these deals. */
  abstract forget(tx: Tx, dealIds: readonly string[]): Promise<void>;
}

/** A piece of evidence: words, a picture, or both. */
export interface Evidence {
  readonly by: AppealSide;
  readonly text: string;
  /** Name of a picture; empty: none. */
  readonly picture: string;
  readonly at: number;
}
/** What has happened to an appeal. */
export interface AppealEvent {
  readonly at: number;
  /** A text of ours; empty: `note` says it. */
  readonly key: string;
  readonly params: Params;
  /** Words of an operator, for operators. */
  readonly note: string;
  readonly operatorId: number | null;
  /** Both sides see it. */
  readonly isShown: boolean;
}

export interface AppealFilter {
  readonly states?: readonly AppealState[] | undefined;
  /** One of the two parties of its deal. */
  readonly userId?: number | undefined;
}

/** Appeals, their evidence and what happened to them. */
export abstract class AppealStore {
  /** False when one of the deal is open, or waits for the ledger. */
  abstract insert(tx: Tx, appeal: Appeal): Promise<boolean>;
  abstract lock(tx: Tx, id: string): Promise<Appeal | null>;
  /** Forgets one of which the ledger has not decided. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** The open one of a deal, or the one that waits; locked. */
  abstract lockOfDeal(tx: Tx, dealId: string): Promise<Appeal | null>;
  abstract save(tx: Tx, appeal: Appeal): Promise<void>;
  abstract find(id: string): Promise<Appeal | null>;
  /** Of a deal, the newest first; none that waits for the ledger. */
  abstract ofDeal(dealId: string): Promise<readonly Appeal[]>;
  /** Those that are due soonest first when they are open, else the newest. */
  abstract list(filter: AppealFilter, page: Page): Promise<Rows<Appeal>>;
  abstract addEvidence(tx: Tx, appealId: string, evidence: Evidence): Promise<void>;
  abstract brought(tx: Tx, appealId: string, side: AppealSide): Promise<Brought>;
  abstract addEvent(tx: Tx, appealId: string, event: AppealEvent): Promise<void>;
  /** By appeal, the oldest first. */
  abstract evidenceOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Evidence[]>>;
  abstract eventsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly AppealEvent[]>>;
  /** How many are open, and how many of them beyond their time. */
  abstract work(now: number): Promise<{ readonly open: number; readonly overdue: number }>;
}

/** Public keys that have ever signed transcripts. */
export abstract class TranscriptKeys {
  abstract note(publicKey: string, at: number): Promise<void>;
  /** The newest first. */
  abstract list(): Promise<readonly { readonly publicKey: string; readonly since: number }[]>;
}
