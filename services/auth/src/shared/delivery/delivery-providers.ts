import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Config } from '@bourse/platform';
import { dialledOf, isMailbox, mailboxOf, type AccountName } from '../domain/account-name.js';

/** One message to one person. */
export interface Message {
  readonly name: AccountName;
  readonly subject: string;
  readonly text: string;
}

/** Delivers messages over one channel. Throws on failure; the caller retries. */
export abstract class DeliveryProvider {
  abstract deliver(message: Message): Promise<void>;
}
/** The address can never receive a message: a retry is useless, and the channel itself works. */
export class InvalidAddress extends Error {}

const TIMEOUT_MS = 5_000;

/** Mail over SMTP. */
export class SmtpProvider extends DeliveryProvider {
  private readonly transport: Transporter;
  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    this.transport = createTransport(url, { from });
  }
  async deliver({ name, subject, text }: Message): Promise<void> {
    // Accounts older than this rule may have names that mail programs read as a list: these get no mail.
    const address = mailboxOf(name.address);
    if (!isMailbox(address)) throw new InvalidAddress('the address is not one mailbox');
    // An object is read as one address; a text would be read as a list.
    await this.transport.sendMail({ from: this.from, to: { name: '', address }, subject, text });
  }
}

/** Short messages through a provider that accepts `POST { to, text }` as JSON and answers 2xx. */
class HttpSmsProvider extends DeliveryProvider {
  constructor(private readonly url: string) {
    super();
  }
  async deliver({ name, text }: Message): Promise<void> {
    if (name.kind !== 'mobile') throw new Error('invariant: a short message goes to a number');
    const response = await fetch(this.url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: dialledOf(name), text }),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the SMS provider answered ${response.status}`);
  }
}

/** The channels of this install; null: the operator has configured none. */
@Injectable()
export class DeliveryProviders {
  readonly email: DeliveryProvider | null;
  readonly mobile: DeliveryProvider | null;
  constructor(config: Config) {
    this.email = config.smtpUrl ? new SmtpProvider(config.smtpUrl, config.smtpFrom) : null;
    this.mobile = config.smsUrl ? new HttpSmsProvider(config.smsUrl) : null;
  }
}
