import { Injectable } from '@nestjs/common';
import { Timers, type DueTimer, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { cancelDealInAd, type Ad } from '../domain/ad.js';
import { buyerOf, expireDeal, expiryDay, REMINDER_MINUTES, type Deal } from '../domain/deal.js';
import { AdStore, DealStore } from './ports.js';
import { DealEvents } from './events.js';
import { Escrow } from './escrow.js';

/** Timers for deadlines and reminders of deals; their ids are `<deal>:<minutes before the deadline>`. */
const DEADLINE_TIMER = 'c2c.deal';
const MINUTE_MS = 60_000;

/**
 * Sets the timers in the transaction that opens a deal. Nothing cancels them: the handler reads the state of the deal.
 */
export async function setDeadlines(timers: Timers, tx: Tx, { id, createdAt, deadline }: Deal): Promise<void> {
  const ahead = [...REMINDER_MINUTES.filter((minutes) => deadline - minutes * MINUTE_MS > createdAt), 0];
  await timers.setAll(
    tx,
    DEADLINE_TIMER,
    ahead.map((minutes) => ({ id: `${id}:${minutes}`, dueAt: deadline - minutes * MINUTE_MS })),
  );
}

/** Reminds buyers of unpaid deals and cancels these deals at their deadline (rules §6, §13). */
@Injectable()
export class DealDeadlines {
  constructor(
    timers: Timers,
    private readonly ads: AdStore,
    private readonly deals: DealStore,
    private readonly escrow: Escrow,
    private readonly dealEvents: DealEvents,
    private readonly clock: Clock,
  ) {
    timers.handleAll(DEADLINE_TIMER, (due, tx) => this.handleDue(due, tx));
  }

  private async handleDue(due: readonly DueTimer[], tx: Tx): Promise<void> {
    const all = due.map(({ id, dueAt }) => {
      const [dealId = '', minutes = ''] = id.split(':');
      return { dealId, minutes: Number(minutes), dueAt };
    });
    const over = new Map(all.filter(({ minutes }) => minutes === 0).map(({ dealId, dueAt }) => [dealId, dueAt]));
    for (const { dealId, minutes } of all) if (!over.has(dealId)) await this.remind(tx, dealId, minutes);
    await this.expire(tx, over);
  }

  private async remind(tx: Tx, dealId: string, minutes: number): Promise<void> {
    const deal = await this.deals.find(dealId, tx);
    if (deal?.state === 'unpaid') await this.dealEvents.publishStep(tx, deal, 'reminder', minutes);
  }

  /**
   * Locks all deals, then all ads, then the counters, each in ascending order, so that transactions do not deadlock.
   */
  private async expire(tx: Tx, over: ReadonlyMap<string, number>): Promise<void> {
    const expiredDeals: Deal[] = [];
    for (const [dealId, dueAt] of [...over].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const deal = await this.deals.lock(tx, dealId);
      const after = deal && expireDeal(deal, dueAt, this.clock.now());
      if (after) expiredDeals.push(after);
    }
    const ads = new Map<number, Ad>();
    for (const adId of [...new Set(expiredDeals.map(({ adId: id }) => id))].sort((a, b) => a - b)) {
      const ad = await this.ads.lock(tx, adId);
      if (!ad) throw new Error(`invariant: ad ${adId} is not there`);
      ads.set(adId, ad);
    }
    for (const deal of expiredDeals) {
      const { ad, goesBack } = cancelDealInAd(ads.get(deal.adId)!, deal);
      ads.set(ad.id, ad);
      await this.deals.save(tx, deal);
      if (goesBack) await this.escrow.returnCoins(tx, deal, 'cancel');
      await this.dealEvents.publishStep(tx, deal, 'expired');
    }
    for (const ad of ads.values()) await this.ads.save(tx, ad);
    for (const takerId of expiredDeals.map(({ takerId: id }) => id).sort((a, b) => a - b))
      await this.deals.releaseOpenDeal(tx, takerId);
    // An expired deal counts as a cancel of its buyer in the daily limit.
    const counted = expiredDeals.map((deal) => ({ buyer: buyerOf(deal), day: expiryDay(deal) }));
    for (const { buyer, day } of counted.sort((a, b) => a.buyer - b.buyer || a.day - b.day))
      await this.deals.addCancel(tx, buyer, day);
  }
}
