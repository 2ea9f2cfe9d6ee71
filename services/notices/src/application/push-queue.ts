import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { endsSessions, groupOf } from '../domain/push.js';
import type { StoredNotice } from '../domain/notice.js';
import { pushMessage } from './notice-words.js';
import { PushStore } from './push-ports.js';

/** The most messages that the devices of one person get within a minute; the list has the other notices. */
export const PER_MINUTE_MAX = 20;
const MINUTE_MS = 60_000;

/** Queues the notices that a person's devices are to show, in the transaction that writes the notices. */
@Injectable()
export class PushQueue {
  private readonly counts = new Map<number, number>();
  private minute = 0;

  constructor(
    private readonly store: PushStore,
    private readonly clock: Clock,
  ) {}

  async add(
    tx: Tx,
    notices: readonly (StoredNotice & { readonly userId: number })[],
    langOf: (userId: number) => Language,
  ): Promise<void> {
    // Most people have no device: their notices cost no words.
    const owners = await this.store.findOwners(tx, [...new Set(notices.map(({ userId }) => userId))]);
    const pushes = notices
      .filter(({ userId }) => owners.has(userId) && this.countPush(userId))
      .map((notice) => ({
        userId: notice.userId,
        group: groupOf(notice.kind),
        payload: JSON.stringify(pushMessage(notice, langOf(notice.userId))),
      }));
    if (pushes.length > 0) await this.store.queue(tx, pushes);
    const ended = notices.filter(({ kind }) => endsSessions(kind)).map(({ userId }) => userId);
    if (ended.length > 0) await this.store.lapse(tx, ended);
  }

  /** Counts one message of a person, if it is within the rate; returns whether it is. */
  countPush(userId: number): boolean {
    const count = this.countOf(userId);
    if (count >= PER_MINUTE_MAX) return false;
    this.counts.set(userId, count + 1);
    return true;
  }

  /** Counts one message of a person in the first minute that has room for it; returns the seconds until then. */
  countLater(userId: number): number {
    const count = this.countOf(userId);
    this.counts.set(userId, count + 1);
    const minutes = Math.floor(count / PER_MINUTE_MAX);
    return minutes === 0 ? 0 : (minutes * MINUTE_MS - (this.clock.real() % MINUTE_MS)) / 1_000;
  }

  /** Returns the messages of this minute and of those that wait for later ones. */
  private countOf(userId: number): number {
    const minute = Math.floor(this.clock.real() / MINUTE_MS);
    const gone = Math.abs(minute - this.minute) * PER_MINUTE_MAX;
    this.minute = minute;
    if (gone > 0)
      for (const [user, count] of this.counts)
        if (count > gone) this.counts.set(user, count - gone);
        else this.counts.delete(user);
    return this.counts.get(userId) ?? 0;
  }
}
