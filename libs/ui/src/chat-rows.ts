import { localTime } from './format.js';

/** A message of a chat. `state` is that of an own message under way; a delivered one has none. */
export interface ChatMessage {
  readonly id: string;
  readonly from: 'own' | 'other' | 'system';
  /** May be empty where there is a picture. */
  readonly text: string;
  /** Address of a picture. */
  readonly picture?: string;
  /** When it was sent, ms. */
  readonly at: number;
  readonly state?: 'sending' | 'failed';
}

export type ChatRow =
  | { readonly kind: 'day'; readonly id: string; readonly day: string }
  | { readonly kind: 'unread'; readonly id: string }
  /** `joined`: it continues the message above, by the same side. */
  | { readonly kind: 'message'; readonly id: string; readonly message: ChatMessage; readonly joined: boolean };

/** Messages of one side within this time are shown together. */
const TOGETHER_MS = 5 * 60_000;

/**
 * The rows of a chat: messages, oldest first, with a line where a day begins in the reader's zone and one above the
 * first unread message. Nothing is unread after the last message: then there is no such line.
 */
export function chatRows(messages: readonly ChatMessage[], firstUnread?: string): readonly ChatRow[] {
  const rows: ChatRow[] = [];
  let above: ChatMessage | undefined;
  for (const message of messages) {
    const day = dayOf(message);
    const newDay = above === undefined || dayOf(above) !== day;
    const unread = message.id === firstUnread;
    if (newDay) rows.push({ kind: 'day', id: `day ${day} ${message.id}`, day });
    if (unread) rows.push({ kind: 'unread', id: `unread ${message.id}` });
    const joined = !newDay && !unread && above?.from === message.from && message.at - above.at <= TOGETHER_MS;
    rows.push({ kind: 'message', id: message.id, message, joined });
    above = message;
  }
  return rows;
}

const dayOf = ({ at }: ChatMessage): string => localTime(at).slice(0, 10);
