import { Injectable } from '@nestjs/common';
import type { CurrencyRow } from '@bourse/contract';
import { Commands, Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate, Reference } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, refuseOut, timeText, type CallContext, type WrittenAmount } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import {
  createAd,
  PRICE_SCALE,
  publishAd,
  withdrawAd,
  type Ad,
  type AdTerms,
  type AdType,
  type DealKind,
  type Fiat,
  type PayWay,
} from '../domain/ad.js';
import { FIAT_SCALES } from '@bourse/contract';
import { AdLimits } from './ad-limits.js';
import { AMOUNT_SCALE, C2C_CANCELS, C2C_MAX_ADS, C2C_SELL_FEE } from './settings.js';
import { DealParties } from './parties.js';
import { AdStore, DealStore, NO_STATISTICS, type Statistics } from './ports.js';
import { toAdView } from './views.js';
import { Escrow, createPublishOrder } from './escrow.js';

const DAY_MS = 86_400_000;
/** The period that statistics cover. */
export const STATISTICS_PERIOD_MS = 30 * DAY_MS;
const DEFAULT_MINUTES = 1_440;

/** The terms that an owner offers, after their fields were checked. */
export type Offer = Omit<AdTerms, 'ownerId' | 'ownerName' | 'feeRate' | 'createdAt'>;
/** Checks in the transaction of a new ad whether its owner may still publish. @throws Refused */
export type OfferCheck = (tx: Tx) => Promise<void>;

/** Fields of a C2C ad; each field refuses when it is read. */
export interface C2cOffer {
  readonly totalNumber: WrittenAmount;
  readonly price: WrittenAmount;
  readonly way: PayWay;
  readonly coinCode: Fiat;
  readonly type: AdType;
  readonly currencyId: number;
  readonly limitMinutes?: number | undefined;
  readonly minNumber?: WrittenAmount | undefined;
  readonly maxNumber?: WrittenAmount | undefined;
  readonly password?: string | undefined;
}

/** Publishes and withdraws ads (rules §6). C2C and shops share it. */
@Injectable()
export class AdCommands {
  private readonly publishing: Saga<Statistics>;

  constructor(
    sagas: Sagas,
    private readonly ads: AdStore,
    private readonly deals: DealStore,
    private readonly escrow: Escrow,
    private readonly commands: Commands,
    private readonly parties: DealParties,
    private readonly fund: FundGate,
    private readonly reference: Reference,
    private readonly limits: AdLimits,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.publishing = sagas.define<Statistics>({
      name: 'ad.publish',
      onPosted: async (tx, { object, note }) => {
        const ad = publishAd(await this.lockWaiting(tx, object));
        await this.ads.save(tx, ad);
        return toPublishedNotice(ad, note);
      },
      onRefused: async (tx, { object }, refusal) => {
        const { id } = await this.lockWaiting(tx, object);
        await this.ads.drop(tx, id);
        return refusal;
      },
    });
  }

  private async lockWaiting(tx: Tx, object: string): Promise<Ad> {
    const ad = await this.ads.lock(tx, Number(object));
    if (ad?.state !== 'waiting') throw new Error(`invariant: ad ${object} does not wait for the ledger`);
    return ad;
  }

  /** Publishes a C2C ad. @throws Refused in the order of rules §12.8, and as the ledger refuses */
  publishC2c(userId: number, fields: C2cOffer, context: CallContext): Promise<Notice> {
    return this.publish(userId, context, async () => {
      const offer = this.readOffer(fields);
      await this.fund.demand(userId, fields.password);
      return offer;
    });
  }

  /**
   * Publishes an ad of any kind. `offer` reads the fields and the password in their order. @throws Refused as `offer`,
   * then as `refuseOut` for coins, then `c2c.blocked`, then as `AdLimits`, then `c2c.tooManyAds`, then as the ledger
   * refuses
   */
  publish(userId: number, context: CallContext, offer: () => Promise<Offer>, check?: OfferCheck): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const offered = await offer();
        if (offered.type === 'sell') refuseOut(context, null, this.clock.now());
        const terms = await this.completeTerms(userId, offered);
        return { terms, statistics: (await this.findStatistics(userId)) ?? NO_STATISTICS };
      },
      decide: async (tx, { terms, statistics }) => {
        await check?.(tx);
        const max = this.settings.get(C2C_MAX_ADS);
        if ((await this.ads.countOnShelf(tx, userId, terms.kind)) >= max) throw new Refused('c2c.tooManyAds', { max });
        const ad = createAd(await this.ads.nextId(tx), terms);
        await this.ads.insert(tx, ad);
        return ad.type === 'sell'
          ? this.publishing.ask({ object: String(ad.id), note: statistics, command: createPublishOrder(ad) })
          : toPublishedNotice(ad, statistics);
      },
    });
  }

  private async completeTerms(userId: number, offer: Offer): Promise<AdTerms> {
    await this.refuseBlocked(userId);
    this.limits.refuseOutside(offer);
    const [owner] = await this.parties.findUsers(userId);
    return {
      ...offer,
      ownerId: userId,
      ownerName: owner.name,
      feeRate: this.settings.get(C2C_SELL_FEE),
      createdAt: this.clock.now(),
    };
  }

  /** @throws Refused `c2c.blocked` {until} for a person who has cancelled too often today */
  async refuseBlocked(userId: number): Promise<void> {
    if (await this.isBlocked(userId))
      throw new Refused('c2c.blocked', { until: timeText((this.currentDay() + 1) * DAY_MS) });
  }
  async isBlocked(userId: number): Promise<boolean> {
    return (await this.deals.countCancels(userId, this.currentDay())) >= this.settings.get(C2C_CANCELS);
  }
  private currentDay(): number {
    return Math.floor(this.clock.now() / DAY_MS);
  }

  private readOffer(fields: C2cOffer): Offer {
    fields.totalNumber.units(AMOUNT_SCALE);
    const price = fields.price.units(PRICE_SCALE);
    const { way, coinCode, type, currencyId } = fields;
    const currency = this.requireDealtCurrency(currencyId);
    const { name: currencyName, scale } = currency;
    const total = fields.totalNumber.units(scale);
    const limitMinutes = fields.limitMinutes ?? DEFAULT_MINUTES;
    const min = fields.minNumber?.text === undefined ? 0n : fields.minNumber.units(scale);
    const max = fields.maxNumber?.text === undefined ? total : fields.maxNumber.units(scale);
    if (min > total) throw new Refused('common.fieldInvalid', { field: 'min_number' }, { field: 'min_number' });
    if (max < min || max > total)
      throw new Refused('common.fieldInvalid', { field: 'max_number' }, { field: 'max_number' });
    const kind: DealKind = 'c2c';
    const fiatScale = FIAT_SCALES[coinCode];
    return {
      ...{ kind, type, ownerAccount: 'legal', shopId: null, level: '' },
      ...{ currencyId, currencyName, scale, coinCode, fiatScale, price, way, total, min, max, limitMinutes },
    };
  }

  /** Requires a coin that C2C deals in. @throws Refused `common.fieldInvalid` */
  requireDealtCurrency(currencyId: number): CurrencyRow {
    const currency = this.reference.get<CurrencyRow>('currency', String(currencyId));
    if (!currency?.isLegal)
      throw new Refused('common.fieldInvalid', { field: 'currency_id' }, { field: 'currency_id' });
    return currency;
  }

  /** Withdraws an ad for its owner. @throws Refused `common.notFound`, `c2c.hasDeals`, `c2c.state` */
  withdraw(
    userId: number,
    adId: number,
    password: string | undefined,
    context: CallContext,
    { kind, notice = 'c2c.withdrawn' }: { readonly kind: DealKind; readonly notice?: string },
  ): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        await this.fund.demand(userId, password);
        return this.findStatistics(userId);
      },
      decide: async (tx, statistics) => {
        const ad = await this.ads.lock(tx, adId);
        if (ad?.ownerId !== userId || ad.kind !== kind || ad.state === 'waiting') throw new Refused('common.notFound');
        const { before, after, back } = await this.saveWithdrawn(tx, ad, true);
        const answer = new Notice(notice, { ad: toAdView(after, statistics, userId) });
        return back > 0n ? this.escrow.withdrawInCall(before, answer) : answer;
      },
    });
  }

  private async saveWithdrawn(tx: Tx, before: Ad, byOwner: boolean) {
    const outcome = withdrawAd(before, byOwner);
    if (typeof outcome === 'string') throw new Refused(outcome);
    await this.ads.save(tx, outcome.ad);
    return { before, after: outcome.ad, back: outcome.back };
  }

  /** Withdraws an ad for an operator; its deals continue. @throws Refused `common.notFound`, `c2c.state` */
  async withdrawByOperator(tx: Tx, adId: number): Promise<{ readonly before: Ad; readonly after: Ad }> {
    const ad = await this.ads.lock(tx, adId);
    if (!ad || ad.state === 'waiting') throw new Refused('common.notFound');
    const { before, after, back } = await this.saveWithdrawn(tx, ad, false);
    if (back > 0n) await this.escrow.withdraw(tx, before);
    return { before, after };
  }

  private async findStatistics(userId: number): Promise<Statistics | undefined> {
    return (await this.deals.listStatistics([userId], this.clock.now() - STATISTICS_PERIOD_MS)).get(userId);
  }
}

const toPublishedNotice = (ad: Ad, statistics: Statistics): Notice =>
  new Notice('c2c.published', { id: ad.id, ad: toAdView(ad, statistics, ad.ownerId) });
