import type { Language, Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { ChatLine, ChatSide, NewLine } from '../domain/chat-line.js';
import type { Page } from '@bourse/platform';

/** The chat of a deal. */
export interface Chat {
  readonly dealId: string;
  readonly buyerId: number;
  readonly sellerId: number;
  /** Languages of the two sides when the deal opened; pushes use them. */
  readonly buyerLang: Language;
  readonly sellerLang: Language;
}

/** Expired chats with the names of their pictures. */
export interface ExpiredChats {
  readonly dealIds: readonly string[];
  readonly pictures: readonly string[];
}

/** Chats and their lines. */
export abstract class ChatStore {
  /** Creates the chat of a deal unless it exists. */
  abstract open(tx: Tx, chat: Chat): Promise<void>;
  abstract find(dealId: string, tx?: Tx): Promise<Chat | null>;
  /** Counts the lines of the two sides; no other transaction adds a line before `tx` ends. */
  abstract countSpoken(tx: Tx, dealId: string): Promise<number>;
  /** Adds a line with the next number of its chat. @throws Error when the chat does not exist. */
  abstract add(tx: Tx, dealId: string, said: NewLine, at: number): Promise<ChatLine>;
  /** Newest first; `after`: only lines with a greater number. */
  abstract list(dealId: string, after: number, page: Page): Promise<Rows<ChatLine>>;
  /** All lines, oldest first. */
  abstract listAll(dealId: string): Promise<readonly ChatLine[]>;
  /** Records that a side has read up to a line. */
  abstract markRead(dealId: string, side: ChatSide, upTo: number): Promise<void>;
  /** Unread lines by other authors, by deal; chats without unread lines are left out. */
  abstract countUnread(userId: number, dealIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, number>>;
  /**
   * Up to `limit` chats of deals that ended before `endedBefore` and have no open appeal, with the pictures that no
   * other chat names.
   */
  abstract listExpired(endedBefore: number, limit: number): Promise<ExpiredChats>;
  /** Removes the chats of these deals. */
  abstract remove(tx: Tx, dealIds: readonly string[]): Promise<void>;
}
