import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Notice, type Caller } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { cleanHtml, plainText } from './clean-html.js';
import type { MessageTexts } from '../domain/notice.js';
import { NoticeReaders } from './notice-readers.js';
import { NoticeWriter } from './notice-writer.js';
import { NoticesDatabase } from './ports.js';

export interface OperatorMessage {
  /** Null: everybody who is registered now. */
  readonly to: number | null;
  /** At least one; of several the English one is for those whose language is missing. */
  readonly texts: MessageTexts;
  readonly reason: string;
}

/** Operators' messages to people (api §2.12). */
@Injectable()
export class NoticeDesk {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly writer: NoticeWriter,
    private readonly readers: NoticeReaders,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a message to one person, or to everybody as one row, with its line in the audit log. Throws
   * `common.notFound` when there is no such person; `AskUnavailable`: then nothing was sent.
   */
  async send(operator: Caller, { to, texts: written, reason }: OperatorMessage): Promise<Notice> {
    if (to !== null) await this.readers.since(to);
    const texts = Object.fromEntries(
      Object.entries(written).map(([lang, { title, content }]) => [
        lang,
        { title: plainText(title), content: cleanHtml(content) },
      ]),
    );
    const [[lang, text] = [], ...others] = Object.entries(texts);
    const at = this.clock.now();
    await this.database.transaction(async (tx) => {
      const source = `message:${randomUUID()}`;
      await this.writer.add(tx, [{ userId: to, source, kind: 'message', params: {}, texts, link: '', at }]);
      recordChange(tx, {
        service: 'notices',
        action: 'notices.send',
        target: to === null ? 'all' : `user:${to}`,
        before: {},
        after: others.length === 0 ? { lang, ...text } : texts,
        by: { operatorId: operator.userId, operator: operator.accountNumber, reason },
        at,
      });
    });
    return new Notice('notice.sent');
  }
}
