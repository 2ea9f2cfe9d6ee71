import { Injectable } from '@nestjs/common';
import type { LedgerReply } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import { AskUnavailable } from '@bourse/messaging';
import { AnswerStore, type Tx } from '@bourse/persistence';
import { Notice } from '@bourse/platform';
import { LedgerReader } from './ports.js';

/** Whether the ledger has only held the money, and the wallet gives the final answer. */
export const isDecidedByWallet = ({ ok, answer }: LedgerReply): boolean =>
  ok && answer.extra?.['decided_by'] !== undefined;
/** The ledger's stored answer to a command that the wallet decides: with it a repeat has no second effect. */
export const decidedByWallet = (id: string): { type: 'ok'; extra: { id: string; decided_by: string } } => ({
  type: 'ok',
  extra: { id, decided_by: 'wallet' },
});
/** The id of what the ledger has held for the wallet. */
export const heldId = ({ answer }: LedgerReply): string => String(answer.extra?.['id']);
/** The name of a note that is kept for as long as the ledger's answer. */
const refusedName = (id: string): string => `withdrawal:${id}:refused`;

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
    if (ledger && !wallet && !(await this.isRefused(ledger)))
      throw new AskUnavailable(`${commandId} is not decided yet`);
    return wallet;
  }

  /**
   * The id under which the ledger holds the money of a command that the wallet decides. A refusal of the wallet ends
   * it: the ledger repeats that answer for longer than a refusal is kept, so a call that comes once its key is free has
   * the next id [WITHDRAW-037].
   */
  async openId(commandId: string): Promise<string> {
    for (let id = commandId, count = 2; ; id = `${commandId}.${count}`, count += 1) {
      const held = await this.reader.answer(id);
      if (!held || !isDecidedByWallet(held) || !(await this.isRefused(held))) return id;
    }
  }

  /** Notes, in the transaction of its refusal, that the wallet has refused what the ledger held under this id. */
  async noteRefused(tx: Tx, id: string): Promise<void> {
    await this.answers.record(tx, refusedName(id), new Notice('common.success'));
  }

  private async isRefused(held: LedgerReply): Promise<boolean> {
    return (await this.answers.find(refusedName(heldId(held)))) !== null;
  }

  /** The wallet's own answer. @throws AskUnavailable while a call is deciding it. */
  async decided(commandId: string): Promise<LedgerReply | null> {
    const found = await this.answers.find(commandId);
    if (!found) return null;
    if (found.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
    return replyOf(commandId, found.answer);
  }
}
