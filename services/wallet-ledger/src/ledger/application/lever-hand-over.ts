import { Injectable } from '@nestjs/common';
import type { LedgerReply, Product } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import { Asks, AskUnavailable, leverRiskAsks, type LeverOutgoing } from '@bourse/messaging';
import { Notice, Refused, refusalType, type CallContext } from '@bourse/platform';

/** How long the judge of lever risk may take: as long as a call is answered at all. */
const HAND_OVER_MS = 4_500;

/**
 * Debits of a lever account are decided by lever-risk, which knows the risk (the hand-over of architecture §7). Its
 * answer is stored under the command id, so a repeat gets the first answer.
 */
export abstract class LeverHandOver {
  /**
   * A transfer by the account's owner. @throws Refused with the refusal of lever-risk; `pending` when the outcome is
   * not known in time
   */
  abstract transfer(leaving: LeverOutgoing & { readonly to: Product }): Promise<Notice>;
  /** A debit that two operators have decided. Null: the outcome is not known yet. */
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
      // lever-risk may have accepted the command: the answer stored under its id decides.
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

/** The context of commands that no call has requested. */
const NOBODY: Omit<CallContext, 'commandId' | 'validUntil'> = {
  requestId: 'adjustment',
  lang: 'en',
  ip: '',
  agent: '',
  caller: null,
  hasKey: true,
  bodyHash: null,
};
