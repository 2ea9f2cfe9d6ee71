import { Injectable, Logger } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import { Readers, type ReaderFacts } from '@bourse/messaging';
import { Refused } from '@bourse/platform';

/** A changed language takes effect after at most this time of the process. Ms. */
const FRESH_MS = 60_000;
const REMEMBERED_MAX = 50_000;
const UNKNOWN: Language = 'en';

/** The recipients: their facts from auth are cached for a while. */
@Injectable()
export class NoticeReaders {
  private readonly logger = new Logger('NoticeReaders');
  private readonly known = new Map<number, { readonly facts: ReaderFacts; readonly freshUntil: number }>();

  constructor(private readonly readers: Readers) {}

  /**
   * The languages that these people have chosen. Where auth has no answer, because it is down or knows no such person,
   * the language is English: a push in the wrong language is better than none, and lists are read in the language of
   * the call.
   */
  async languages(userIds: readonly number[]): Promise<(userId: number) => Language> {
    const now = performance.now();
    const asked = userIds.filter((id) => !((this.known.get(id)?.freshUntil ?? 0) > now));
    if (asked.length > 0)
      await this.ask(asked).catch((error: unknown) => this.logger.warn(`languages are not known: ${String(error)}`));
    return (userId) => this.known.get(userId)?.facts.lang ?? UNKNOWN;
  }

  /**
   * When this person registered, business time, ms. @throws AskUnavailable while auth is down and has not answered for
   * this person before; Refused `common.notFound` for an unknown person.
   */
  async since(userId: number): Promise<number> {
    const facts = this.known.get(userId)?.facts ?? (await this.ask([userId])).get(userId);
    if (!facts) throw new Refused('common.notFound', {}, { field: 'user_id' });
    return facts.since;
  }

  private async ask(userIds: readonly number[]): Promise<ReadonlyMap<number, ReaderFacts>> {
    const found = await this.readers.facts(userIds);
    if (this.known.size + found.size > REMEMBERED_MAX) this.known.clear();
    const freshUntil = performance.now() + FRESH_MS;
    for (const [userId, facts] of found) this.known.set(userId, { facts, freshUntil });
    return found;
  }
}
