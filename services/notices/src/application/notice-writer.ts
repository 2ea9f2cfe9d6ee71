import { Injectable } from '@nestjs/common';
import { ledgerPartition, TOPICS, userEvent, type UserNotice } from '@bourse/events';
import { Log } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Settings } from '@bourse/settings';
import type { NewNotice, StoredNotice } from '../domain/notice.js';
import { NoticeStore } from './notice-ports.js';
import { NoticeReaders } from './notice-readers.js';
import { NOTICE_MAX } from './notice-settings.js';
import { shownNotice } from './notice-words.js';
import { PushQueue } from './push-queue.js';

/**
 * The most pushes to one person in one transaction. Further notices, as of a program with thousands of orders, are in
 * the list, which counts them all.
 */
const PUSHES_MAX = 20;
/** How many notices of one person are added between two counts of their notices. */
const NOTICES_BETWEEN_COUNTS = 50;

/** Writes personal notices, and pushes them once they are committed. */
@Injectable()
export class NoticeWriter {
  private readonly partitions: number;
  /** Notices written since the last count, by person. */
  private readonly written = new Map<number, number>();

  constructor(
    private readonly store: NoticeStore,
    private readonly readers: NoticeReaders,
    private readonly settings: Settings,
    private readonly pushes: PushQueue,
    log: Log,
  ) {
    this.partitions = log.partitionsOf(TOPICS.userEvents);
  }

  /** Writes notices that came by the stream. Those whose id the person has already are ignored. */
  async write(tx: Tx, notices: readonly UserNotice[]): Promise<void> {
    await this.add(
      tx,
      notices.map(({ id, ...notice }) => ({ ...notice, source: id, texts: null })),
    );
  }

  /** Adds the notices that are new, and pushes to everybody who gets one of their own; returns how many are new. */
  async add(tx: Tx, notices: readonly NewNotice[]): Promise<number> {
    const most = this.settings.get(NOTICE_MAX);
    const added = await this.store.add(tx, newest(notices, most));
    const own = added.filter((notice): notice is OwnNotice => notice.userId !== null);
    if (own.length === 0) return added.length;
    await this.push(tx, own);
    const due = this.dueForCount(own);
    if (due.length > 0) await this.store.keep(tx, due, most);
    return added.length;
  }

  private async push(tx: Tx, own: readonly OwnNotice[]): Promise<void> {
    const langOf = await this.readers.languages([...new Set(own.map(({ userId }) => userId))]);
    const pushed = newest(own, PUSHES_MAX);
    for (const notice of pushed)
      tx.emit(
        TOPICS.userEvents,
        ledgerPartition(notice.userId, this.partitions),
        userEvent(notice.userId, 'notice', { ...shownNotice(notice, langOf(notice.userId)), kind: notice.kind }),
      );
    await this.pushes.add(tx, pushed, langOf);
  }

  private dueForCount(own: readonly OwnNotice[]): number[] {
    const due = new Set<number>();
    for (const { userId } of own) {
      const count = (this.written.get(userId) ?? 0) + 1;
      this.written.set(userId, count);
      if (count >= NOTICES_BETWEEN_COUNTS) due.add(userId);
    }
    for (const userId of due) this.written.delete(userId);
    return [...due];
  }
}

type OwnNotice = StoredNotice & { readonly userId: number };

/** The last `most` notices of each person, in their order. */
function newest<N extends { readonly userId: number | null }>(notices: readonly N[], most: number): readonly N[] {
  if (notices.length <= most) return notices;
  const counts = new Map<number | null, number>();
  return notices
    .toReversed()
    .filter(({ userId }) => {
      const count = (counts.get(userId) ?? 0) + 1;
      counts.set(userId, count);
      return count <= most;
    })
    .toReversed();
}
