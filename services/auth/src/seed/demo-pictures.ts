import { readFileSync } from 'node:fs';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DEMO_PEOPLE, type DemoPerson } from '@bourse/contract';
import { Asks, gatewayAsks, OwnUploads } from '@bourse/messaging';
import { AuthDatabase } from '../shared/application/ports/database.js';
import { People, type PaymentSettings } from '../shared/application/ports/people.js';

const RETRY_INTERVAL_MS = 2_000;
/** Timeout of an upload: the gateway decodes and writes pictures one after another. */
const ASK_TIMEOUT_MS = 5_000;

/**
 * Gives the demo people the pictures of their payment settings (rules §17): each is uploaded and claimed in the name of
 * its person, like a person's own upload. People with pictures keep them; older demo installs get the pictures at their
 * next start [AUTH-143].
 */
@Injectable()
export class DemoPictures implements OnApplicationShutdown {
  private readonly log = new Logger('DemoPictures');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly uploads: OwnUploads,
    private readonly asks: Asks,
  ) {}

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  /** Retries beside the running exchange until all is done: the gateway may start later than this service. */
  start(): void {
    this.add().catch((error: unknown) => {
      this.log.debug(`the pictures of the demo people have to wait: ${String(error)}`);
      this.timer = setTimeout(() => this.start(), RETRY_INTERVAL_MS).unref();
    });
  }

  private async add(): Promise<void> {
    for (const person of DEMO_PEOPLE) if (person.payment) await this.addTo(person);
  }

  private async addTo({ id, email }: DemoPerson): Promise<void> {
    if (!lacksPictures(await this.people.paymentOf(this.database, id))) return;
    const pictures = {
      alipayCollect: await this.upload(id, pictureOf('alipay', email)),
      wechatCollect: await this.upload(id, pictureOf('wechat', email)),
    };
    await this.database.transaction(async (tx) => {
      // The person or another instance may have been faster; then this upload stays unclaimed.
      await tx.execute('select 1 from payment_settings where user_id = $1 for update', [id]);
      const payment = await this.people.paymentOf(tx, id);
      if (lacksPictures(payment)) await this.people.setPayment(tx, id, { ...payment, ...pictures });
    });
  }

  /** Name of the picture at the gateway. Throws like a person's upload. */
  private async upload(userId: number, picture: Buffer): Promise<string> {
    const question = { userId, image: picture.toString('base64') };
    const { address } = await this.asks.ask(gatewayAsks.demoPicture, question, ASK_TIMEOUT_MS);
    const name = await this.uploads.own(userId, 'pay', address);
    if (name === null) throw new Error(`${address} was uploaded for ${userId}, but is not theirs`);
    return name;
  }
}

const lacksPictures = (payment: PaymentSettings | null): payment is PaymentSettings =>
  payment !== null && payment.alipayCollect === '' && payment.wechatCollect === '';

/** The QR code that payment apps would read for a demo person; the README of this service says how they were made. */
const pictureOf = (way: 'alipay' | 'wechat', email: string): Buffer =>
  readFileSync(new URL(`./pictures/${way}-${email.split('@')[0] ?? ''}.png`, import.meta.url));
