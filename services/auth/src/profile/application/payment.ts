import { Injectable } from '@nestjs/common';
import { OwnUploads } from '@bourse/messaging';
import type { PaymentInfo } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, Refused, signedUpload, type Caller } from '@bourse/platform';
import { FundChange } from '../../shared/application/fund-change.js';
import { OwnChange } from '../../shared/application/own-change.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { People, type Bank, type PaymentSettings } from '../../shared/application/ports/people.js';
import { SessionEvents } from '../../shared/application/session-events.js';

export type PaymentTexts = Omit<PaymentSettings, 'alipayCollect' | 'wechatCollect'>;

/** Payment data of a person: the bank, and the settings that deals show to the other party (rules §12.5) [AUTH-141]. */
@Injectable()
export class Payment {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly uploads: OwnUploads,
    private readonly fundChange: FundChange,
    private readonly ownChange: OwnChange,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async setBank(caller: Caller, bank: Bank): Promise<void> {
    await this.database.transaction((tx) => this.people.setBank(tx, caller.userId, bank));
  }

  async info(caller: Caller): Promise<PaymentInfo | null> {
    const payment = await this.people.paymentOf(this.database, caller.userId);
    return payment && this.shown(payment);
  }

  /**
   * The check before the fields: the second and every later save needs a fund password to be set. Throws `fund.notSet`
   * (not), `fund.mustReset` (996). Returns whether the save needs the password.
   */
  async needsPassword(caller: Caller): Promise<boolean> {
    const [payment, person] = await Promise.all([
      this.people.paymentOf(this.database, caller.userId),
      this.people.byId(this.database, caller.userId),
    ]);
    if (payment === null) return false;
    if (!person?.fundHash) throw new Refused('fund.notSet');
    if (person.fundMustReset) throw new Refused('fund.mustReset');
    return true;
  }

  /**
   * Throws `cash.images` for a picture that is missing or not the caller's, then what `needsPassword` and `FundChange`
   * throw.
   */
  async save(
    caller: Caller,
    texts: PaymentTexts,
    pictures: { readonly alipay: string | undefined; readonly wechat: string | undefined },
    password: { readonly needed: boolean; readonly given: string | undefined },
  ): Promise<void> {
    const alipayCollect = await this.picture(caller.userId, 'alipay_collect', pictures.alipay);
    const wechatCollect = await this.picture(caller.userId, 'wechat_collect', pictures.wechat);
    const save = (tx: Tx): Promise<void> =>
      this.people.setPayment(tx, caller.userId, { ...texts, alipayCollect, wechatCollect });
    // Another call may have saved the first settings since the check before the fields.
    const isFirst =
      !password.needed &&
      (await this.ownChange.execute(caller, async (tx) => {
        if (await this.people.paymentOf(tx, caller.userId)) return false;
        await save(tx);
        return true;
      }));
    if (!isFirst) {
      if (!password.needed) await this.needsPassword(caller);
      await this.fundChange.execute(caller, password.given, save);
    }
    await this.news.sessionsEnded(caller.userId, []);
  }

  private shown(payment: PaymentSettings): PaymentInfo {
    const link = (name: string): string => signedUpload(this.config.internalSecret, name, this.clock.real());
    return {
      real_name: payment.realName,
      bank_name: payment.bankName,
      bank_account: payment.bankAccount,
      alipay_account: payment.alipayAccount,
      alipay_collect: link(payment.alipayCollect),
      wechat_account: payment.wechatAccount,
      wechat_nickname: payment.wechatNickname,
      wechat_collect: link(payment.wechatCollect),
    };
  }

  private async picture(userId: number, field: string, address: string | undefined): Promise<string> {
    const name = await this.uploads.own(userId, 'pay', address);
    if (name === null) throw new Refused('cash.images', {}, { field });
    return name;
  }
}
