import { Injectable } from '@nestjs/common';
import type { LedgerReply, Product } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import { Asks, AskUnavailable, leverRiskAsks, type LeverOutgoing } from '@bourse/messaging';
import { Notice, Refused, refusalType, type CallContext } from '@bourse/platform';

/** How long the judge of lever risk may take: as long as a call is answered at all. */
const HAND_OVER_MS = 4_500;

/**
 * What leaves a lever account is decided where its risk is known: the hand-over of architecture §7. It is known under
 * the id of its command, so that whoever asks again gets the first answer.
 */
export abstract class LeverHandOver {
  /** A transfer of its owner. @throws Refused as lever-risk says; `pending` when the outcome is not known in time */
  abstract transfer(leaving: LeverOutgoing & { readonly to: Product }): Promise<Notice>;
  /** What two operators have decided to take. Null: not known yet. */
  abstract correct(
    leaving: Omit<LeverOutgoing, 'context'> & { readonly journal: string; readonly cause: string },
    commandId: string,
    validUntil: number,
  ): Promise<LedgerReply | null>;
}

@Injectable()
export class AskedLeverHandOver extends LeverHandOver {
  constructor(private readonly asks: Asks) {
    super();
  }

  async transfer(leaving: LeverOutgoing & { readonly to: Product }): Promise<Notice> {
    try {
      const answer = await this.asks.ask(leverRiskAsks.transfer, leaving, HAND_OVER_MS);
      return new Notice('transfer.success', { id: answer.id });
    } catch (error) {
      // It may have been taken in: the answer under its id will tell.
      if (error instanceof AskUnavailable) throw new Refused('common.processing', {}, { type: 'pending', status: 202 });
      throw error;
    }
  }

  async correct(
    leaving: Omit<LeverOutgoing, 'context'> & { readonly journal: string; readonly cause: string },
    commandId: string,
    validUntil: number,
  ): Promise<LedgerReply | null> {
    const context = { ...NOBODY, commandId, validUntil };
    try {
      await this.asks.ask(leverRiskAsks.correct, { ...leaving, context }, HAND_OVER_MS);
      return replyOf(commandId, new Notice('transfer.success'));
    } catch (error) {
      if (error instanceof AskUnavailable) return null;
      if (!(error instanceof Refused)) throw error;
      return refusalType(error) === 'error' && error.key !== 'common.unavailable' ? replyOf(commandId, error) : null;
    }
  }
}

/** The context of what no call asks for. */
const NOBODY: Omit<CallContext, 'commandId' | 'validUntil'> = {
  requestId: 'adjustment',
  lang: 'en',
  ip: '',
  agent: '',
  caller: null,
  hasKey: true,
  bodyHash: null,
};
