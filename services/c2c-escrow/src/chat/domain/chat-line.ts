import type { Params } from '@bourse/contract';

/* The chat of a deal: lines of the two sides, of support, and of the system (api §2.7). */

const DAY_MS = 86_400_000;

export type ChatSide = 'buyer' | 'seller';
export type ChatSender = ChatSide | 'support' | 'system';

/** What is said: words as they were written, the name of a picture, or a text of ours. */
export interface NewLine {
  readonly from: ChatSender;
  readonly text: string;
  /** Name of a picture; empty: none. */
  readonly image: string;
  /** Key of a text of ours; empty: `text` says it. */
  readonly key: string;
  readonly params: Params;
}
/** A line as it is kept, numbered within its chat from 1 on. */
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

/** Whether somebody else has written a line that this side is to read: steps of the system are told otherwise. */
export const isUnreadBy = (side: ChatSide, from: ChatSender): boolean => from !== side && from !== 'system';

/** What of a deal says how long its chat is open. */
export interface ChatDeal {
  /** Null: it goes on. */
  readonly endedAt: number | null;
  readonly hasOpenAppeal: boolean;
}
/** People may write until some days after the end, and as long as an appeal is open. */
export const isWritable = ({ endedAt, hasOpenAppeal }: ChatDeal, now: number, openDays: number): boolean =>
  endedAt === null || hasOpenAppeal || now < endedAt + openDays * DAY_MS;

/** Lines of deals that ended before then are forgotten. */
export const retentionStart = (now: number, keptDays: number): number => now - keptDays * DAY_MS;

/** Lines of the two sides that the chat of a deal holds; those of the system are not counted (rules §6). */
export const LINES_MAX = 500;
