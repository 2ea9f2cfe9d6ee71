import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Config } from '@bourse/platform';
import { dialledOf, isMailbox, mailboxOf, type AccountName } from '../../domain/account-name.js';

/** One message to one person. */
export interface Message {
  readonly name: AccountName;
  readonly subject: string;
  readonly text: string;
}

/** Brings messages to people over one way. Throws when it could not; the caller tries again. */
export abstract class DeliveryProvider {
  abstract deliver(message: Message): Promise<void>;
}
/** The address can never be written to: no further try helps, and the way itself is not disturbed. */
export class InvalidAddress extends Error {}

/** The ways that this install has; null: the operator has named none. */
export abstract class DeliveryProviders {
  abstract readonly email: DeliveryProvider | null;
  abstract readonly mobile: DeliveryProvider | null;
}

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
    // Accounts that are older than this rule may have names that mail programs read as a list: those get no mail.
    const address = mailboxOf(name.address);
    if (!isMailbox(address)) throw new InvalidAddress('the address is not one mailbox');
    // As an object it is taken as one address; as text it would be read as a list.
    await this.transport.sendMail({ from: this.from, to: { name: '', address }, subject, text });
  }
}

/** Short messages over a provider that takes `POST { to, text }` as JSON and answers 2xx. */
export class HttpSmsProvider extends DeliveryProvider {
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

@Injectable()
export class ConfiguredProviders extends DeliveryProviders {
  readonly email: DeliveryProvider | null;
  readonly mobile: DeliveryProvider | null;
  constructor(config: Config) {
    super();
    this.email = config.smtpUrl ? new SmtpProvider(config.smtpUrl, config.smtpFrom) : null;
    this.mobile = config.smsUrl ? new HttpSmsProvider(config.smsUrl) : null;
  }
}
