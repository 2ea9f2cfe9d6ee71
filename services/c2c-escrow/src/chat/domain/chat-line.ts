import type { Params } from '@bourse/contract';

/* The chat of a deal: lines of the two sides, of support, and of the system (api §2.7). */

const DAY_MS = 86_400_000;

export type ChatSide = 'buyer' | 'seller';
export type ChatSender = ChatSide | 'support' | 'system';

/** A line before it has a number: words of a person, the name of a picture, or a text of the exchange. */
export interface NewLine {
  readonly from: ChatSender;
  readonly text: string;
  /** Name of a picture; empty: no picture. */
  readonly image: string;
  /** Key of a text of the exchange; empty: the line consists of `text`. */
  readonly key: string;
  readonly params: Params;
}
/** A stored line; numbers start at 1 in each chat. */
export interface ChatLine extends NewLine {
  readonly id: number;
  readonly at: number;
}

export const createSpokenLine = (from: ChatSide | 'support', text: string, image = ''): NewLine => ({
  from,
  text,
  image,
  key: '',
  params: {},
});
export const createSystemLine = (key: string, params: Params = {}): NewLine => ({
  from: 'system',
  text: '',
  image: '',
  key,
  params,
});

/** The part of a deal that decides how long its chat is open. */
export interface ChatDeal {
  /** Null: the deal has not ended. */
  readonly endedAt: number | null;
  readonly hasOpenAppeal: boolean;
}
/** People may write until `openDays` after the end, and while an appeal is open. */
export const isWritable = ({ endedAt, hasOpenAppeal }: ChatDeal, now: number, openDays: number): boolean =>
  endedAt === null || hasOpenAppeal || now < endedAt + openDays * DAY_MS;

/** Chats of deals that ended before this time are removed. */
export const retentionStart = (now: number, keptDays: number): number => now - keptDays * DAY_MS;

/** How many lines the two sides of a deal may write; lines of the system are not counted (rules §6). */
export const LINES_MAX = 500;
