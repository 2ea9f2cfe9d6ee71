import { Injectable } from '@nestjs/common';
import { pending } from '@bourse/ledger-client';
import { AnswerStore, CommitUncertain, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext } from '@bourse/platform';
import { C2cDatabase } from './database.js';

/**
 * A transaction begins while its call is valid (4 s) and its statements are bounded: a claim without an answer after
 * this is of a process that died.
 */
const CLAIM_TIMEOUT_SECONDS = 20;

/** Money calls that wait for nothing of the ledger: once per command id, the answer stored with the effect. */
@Injectable()
export class LocalCommands {
  private readonly answers: AnswerStore;

  constructor(
    private readonly database: C2cDatabase,
    private readonly clock: Clock,
  ) {
    this.answers = new AnswerStore(database);
  }

  /**
   * `prepare` checks the call outside of a transaction (passwords, other services) and gives what the transaction does.
   * @throws Refused as both say; `pending` when it is not known whether it was done.
   */
  async run(context: CallContext, prepare: () => Promise<(tx: Tx) => Promise<Notice>>): Promise<Notice> {
    const answer = await this.answers.once(
      context,
      async (kept) => {
        const decide = await prepare();
        const made = await this.commit(context, decide);
        kept();
        return made;
      },
      CLAIM_TIMEOUT_SECONDS,
    );
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of this call is a notice or a refusal');
  }

  /**
   * The answer to an earlier try of a call, for one that is checked before it is known how it is carried out: what it
   * has changed itself must not refuse it. Null: there was none.
   * @throws Refused as that try, `pending` while it goes on
   */
  async findStoredAnswer({ hasKey, commandId, bodyHash }: CallContext): Promise<Notice | null> {
    if (!hasKey || commandId === null || (await this.answers.find(commandId)) === null) return null;
    const answer = await this.answers.repeat(commandId, bodyHash);
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of this call is a notice or a refusal');
  }

  /**
   * Checks a call before it is known how it is carried out; a refusal is kept under its key, as those are that fall
   * later. A notice: the same call has been answered meanwhile. @throws Refused as `check`.
   */
  async storeRefusal<J>(context: CallContext, check: () => Promise<J>): Promise<J | Notice> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof Refused) return this.run(context, () => Promise.reject(error));
      throw error;
    }
  }

  /** With a key the claim is opened and answered in the transaction of the effect: one that is void decides nothing. */
  private async commit(context: CallContext, decide: (tx: Tx) => Promise<Notice>): Promise<Notice> {
    const { commandId, bodyHash, hasKey, validUntil } = context;
    try {
      return await this.database.transaction(async (tx) => {
        if (this.clock.real() > validUntil) throw pending();
        if (!hasKey || commandId === null) return decide(tx);
        if (!(await this.answers.open(tx, commandId, bodyHash))) throw pending();
        const made = await decide(tx);
        await this.answers.conclude(tx, commandId, made);
        return made;
      });
    } catch (error) {
      if (error instanceof CommitUncertain) throw pending();
      throw error;
    }
  }
}
