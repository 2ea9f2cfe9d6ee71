import type { Tx } from '@bourse/persistence';
import type { AccountName } from '../../domain/account-name.js';
import type { Scene } from '../../domain/code.js';
import type { Sql } from './database.js';

/** A message to one mailbox or phone. */
export interface MailMessage {
  readonly name: AccountName;
  readonly scene: Scene | 'security' | 'kyc';
  readonly code: string;
  readonly subject: string;
  readonly text: string;
}
/** Sends mails and short messages; a demo install also shows them in its inbox. */
export abstract class Mailer {
  /** Whether messages of this kind reach people: a provider is configured, or the install has an inbox of its own. */
  abstract reaches(kind: AccountName['kind']): boolean;
  /** Sends the message if the transaction commits. */
  abstract send(tx: Tx, message: MailMessage, now: number): Promise<void>;
  abstract inbox(
    sql: Sql,
    filter: { readonly to?: string | undefined; readonly scene?: string | undefined; readonly limit: number },
  ): Promise<{ to: string; scene: string; code: string; text: string; time: string }[]>;
}
