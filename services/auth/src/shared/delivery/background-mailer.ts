import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Alarms, Config, Metrics, timeText } from '@bourse/platform';
import type { Sql } from '../application/ports/database.js';
import { Mailer, type MailMessage } from '../application/ports/mailer.js';
import type { AccountName } from '../domain/account-name.js';
import { DeliveryProviders, InvalidAddress } from './delivery-providers.js';

/** Pauses before the retries. A code lives five minutes, so later retries are useless. */
const RETRY_PAUSES_MS = [1_000, 5_000, 30_000];

/**
 * Sends in the background after the commit: an answer neither waits for a mail server nor reveals by its time whether a
 * message was sent.
 */
@Injectable()
export class BackgroundMailer extends Mailer {
  private readonly log = new Logger('Post');

  constructor(
    private readonly config: Config,
    private readonly providers: DeliveryProviders,
    private readonly alarms: Alarms,
    private readonly metrics: Metrics,
  ) {
    super();
    for (const kind of ['email', 'mobile'] as const) {
      if (!this.reaches(kind))
        this.log.warn(`${kind === 'email' ? 'SMTP_URL' : 'SMS_URL'} is not set: codes cannot be sent by ${kind}`);
    }
  }

  reaches(kind: AccountName['kind']): boolean {
    return this.config.dev || this.providers[kind] !== null;
  }

  async send(tx: Tx, { name, scene, code, subject, text }: MailMessage, now: number): Promise<void> {
    if (this.config.dev)
      await tx.execute('insert into letter (recipient, scene, code, text, at) values ($1, $2, $3, $4, $5)', [
        name.address,
        scene,
        code,
        text,
        new Date(now),
      ]);
    tx.afterCommit(() => void this.carry(name, subject, text));
  }

  async inbox(
    sql: Sql,
    { to, scene, limit }: { to?: string | undefined; scene?: string | undefined; limit: number },
  ): Promise<{ to: string; scene: string; code: string; text: string; time: string }[]> {
    const rows = await sql.query<{ recipient: string; scene: string; code: string; text: string; at: Date }>(
      // A number may be queried with its area code.
      `select recipient, scene, code, text, at from letter
       where ($1::text is null or recipient = $1
           or (recipient ~ '^[0-9]+$' and $1 ~ '^[+][0-9]+$' and right($1, length(recipient)) = recipient))
         and ($2::text is null or scene = $2)
       order by id desc limit $3`,
      [to?.toLowerCase() ?? null, scene ?? null, limit],
    );
    return rows.map((row) => ({
      to: row.recipient,
      scene: row.scene,
      code: row.code,
      text: row.text,
      time: timeText(row.at),
    }));
  }

  private async carry(name: AccountName, subject: string, text: string): Promise<void> {
    const provider = this.providers[name.kind];
    if (!provider) return; // logged once at the start; a demo install has its inbox
    const alarm = `auth.post.${name.kind}`;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await provider.deliver({ name, subject, text });
        this.alarms.clear(alarm);
        return;
      } catch (error) {
        if (error instanceof InvalidAddress)
          return void this.log.warn(`a ${name.kind} message was not sent: ${error.message}`);
        this.metrics
          .counter('bourse_post_failures_total', 'Mails and short messages that could not be handed over', ['kind'])
          .inc({ kind: name.kind });
        this.log.warn(`a ${name.kind} message was not taken: ${(error as Error).message}`);
        const pause = RETRY_PAUSES_MS[attempt];
        if (pause === undefined) {
          this.alarms.raise(alarm, `messages by ${name.kind} are not taken`);
          return;
        }
        await sleep(pause, undefined, { ref: false });
      }
    }
  }
}
