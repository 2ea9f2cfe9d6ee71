import { Inject, Injectable } from '@nestjs/common';
import { ledgerPartition, TOPICS, userEvent, userNotices } from '@bourse/events';
import { Log } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { buyerOf, sellerOf, type Deal, type Side } from '../domain/deal.js';
import { UnreadCounts, DealLog, SellerResponseTimeout, type LoggedDeal, type LoggedParty } from './hooks.js';
import { toDealNotices, toDealParams, type DealStep } from './notices.js';
import { DealViews } from './views.js';

/** A side of a deal with the language of its pushes. */
const toParty = (deal: Deal, side: Side): LoggedParty => {
  const isTaker = (side === 'buyer') === (deal.type === 'sell');
  return {
    userId: side === 'buyer' ? buyerOf(deal) : sellerOf(deal),
    lang: isTaker ? deal.takerLang : deal.ownerLang,
  };
};
/** The part of a deal that its chat needs. */
export const toLoggedDeal = (deal: Deal): LoggedDeal => ({
  id: deal.id,
  buyer: toParty(deal, 'buyer'),
  seller: toParty(deal, 'seller'),
});

/** Pushes deals to both parties without personal data; a client reads those with the deal. */
@Injectable()
export class DealPushes {
  constructor(
    private readonly log: Log,
    private readonly views: DealViews,
    @Inject(UnreadCounts) private readonly unread?: UnreadCounts,
  ) {}

  /** Pushes the deal to each party in their language after the commit. */
  async pushDeal(tx: Tx, deal: Deal): Promise<void> {
    const partitions = this.log.partitionsOf(TOPICS.userEvents);
    for (const side of ['buyer', 'seller'] as const) {
      const { userId, lang } = toParty(deal, side);
      const unread = (await this.unread?.countUnread(userId, [deal.id], tx))?.get(deal.id) ?? 0;
      const shown = this.views.toBareView(deal, side, lang, unread);
      tx.emit(TOPICS.userEvents, ledgerPartition(userId, partitions), userEvent(userId, 'c2c_update', { deal: shown }));
    }
  }
}

/** Publishes each step in its transaction: a chat line of the system, personal notices, and a push to both parties. */
@Injectable()
export class DealEvents {
  constructor(
    private readonly pushes: DealPushes,
    @Inject(DealLog) private readonly dealLog?: DealLog,
    @Inject(SellerResponseTimeout) private readonly sellerTimeout?: SellerResponseTimeout,
  ) {}

  /**
   * Stops the timeout before the deal is locked, in the order of the timeout itself, so that the two do not deadlock.
   */
  async stopSellerTimeout(tx: Tx, dealId: string): Promise<void> {
    await this.sellerTimeout?.stop(tx, dealId);
  }

  async publishStep(tx: Tx, deal: Deal, step: DealStep, minutes = 0): Promise<void> {
    const params = { ...toDealParams(deal), ...(step === 'reminder' ? { minutes } : {}) };
    await this.dealLog?.addLine(tx, toLoggedDeal(deal), `c2c.line.${step}`, params);
    if (step === 'paid' && deal.silentSince !== null) await this.sellerTimeout?.start(tx, deal.id, deal.silentSince);
    const notices = toDealNotices(deal, step, stepTime(deal, step, minutes), minutes);
    tx.emit(TOPICS.userNotices, 0, userNotices(notices));
    await this.pushes.pushDeal(tx, deal);
  }
}

const MINUTE_MS = 60_000;
/** Business time of a step, ms. */
function stepTime(deal: Deal, step: DealStep, minutes: number): number {
  if (step === 'reminder') return deal.deadline - minutes * MINUTE_MS;
  return deal.endedAt ?? deal.paidAt ?? deal.createdAt;
}
