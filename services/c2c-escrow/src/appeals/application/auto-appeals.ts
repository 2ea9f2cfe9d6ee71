import { Injectable } from '@nestjs/common';
import { Timers, type Tx } from '@bourse/persistence';
import { Settings } from '@bourse/settings';
import { Ids } from '@bourse/platform';
import { appealed, SILENT_MS } from '../../deals/domain/deal.js';
import { AppealFiles } from './appeal-files.js';
import { APPEAL_DUE_HOURS } from './settings.js';
import { SellerSilence } from '../../deals/application/hooks.js';
import { DealStore } from '../../deals/application/ports.js';

/** The deadline of silent sellers, by deal. */
export const SILENCE = 'appeal.silence';
const HOUR_MS = 3_600_000;

/** The deadline of sellers who have been paid and say nothing. */
@Injectable()
export class Silence extends SellerSilence {
  constructor(private readonly timers: Timers) {
    super();
  }

  watch(tx: Tx, dealId: string, since: number): Promise<void> {
    return this.timers.set(tx, SILENCE, dealId, since + SILENT_MS);
  }
  async end(tx: Tx, dealId: string): Promise<void> {
    await this.timers.cancel(tx, SILENCE, dealId);
  }
}

/** Opens the appeals that nobody opens (rules §6). */
@Injectable()
export class SilentSellers {
  constructor(
    timers: Timers,
    private readonly deals: DealStore,
    private readonly files: AppealFiles,
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {
    timers.handle(SILENCE, ({ id, dueAt }, tx) => this.open(tx, id, dueAt));
  }

  private async open(tx: Tx, dealId: string, now: number): Promise<void> {
    const deal = await this.deals.lock(tx, dealId);
    const due = now + this.settings.get(APPEAL_DUE_HOURS) * HOUR_MS;
    const after = deal && appealed(deal, 'system', now, due);
    // It was confirmed, or somebody has appealed meanwhile.
    if (!after || typeof after === 'string') return;
    const facts = { id: this.ids.next(), dealId, openedBy: 'system', reason: '', openedAt: now, due } as const;
    await this.files.opened(tx, await this.files.insert(tx, { ...facts, withEscrow: true }, 'open', []), after);
  }
}
