import { Injectable } from '@nestjs/common';
import { pending } from '@bourse/ledger-client';
import { AnswerStore, CommitUncertain, type Tx } from '@bourse/persistence';
import { Notice, type CallContext } from '@bourse/platform';
import { C2cDatabase } from './ports.js';

/** Money calls that wait for nothing of the ledger: once per command id, the answer stored with the effect. */
@Injectable()
export class PlainCalls {
  private readonly answers: AnswerStore;

  constructor(private readonly database: C2cDatabase) {
    this.answers = new AnswerStore(database);
  }

  /**
   * `prepare` checks the call outside of a transaction (passwords, other services) and gives what the transaction does.
   * @throws Refused as both say; `pending` when it is not known whether it was done.
   */
  async call(context: CallContext, prepare: () => Promise<(tx: Tx) => Promise<Notice>>): Promise<Notice> {
    const answer = await this.answers.once(context, async (kept) => {
      const decide = await prepare();
      const made = await this.commit(context, decide);
      kept();
      return made;
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of this call is a notice or a refusal');
  }

  private async commit({ hasKey, commandId }: CallContext, decide: (tx: Tx) => Promise<Notice>): Promise<Notice> {
    try {
      return await this.database.transaction(async (tx) => {
        const made = await decide(tx);
        if (hasKey && commandId !== null) await this.answers.record(tx, commandId, made);
        return made;
      });
    } catch (error) {
      if (error instanceof CommitUncertain) throw pending();
      throw error;
    }
  }
}
