import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Page, Rows } from '../../shared/application/pages.js';
import type { ChatLine, ChatSide, NewLine } from '../domain/chat-line.js';

/** The chat of a deal. */
export interface Chat {
  readonly dealId: string;
  readonly buyerId: number;
  readonly sellerId: number;
  /** Languages of the two when the deal was made: pushes speak them. */
  readonly buyerLang: Language;
  readonly sellerLang: Language;
}

/** Chats whose time is over, and names of the pictures in them. */
export interface ExpiredChats {
  readonly dealIds: readonly string[];
  readonly pictures: readonly string[];
}

/** Chats and their lines. */
export abstract class ChatStore {
  /** Makes the chat of a deal where there is none yet. */
  abstract open(tx: Tx, chat: Chat): Promise<void>;
  abstract find(dealId: string, tx?: Tx): Promise<Chat | null>;
  /** Lines that the two sides have written; until `tx` ends nobody else adds one. */
  abstract countSpoken(tx: Tx, dealId: string): Promise<number>;
  /** Adds a line with the next number of its chat. @throws Error when there is no chat. */
  abstract add(tx: Tx, dealId: string, said: NewLine, at: number): Promise<ChatLine>;
  /** The newest first; `after`: only lines with a greater number. */
  abstract list(dealId: string, after: number, page: Page): Promise<Rows<ChatLine>>;
  /** All lines, the oldest first. */
  abstract listAll(dealId: string): Promise<readonly ChatLine[]>;
  /** A side has read up to a line. */
  abstract markRead(dealId: string, side: ChatSide, upTo: number): Promise<void>;
  /** Lines that somebody else has written and this person has not read, by deal; chats without are left out. */
  abstract countUnread(userId: number, dealIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, number>>;
  /** Up to so many chats of deals that ended before then, without an open appeal; pictures that no other chat has. */
  abstract listExpired(endedBefore: number, limit: number): Promise<ExpiredChats>;
  /** Removes the chats of these deals. */
  abstract remove(tx: Tx, dealIds: readonly string[]): Promise<void>;
}
