import { Injectable } from '@nestjs/common';
import { Timers, type Tx } from '@bourse/persistence';
import { Settings } from '@bourse/settings';
import { Ids } from '@bourse/platform';
import { openDealAppeal, SELLER_RESPONSE_MS } from '../../deals/domain/deal.js';
import { AppealRecorder } from './appeal-recorder.js';
import { APPEAL_DUE_HOURS } from './settings.js';
import { SellerResponseTimeout } from '../../deals/application/hooks.js';
import { DealStore } from '../../deals/application/ports.js';

/** Timers of the sellers' time to answer, by deal. */
export const SELLER_TIMER = 'appeal.silence';
const HOUR_MS = 3_600_000;

/** Sets the timers that `AutoAppeals` handles. */
@Injectable()
export class SellerResponseTimers extends SellerResponseTimeout {
  constructor(private readonly timers: Timers) {
    super();
  }

  start(tx: Tx, dealId: string, since: number): Promise<void> {
    return this.timers.set(tx, SELLER_TIMER, dealId, since + SELLER_RESPONSE_MS);
  }
  async stop(tx: Tx, dealId: string): Promise<void> {
    await this.timers.cancel(tx, SELLER_TIMER, dealId);
  }
}

/** Opens an appeal when a paid seller does not answer in time (rules §6). */
@Injectable()
export class AutoAppeals {
  constructor(
    timers: Timers,
    private readonly deals: DealStore,
    private readonly recorder: AppealRecorder,
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {
    timers.handle(SELLER_TIMER, ({ id, dueAt }, tx) => this.openAppeal(tx, id, dueAt));
  }

  private async openAppeal(tx: Tx, dealId: string, now: number): Promise<void> {
    const deal = await this.deals.lock(tx, dealId);
    const due = now + this.settings.get(APPEAL_DUE_HOURS) * HOUR_MS;
    const after = deal && openDealAppeal(deal, 'system', now, due);
    // The deal was confirmed, or an appeal was opened meanwhile.
    if (!after || typeof after === 'string') return;
    const facts = { id: this.ids.next(), dealId, openedBy: 'system', reason: '', openedAt: now, due } as const;
    await this.recorder.publishOpened(
      tx,
      await this.recorder.insert(tx, { ...facts, withEscrow: true }, 'open', []),
      after,
    );
  }
}
