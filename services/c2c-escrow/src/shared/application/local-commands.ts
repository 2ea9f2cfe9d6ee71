import { Injectable } from '@nestjs/common';
import { pending } from '@bourse/ledger-client';
import { AnswerStore, CommitUncertain, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext } from '@bourse/platform';
import { C2cDatabase } from './database.js';

/**
 * A transaction begins while its call is valid (4 s) and its statements have time limits: a claim without an answer
 * after this time belongs to a process that has died.
 */
const CLAIM_TIMEOUT_SECONDS = 20;

/**
 * Runs money commands that need no answer of the ledger: once per command id, with the answer stored in the transaction
 * of the effect.
 */
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
   * `prepare` checks the call outside of a transaction (passwords, other services) and returns the work of the
   * transaction. @throws Refused as both; `pending` when the outcome of the commit is unknown
   */
  async run(context: CallContext, prepare: () => Promise<(tx: Tx) => Promise<Notice>>): Promise<Notice> {
    const answer = await this.answers.once(
      context,
      async (markStored) => {
        const decide = await prepare();
        const notice = await this.commit(context, decide);
        markStored();
        return notice;
      },
      CLAIM_TIMEOUT_SECONDS,
    );
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of this call is a notice or a refusal');
  }

  /**
   * The answer to an earlier try of a call, for a call whose way of execution depends on checks: the effect of the
   * first try must not refuse the second. Null: there was no earlier try. @throws Refused as that try, `pending` while
   * it runs
   */
  async findStoredAnswer({ hasKey, commandId, bodyHash }: CallContext): Promise<Notice | null> {
    if (!hasKey || commandId === null || (await this.answers.find(commandId)) === null) return null;
    const answer = await this.answers.repeat(commandId, bodyHash);
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of this call is a notice or a refusal');
  }

  /**
   * Runs the checks of a call whose way of execution depends on them, and stores a refusal under its key like later
   * refusals. Returns a notice when the same call was answered meanwhile. @throws Refused as `check`
   */
  async storeRefusal<J>(context: CallContext, check: () => Promise<J>): Promise<J | Notice> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof Refused) return this.run(context, () => Promise.reject(error));
      throw error;
    }
  }

  /**
   * With a key the claim is opened and answered in the transaction of the effect, so that a void claim decides nothing.
   */
  private async commit(context: CallContext, decide: (tx: Tx) => Promise<Notice>): Promise<Notice> {
    const { commandId, bodyHash, hasKey, validUntil } = context;
    try {
      return await this.database.transaction(async (tx) => {
        if (this.clock.real() > validUntil) throw pending();
        if (!hasKey || commandId === null) return decide(tx);
        if (!(await this.answers.open(tx, commandId, bodyHash))) throw pending();
        const notice = await decide(tx);
        await this.answers.conclude(tx, commandId, notice);
        return notice;
      });
    } catch (error) {
      if (error instanceof CommitUncertain) throw pending();
      throw error;
    }
  }
}
