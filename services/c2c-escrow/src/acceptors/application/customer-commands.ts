import { Injectable } from '@nestjs/common';
import { OwnUploads } from '@bourse/messaging';
import { Refused, timeText, type CallContext, type Notice } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { objectableFrom } from '../domain/acceptor-deal.js';
import { AcceptorDealStore } from './ports.js';
import { ACCEPTOR_DISPUTE_HOURS, ACCEPTOR_OBJECT_MINUTES } from './settings.js';
import { AcceptorSteps } from './steps.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Commands of people on their own deals with acceptors (rules §7). */
@Injectable()
export class CustomerCommands {
  constructor(
    private readonly steps: AcceptorSteps,
    private readonly deals: AcceptorDealStore,
    private readonly uploads: OwnUploads,
    private readonly settings: Settings,
  ) {}

  confirm(userId: number, fields: { readonly id: string }, context: CallContext): Promise<Notice> {
    return this.steps.take('acceptor.confirmed', context, () =>
      Promise.resolve({ id: fields.id, actor: { userId }, action: 'receive', givenBy: context }),
    );
  }
  cancel(userId: number, fields: { readonly id: string }, context: CallContext): Promise<Notice> {
    return this.steps.take('acceptor.cancelled', context, () =>
      Promise.resolve({ id: fields.id, actor: { userId }, action: 'cancel' }),
    );
  }
  /**
   * Asks finance to decide. @throws Refused `upload.required` for a picture of another person, and for an objection to
   * a deposit without one; `acceptor.wait` {until} for a deposit before the acceptor had time to confirm it
   */
  objectTo(
    userId: number,
    fields: { readonly id: string; readonly reason: string; readonly pic?: string | undefined },
    context: CallContext,
  ): Promise<Notice> {
    return this.steps.take('acceptor.objected', context, async () => {
      const { id, reason, pic } = fields;
      const evidence = pic === undefined ? '' : await this.uploads.own(userId, 'evidence', pic);
      const needsPicture = evidence === '' && (await this.isOwnDeposit(userId, id));
      if (evidence === null || needsPicture) throw new Refused('upload.required', {}, { field: 'pic' });
      return {
        ...{ id, actor: { userId }, action: 'object', facts: { reason, evidence } },
        lateMs: this.settings.get(ACCEPTOR_DISPUTE_HOURS) * HOUR_MS,
        refuse: (deal, now) => {
          const until = objectableFrom(deal, this.settings.get(ACCEPTOR_OBJECT_MINUTES) * MINUTE_MS);
          if (now < until) throw new Refused('acceptor.wait', { until: timeText(until) }, { field: 'id' });
        },
      };
    });
  }

  private async isOwnDeposit(userId: number, id: string): Promise<boolean> {
    const deal = await this.deals.find(id);
    return deal?.type === 'buy' && deal.userId === userId;
  }
}
