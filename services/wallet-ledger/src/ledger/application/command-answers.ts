import { Injectable } from '@nestjs/common';
import type { LedgerReply } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import { AskUnavailable } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { LedgerReader } from './ports.js';

/** Whether the ledger has only held the money, and the wallet gives the final answer. */
export const isDecidedByWallet = ({ ok, answer }: LedgerReply): boolean =>
  ok && answer.extra?.['decided_by'] !== undefined;
/** The ledger's stored answer to a command that the wallet decides: with it a repeat has no second effect. */
export const decidedByWallet = (id: string): { type: 'ok'; extra: { id: string; decided_by: string } } => ({
  type: 'ok',
  extra: { id, decided_by: 'wallet' },
});

/** Final answers of this service's money calls: the ledger's own, and those of the wallet's use cases. */
@Injectable()
export class CommandAnswers {
  constructor(
    private readonly reader: LedgerReader,
    private readonly answers: AnswerStore,
  ) {}

  /** Null: this service does not know the command. @throws AskUnavailable while it is undecided. */
  async find(commandId: string, bodyHash?: string | null): Promise<LedgerReply | null> {
    const ledger = await this.reader.answer(commandId, bodyHash);
    if (ledger && !isDecidedByWallet(ledger)) return ledger;
    const wallet = await this.decided(commandId);
    if (ledger && !wallet) throw new AskUnavailable(`${commandId} is not decided yet`);
    return wallet;
  }

  /** The wallet's own answer. @throws AskUnavailable while a call is deciding it. */
  async decided(commandId: string): Promise<LedgerReply | null> {
    const found = await this.answers.find(commandId);
    if (!found) return null;
    if (found.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
    return replyOf(commandId, found.answer);
  }
}
