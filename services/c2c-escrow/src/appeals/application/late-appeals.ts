import { Injectable } from '@nestjs/common';
import { Sagas, type Decision, type Saga } from '@bourse/ledger-client';
import type { Tx } from '@bourse/persistence';
import type { Notice, Refused } from '@bourse/platform';
import { cancelDealInAd, reopenDealInAd, reopenOutsideAd, type Ad } from '../../deals/domain/ad.js';
import { openAfterAnswer, type Appeal } from '../domain/appeal.js';
import { openDealAppeal, reopenDeal, type Deal } from '../../deals/domain/deal.js';
import { requireDeal, AppealRecorder, type Opening } from './appeal-recorder.js';
import { AppealStore } from './ports.js';
import { AdStore, DealStore } from '../../deals/application/ports.js';
import { Escrow, createReholdOrder } from '../../deals/application/escrow.js';

/** The deal's id: it is locked before its appeal. */
interface LateNote {
  readonly dealId: string;
}
/** Deal, ad and appeal, locked. */
interface LockedAppeal {
  readonly deal: Deal;
  readonly ad: Ad;
  readonly appeal: Appeal;
}

/** Whether an ad still offers the coins of a cancelled deal; those of a sell ad are the seller's own. */
const coversFromAd = (ad: Ad, { type, number }: Deal): boolean =>
  type === 'sell' && ad.state === 'shelf' && ad.surplus >= number;

/**
 * Appeals of buyers after a cancel by deadline: the seller's coins are held again, out of the ad's surplus or the
 * seller's balance; if they are not free the appeal is a record without escrow (rules §6).
 */
@Injectable()
export class LateAppeals {
  private readonly holding: Saga<LateNote>;

  constructor(
    sagas: Sagas,
    private readonly store: AppealStore,
    private readonly deals: DealStore,
    private readonly ads: AdStore,
    private readonly recorder: AppealRecorder,
    private readonly escrow: Escrow,
  ) {
    this.holding = sagas.define<LateNote>({
      name: 'appeal.hold',
      onPosted: (tx, { object, note }) => this.openHeld(tx, object, note.dealId),
      onRefused: async (tx, { object, note }, refusal) => {
        // The command never reached the ledger's decision.
        if (refusal.key === 'common.expired') return this.dropRefused(tx, object, refusal);
        return this.openRecord(tx, object, note.dealId);
      },
    });
  }

  /**
   * Opens the appeal out of the ad's surplus, or else after the ledger has held the seller's coins again; `deal` is
   * locked. @throws Refused `c2c.appealOpen`
   */
  async open(tx: Tx, deal: Deal, { facts, pictures }: Opening): Promise<Decision> {
    const ad = await this.lockAd(tx, deal);
    const open = requireDeal(openDealAppeal(deal, 'buyer', facts.openedAt, facts.due));
    if (!coversFromAd(ad, deal)) {
      await this.recorder.insert(tx, facts, 'waiting', pictures);
      const command = createReholdOrder(deal, facts.id);
      return this.holding.ask({ object: facts.id, note: { dealId: deal.id }, command });
    }
    const appeal = await this.recorder.insert(tx, facts, 'open', pictures);
    const { ad: after, fee } = reopenDealInAd(ad, deal.number);
    await this.saveReopened(tx, appeal, reopenDeal(open, facts.openedAt, true, fee), after);
    return this.recorder.toOpenedNotice(appeal);
  }

  private async openHeld(tx: Tx, id: string, dealId: string): Promise<Notice> {
    const { deal, ad, appeal } = await this.lockAll(tx, id, dealId);
    const open = requireDeal(openDealAppeal(deal, 'buyer', appeal.openedAt, appeal.due));
    // The coins of a buy ad are the taker's: the ad only changes its numbers.
    const { ad: after, fee } =
      deal.type === 'buy' ? reopenDealInAd(ad, deal.number) : { ad: reopenOutsideAd(ad), fee: null };
    const opened = openAfterAnswer(appeal, true);
    await this.store.save(tx, opened);
    await this.saveReopened(tx, opened, { ...reopenDeal(open, appeal.openedAt, fee !== null, null) }, after);
    return this.recorder.toOpenedNotice(opened);
  }

  private async openRecord(tx: Tx, id: string, dealId: string): Promise<Notice> {
    const { deal, appeal } = await this.lockAll(tx, id, dealId);
    const opened = openAfterAnswer(appeal, false);
    await this.store.save(tx, opened);
    await this.recorder.publishOpened(
      tx,
      opened,
      requireDeal(openDealAppeal(deal, 'buyer', appeal.openedAt, appeal.due)),
    );
    return this.recorder.toOpenedNotice(opened);
  }

  /**
   * Cancels the reopened deal again after its opener has withdrawn the appeal: its coins return to the shelf or to the
   * seller. `deal` is locked and still reopened.
   */
  async cancelReopened(tx: Tx, appeal: Appeal, deal: Deal): Promise<void> {
    const { ad, goesBack } = cancelDealInAd(await this.lockAd(tx, deal), deal);
    await this.ads.save(tx, ad);
    await this.deals.releaseOpenDeal(tx, deal.takerId);
    if (goesBack) await this.escrow.returnReopenedCoins(tx, deal, appeal.id);
  }

  private async dropRefused(tx: Tx, id: string, refusal: Refused): Promise<Refused> {
    await this.store.drop(tx, id);
    return refusal;
  }

  private async saveReopened(tx: Tx, appeal: Appeal, deal: Deal, ad: Ad): Promise<void> {
    await this.ads.save(tx, ad);
    await this.deals.addOpenDeal(tx, deal.takerId);
    await this.recorder.publishOpened(tx, appeal, deal);
  }

  private async lockAll(tx: Tx, id: string, dealId: string): Promise<LockedAppeal> {
    const deal = await this.deals.lock(tx, dealId);
    const ad = deal && (await this.lockAd(tx, deal));
    const appeal = await this.store.lock(tx, id);
    if (!deal || !ad || !appeal) throw new Error(`invariant: appeal ${id} of deal ${dealId} is not there`);
    return { deal, ad, appeal };
  }

  private async lockAd(tx: Tx, deal: Deal): Promise<Ad> {
    const ad = await this.ads.lock(tx, deal.adId);
    if (!ad) throw new Error(`invariant: deal ${deal.id} has no ad`);
    return ad;
  }
}
