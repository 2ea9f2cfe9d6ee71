import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { NewNotice, StoredNotice } from '../domain/notice.js';

/** The reader: messages to everybody are shown to people who were registered when they were sent. */
export interface NoticeReader {
  readonly userId: number;
  /** When this person registered, business time, ms. */
  readonly since: number;
}
export interface NoticePage extends Rows<StoredNotice> {
  readonly unread: number;
}

/** Personal notices, and messages to everybody, which are one row each. */
export abstract class NoticeStore {
  /** Adds what is not there yet by person and source; answers what it has added, in the order of their ids. */
  abstract add(tx: Tx, notices: readonly NewNotice[]): Promise<readonly StoredNotice[]>;
  /** The newest first. */
  abstract page(reader: NoticeReader, page: { readonly offset: number; readonly size: number }): Promise<NoticePage>;
  /** Marks one as read at `now` and returns it; null: this person has none with this id. */
  abstract read(reader: NoticeReader, id: number, now: number): Promise<StoredNotice | null>;
  /** Deletes the oldest of these people beyond `most`. */
  abstract keep(tx: Tx, userIds: readonly number[], most: number): Promise<void>;
  /** The people with more than `most` notices. */
  abstract crowded(most: number): Promise<readonly number[]>;
  /** Deletes some of those before `before`; how many. */
  abstract forget(tx: Tx, before: number): Promise<number>;
}
