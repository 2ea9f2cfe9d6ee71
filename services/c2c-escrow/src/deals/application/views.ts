import { Injectable } from '@nestjs/common';
import type { Ad as ShownAd, Deal as ShownDeal, Language, PaymentInfo } from '@bourse/contract';
import { PERCENT_SCALE } from '@bourse/formulas';
import { translate } from '@bourse/i18n';
import type { PartyPayment } from '@bourse/messaging';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { Clock, Config, signedUpload, timeText } from '@bourse/platform';
import { PRICE_SCALE, type Ad } from '../domain/ad.js';
import {
  dealActions,
  expiryAppealUntil,
  isUnderWay,
  showsParties,
  canAppealExpiry,
  SELLER_RESPONSE_MS,
  type AppealState,
  type Deal,
  type DealState,
  type Side,
} from '../domain/deal.js';
import { DealParties } from './parties.js';
import { NO_STATISTICS, type Statistics } from './ports.js';

/* Views of ads and deals in the contract (api §2.7). */

const AD_STATUS = { waiting: 1, shelf: 1, off: 2, sold: 3 } as const;
export const IS_SURE = { waiting: 0, unpaid: 0, finished: 1, cancelled: 2, paid: 3 } as const satisfies Record<
  DealState,
  number
>;
const APPEAL_CODES = { none: 0, open: 1, buyer: 2, seller: 3 } as const satisfies Record<AppealState, number>;
const RATE_DECIMALS = 2;

/** Percentage of ended deals that were finished; 0 without any. */
const toDoneRate = ({ finished, ended }: Pick<Statistics, 'finished' | 'ended'>): string =>
  formatUnits(ended === 0 ? 0n : (BigInt(finished) * 10_000n) / BigInt(ended), RATE_DECIMALS);
/** Statistics of a partner, counted from deals. */
export const toStatisticsView = (figures: Statistics = NO_STATISTICS) => ({
  deals: figures.finished,
  done_rate: toDoneRate(figures),
  release_seconds: figures.releaseSeconds,
});

export function toAdView(ad: Ad, statistics: Statistics | undefined, viewerId: number | undefined): ShownAd {
  const amount = (units: bigint): string => formatUnits(units, ad.scale);
  return {
    id: ad.id,
    kind: ad.kind,
    type: ad.type,
    currency_id: ad.currencyId,
    currency_name: ad.currencyName,
    coin_code: ad.coinCode,
    price: formatUnits(ad.price, PRICE_SCALE),
    total_number: amount(ad.total),
    surplus_number: amount(ad.surplus),
    way: ad.way,
    seller_name: ad.ownerName,
    seller_id: ad.ownerId,
    status: AD_STATUS[ad.state],
    limit_minutes: ad.limitMinutes,
    min_number: amount(ad.min),
    max_number: amount(ad.max),
    fee_rate: formatTrimmed(ad.feeRate, PERCENT_SCALE),
    ...toStatisticsView(statistics),
    shop_id: ad.shopId ?? 0,
    level: ad.level,
    create_time: timeText(ad.createdAt),
    is_mine: ad.ownerId === viewerId ? 1 : 0,
  };
}

/** When the current turn ends; null: no party has a turn. */
function turnDeadline(deal: Deal): number | null {
  if (deal.appeal === 'open') return deal.decisionDue;
  if (deal.state === 'unpaid') return deal.deadline;
  return deal.state === 'paid' && deal.silentSince !== null ? deal.silentSince + SELLER_RESPONSE_MS : null;
}

/** The next step as a text key with its parameters. */
function toNextStep(deal: Deal, side: Side, now: number): { key: string; params: Record<string, string> } {
  const until = timeText(turnDeadline(deal));
  const { state, appeal } = deal;
  if (appeal === 'open') return { key: 'c2c.next.appeal', params: { until } };
  const money = `${formatUnits(deal.money, deal.fiatScale)} ${deal.coinCode}`;
  if (state === 'unpaid')
    return { key: side === 'buyer' ? 'c2c.next.pay' : 'c2c.next.awaitPayment', params: { money, until } };
  if (state === 'paid')
    return { key: side === 'buyer' ? 'c2c.next.awaitConfirm' : 'c2c.next.confirm', params: { money, until } };
  if (appeal !== 'none') return { key: appeal === 'buyer' ? 'c2c.next.buyerWon' : 'c2c.next.sellerWon', params: {} };
  const number = `${formatTrimmed(deal.number, deal.scale)} ${deal.currencyName}`;
  if (state === 'finished')
    return { key: side === 'buyer' ? 'c2c.next.bought' : 'c2c.next.sold', params: { number, money } };
  if (side === 'buyer' && canAppealExpiry(deal, now))
    return { key: 'c2c.next.expired', params: { until: timeText(expiryAppealUntil(deal)) } };
  return { key: 'c2c.next.cancelled', params: { number } };
}

/** The reader of a deal and the depth of the view. */
export interface DealViewOptions {
  readonly side: Side;
  readonly lang: Language;
  readonly unread: number;
  /** Facts in the view: names, phones and payment details; the two names; or none. */
  readonly facts: 'all' | 'names' | 'none';
}

/** Renders deals for their parties. */
@Injectable()
export class DealViews {
  constructor(
    private readonly parties: DealParties,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** In a list: personal facts while the deal is under way, afterwards only the two names. */
  toListView(deal: Deal, side: Side, lang: Language, unread: number): ShownDeal {
    return this.toView(deal, {
      side,
      lang,
      unread,
      facts: isUnderWay(deal) ? 'all' : showsParties(deal) ? 'names' : 'none',
    });
  }
  /** For a party that reads this one deal: personal facts, unless the deal was cancelled. */
  toPartyView(deal: Deal, side: Side, lang: Language, unread: number): ShownDeal {
    return this.toView(deal, { side, lang, unread, facts: showsParties(deal) ? 'all' : 'none' });
  }
  /** Without personal facts, so that it may be stored and pushed. */
  toBareView(deal: Deal, side: Side, lang: Language, unread: number): ShownDeal {
    return this.toView(deal, { side, lang, unread, facts: 'none' });
  }

  /** Adds the personal facts to a view that was stored without them. */
  fillPersonal(shown: ShownDeal, deal: Deal): ShownDeal {
    if (!showsParties(deal)) return shown;
    return { ...shown, ...this.toPersonalFields(deal, shown.role, 'all'), proof: this.signPicture(deal.proof) };
  }

  private toView(deal: Deal, { side, lang, unread, facts }: DealViewOptions): ShownDeal {
    const now = this.clock.now();
    const ends = turnDeadline(deal);
    const { key, params } = toNextStep(deal, side, now);
    const amount = (units: bigint): string => formatUnits(units, deal.scale);
    return {
      id: deal.id,
      ad_id: deal.adId,
      kind: deal.kind,
      type: deal.type,
      role: side,
      currency_id: deal.currencyId,
      currency_name: deal.currencyName,
      number: amount(deal.number),
      price: formatUnits(deal.price, PRICE_SCALE),
      deal_money: formatUnits(deal.money, deal.fiatScale),
      coin_code: deal.coinCode,
      out_fee: amount(deal.fee),
      way: deal.way,
      way_name: translate(lang, `c2c.way.${deal.way}`),
      is_sure: IS_SURE[deal.state],
      appeal: APPEAL_CODES[deal.appeal],
      create_time: Math.floor(deal.createdAt / 1_000),
      format_create_time: timeText(deal.createdAt),
      deadline: timeText(ends ?? deal.deadline),
      remain_seconds: ends === null ? 0 : Math.max(0, Math.ceil((ends - now) / 1_000)),
      ...this.toPersonalFields(deal, side, facts),
      next: translate(lang, key, params),
      can: dealActions(deal, side, now),
      unread,
      proof: facts === 'all' ? this.signPicture(deal.proof) : '',
    };
  }

  private toPersonalFields(deal: Deal, side: Side, facts: DealViewOptions['facts']) {
    const none = { seller_phone: '', phone: '', hes_realname: '', sell_cash_info: null, user_cash_info: null };
    if (facts === 'none') return { ...none, seller_name: deal.ownerName, account_number: deal.takerName };
    const { buyer, seller } = this.parties.open(deal.id, deal.facts);
    const other = side === 'buyer' ? seller : buyer;
    const names = {
      // Deals opened by the release before hold only the masked name.
      seller_name: (deal.type === 'sell' ? seller : buyer).fullName ?? deal.ownerName,
      account_number: (deal.type === 'sell' ? buyer : seller).accountNumber,
    };
    if (facts === 'names') return { ...none, ...names };
    return {
      ...names,
      seller_phone: seller.phone,
      phone: buyer.phone,
      hes_realname: other.realName,
      sell_cash_info: this.toPaymentInfo(seller.payment),
      user_cash_info: this.toPaymentInfo(buyer.payment),
    };
  }

  private toPaymentInfo(payment: PartyPayment | null): PaymentInfo | null {
    if (!payment) return null;
    return {
      real_name: payment.realName,
      bank_name: payment.bankName,
      bank_account: payment.bankAccount,
      alipay_account: payment.alipayAccount,
      alipay_collect: this.signPicture(payment.alipayCollect),
      wechat_account: payment.wechatAccount,
      wechat_nickname: payment.wechatNickname,
      wechat_collect: this.signPicture(payment.wechatCollect),
    };
  }

  private signPicture(name: string | null): string {
    return signedUpload(this.config.internalSecret, name ?? '', this.clock.real());
  }
}
