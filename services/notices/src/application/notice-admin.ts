import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Asks, authAsks, type ChangedBy } from '@bourse/messaging';
import { Clock, Notice, type Caller } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { cleanHtml, plainText } from './clean-html.js';
import type { MessageTexts } from '../domain/notice.js';
import { NoticeReaders } from './notice-readers.js';
import { NoticeWriter } from './notice-writer.js';
import { NoticesDatabase } from './ports.js';

export interface OperatorMessage {
  /** Null: everybody who is registered when it is sent. */
  readonly to: number | null;
  /** At least one; of several the English one is for those whose language is missing. */
  readonly texts: MessageTexts;
  readonly reason: string;
}
/** A message to everybody that waits for a second operator. */
export interface WaitingMessage {
  readonly source: string;
  readonly texts: MessageTexts;
  readonly by: ChangedBy;
}

/** The call whose message to everybody needs a second operator. */
const SEND_CALL = 'notices/send';
const EVERYBODY = 'all';

/** Operators' messages to people (api §2.12). */
@Injectable()
export class NoticeAdmin {
  constructor(
    private readonly database: NoticesDatabase,
    private readonly writer: NoticeWriter,
    private readonly readers: NoticeReaders,
    private readonly asks: Asks,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a message to one person. One to everybody is sent when a second operator approves it; the answer names the
   * approval [NOTICE-060]. Throws `common.notFound` when there is no such person; `AskUnavailable`: then nothing was
   * sent.
   */
  async send(operator: Caller, { to, texts: written, reason }: OperatorMessage): Promise<Notice> {
    if (to !== null) await this.readers.since(to);
    const texts = Object.fromEntries(
      Object.entries(written).map(([lang, { title, content }]) => [
        lang,
        { title: plainText(title), content: cleanHtml(content) },
      ]),
    );
    const by = { operatorId: operator.userId, operator: operator.accountNumber, reason };
    const source = `message:${randomUUID()}`;
    if (to === null) {
      const { id } = await this.asks.ask(authAsks.approval, {
        operator,
        call: SEND_CALL,
        target: EVERYBODY,
        reason,
        after: recorded(texts),
        payload: { source, texts, by } satisfies WaitingMessage,
      });
      return new Notice('admin.approvalWaiting', { approval_id: id });
    }
    await this.write(to, { source, texts, by });
    return new Notice('notice.sent');
  }

  /** Sends an approved message to everybody; a repeated call changes nothing. */
  carryOut(waiting: WaitingMessage): Promise<void> {
    return this.write(null, waiting);
  }

  /** Writes the message, to everybody as one row, with its line in the audit log. */
  private async write(to: number | null, { source, texts, by }: WaitingMessage): Promise<void> {
    const at = this.clock.now();
    await this.database.transaction(async (tx) => {
      const message = { userId: to, source, kind: 'message' as const, params: {}, texts, link: '', at };
      if ((await this.writer.add(tx, [message])) === 0) return;
      recordChange(tx, {
        service: 'notices',
        action: 'notices.send',
        target: to === null ? EVERYBODY : `user:${to}`,
        before: {},
        after: recorded(texts),
        by,
        at,
      });
    });
  }
}

/** The words as the audit log shows them: those of one language without a level of their own. */
function recorded(texts: MessageTexts): Readonly<Record<string, unknown>> {
  const [[lang, text] = [], ...others] = Object.entries(texts);
  return others.length === 0 ? { lang, ...text } : { ...texts };
}
