import { Injectable } from '@nestjs/common';
import { toDataPage, type Ad as ShownAd, type Deal as ShownDeal, type Language } from '@bourse/contract';
import { Clock, Refused, type Caller, type Page } from '@bourse/platform';
import type { Ad } from '../domain/ad.js';
import { sideOf, type Deal } from '../domain/deal.js';
import { STATISTICS_PERIOD_MS } from './ad-commands.js';
import { UnreadCounts } from './hooks.js';
import { AdStore, DealStore, type AdFilter, type DealFilter } from './ports.js';
import { DealViews, toAdView, toStatisticsView } from './views.js';
import { ShopSellers } from './shop-sellers.js';

/** The reader of a list. */
export interface DealReader {
  readonly userId: number;
  readonly lang: Language;
  /** A program with an API key; it gets no data of other people. */
  readonly isProgram?: boolean;
}
export const toReader = ({ userId, kind }: Caller, lang: Language): DealReader => ({
  userId,
  lang,
  isProgram: kind === 'apikey',
});

/** Lists of ads and deals for people and operators (api §2.7, §2.12). */
@Injectable()
export class DealLists {
  constructor(
    private readonly ads: AdStore,
    private readonly deals: DealStore,
    private readonly views: DealViews,
    private readonly clock: Clock,
    private readonly unread: UnreadCounts,
    private readonly sellers: ShopSellers,
  ) {}

  /** Ads that can be taken, best price first; also for guests. */
  async listMarket(filter: AdFilter, page: Page, viewerId: number | undefined) {
    const exceptOwners = filter.kind === 'shop' ? await this.sellers.listFormerSellers() : undefined;
    const shown: AdFilter = { ...filter, exceptOwners, states: ['shelf'], hasSurplus: true, byPrice: true };
    return this.listAds(shown, page, viewerId);
  }

  async listAds(filter: AdFilter, page: Page, viewerId: number | undefined) {
    const { rows, total } = await this.ads.list(filter, page);
    return toDataPage({ rows: await this.toAdViews(rows, viewerId), total }, page, (row) => row);
  }

  private async toAdViews(ads: readonly Ad[], viewerId: number | undefined): Promise<ShownAd[]> {
    const owners = [...new Set(ads.map(({ ownerId }) => ownerId))];
    const statistics = await this.deals.listStatistics(owners, this.clock.now() - STATISTICS_PERIOD_MS);
    return ads.map((ad) => toAdView(ad, statistics.get(ad.ownerId), viewerId));
  }

  /** Deals as one of their parties sees them; `filter` must select only deals of the reader. */
  async listDeals(filter: DealFilter, page: Page, { userId, lang, isProgram = false }: DealReader) {
    const { rows, total } = await this.deals.list(filter, page);
    const unread = await this.countUnread(userId, rows);
    const shown = rows.flatMap((deal): ShownDeal[] => {
      const side = sideOf(deal, userId);
      const show = isProgram ? this.views.toBareView : this.views.toListView;
      return side ? [show.call(this.views, deal, side, lang, unread.get(deal.id) ?? 0)] : [];
    });
    return toDataPage({ rows: shown, total }, page, (row) => row);
  }

  /** @throws Refused `common.notFound` unless the ad belongs to the reader */
  async listDealsOfAd(adId: number, page: Page, reader: DealReader) {
    const ad = await this.ads.find(adId);
    if (ad?.ownerId !== reader.userId || ad.state === 'waiting') throw new Refused('common.notFound');
    return this.listDeals({ adId, ownerId: reader.userId }, page, reader);
  }

  /** @throws Refused `common.notFound` unless the reader is a party */
  async findDeal(dealId: string, { userId, lang, isProgram = false }: DealReader): Promise<ShownDeal> {
    const deal = await this.deals.find(dealId);
    const side = deal && sideOf(deal, userId);
    if (!deal || !side) throw new Refused('common.notFound');
    const [unread, partner] = await Promise.all([this.countUnread(userId, [deal]), this.findPartner(deal, userId)]);
    const show = isProgram ? this.views.toBareView : this.views.toPartyView;
    return { ...show.call(this.views, deal, side, lang, unread.get(dealId) ?? 0), ...partner };
  }

  /** Recent statistics of the ad's owner, for the taker. */
  private async findPartner({ ownerId, takerId }: Deal, userId: number): Promise<Pick<ShownDeal, 'partner'>> {
    if (userId !== takerId) return {};
    const statistics = await this.deals.listStatistics([ownerId], this.clock.now() - STATISTICS_PERIOD_MS);
    return { partner: toStatisticsView(statistics.get(ownerId)) };
  }

  /** For operators: without personal data, from the coin seller's side, with both user ids. */
  async listAllDeals(filter: DealFilter, page: Page, lang: Language) {
    const { rows, total } = await this.deals.list(filter, page);
    const shown = rows.map((deal) => ({
      ...this.views.toBareView(deal, 'seller', lang, 0),
      owner_id: deal.ownerId,
      taker_id: deal.takerId,
    }));
    return toDataPage({ rows: shown, total }, page, (row) => row);
  }

  private async countUnread(userId: number, deals: readonly Deal[]): Promise<ReadonlyMap<string, number>> {
    const ids = deals.map(({ id }) => id);
    return this.unread.countUnread(userId, ids);
  }
}
