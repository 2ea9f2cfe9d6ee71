import { Logger } from '@nestjs/common';
import {
  answerFromText,
  keptText,
  Refused,
  refusalStatus,
  refusalType,
  Notice,
  type CallContext,
  type Reply,
} from '@bourse/platform';
import type { Database, Tx } from '../ports.js';

type Decided = Notice | Reply;

/** Answers are given again for this long; then the id is forgotten. */
const KEPT_DAYS = 7;
/**
 * How long a refusal is kept under its key: an hour. It has changed nothing, and a client that repeats a refused call
 * under new keys would leave a week of rows.
 */
export const REFUSED_ANSWER_DAYS = 1 / 24;
/** A refusal that frees the key of its call is kept for no time: the same call is decided again [ANSWER-011]. */
function keptDays(answer: Decided | Refused): number {
  if (!(answer instanceof Refused)) return KEPT_DAYS;
  return isFinal(answer) ? REFUSED_ANSWER_DAYS : 0;
}
/** A call that died in its handler holds its id this long; then a repeat may decide. */
const PENDING_SECONDS = 15;
/**
 * Messages that the call has sent may be under way longer than that, for example while a database is unreachable: only
 * after this time is its outcome "not found", which is final.
 */
const OPEN_SECONDS = 60;

/**
 * Final answers of money calls, kept by the service that decides (invariants §2.1): a command id has at most one effect
 * and one answer. For orders and transfers the ledger's writer does the same in the transaction of their effect.
 */
export class AnswerStore {
  private readonly logger = new Logger('Answers');

  constructor(private readonly database: Database) {}

  /**
   * Runs `decide` once per command id. A repeat gets the stored answer; another body is refused with
   * `common.keyReused`; while the first call is open, with type `pending`. Refusals of type `error` are answers too;
   * gates and failures are not stored, so the caller may try again. `openSeconds`: after that time without an answer no
   * message of `decide` can take effect any more, and the outcome is "not found". `decide` calls `kept` when the
   * service that made the effect has stored the answer with it: then it is not stored again. If another
   * process has stored an answer meanwhile, that one is returned [ANSWER-010].
   */
  async once(
    context: CallContext,
    decide: (kept: () => void) => Promise<Decided>,
    openSeconds = OPEN_SECONDS,
  ): Promise<Decided> {
    const { commandId } = context;
    let isKept = false;
    const kept = (): void => {
      isKept = true;
    };
    if (commandId === null || !context.hasKey) return decide(kept);
    if (!(await this.database.tables.answers.claim(commandId, context.bodyHash, PENDING_SECONDS, openSeconds)))
      return this.repeat(commandId, context.bodyHash);
    let answer: Decided;
    try {
      answer = await decide(kept);
    } catch (error) {
      if (isKept) throw error;
      if (error instanceof Refused && isFinal(error)) return this.settle(commandId, context.bodyHash, error);
      // When the outcome is unknown the claim stays: messages already sent may still take effect.
      if (!(error instanceof Refused) || refusalType(error) !== 'pending')
        await this.database.tables.answers.drop(commandId);
      throw error;
    }
    if (isKept) return answer;
    try {
      return await this.settle(commandId, context.bodyHash, answer);
    } catch (error) {
      if (error instanceof Refused) throw error;
      // The effect is committed even if storing the answer failed: the caller must not get a failure that means
      // "nothing happened".
      this.logger.error(`the answer to ${commandId} could not be stored: ${(error as Error).message}`);
    }
    return answer;
  }

  /** Stores the answer of a call; returns it, or the one stored before. @throws Refused when that is a refusal */
  private async settle(commandId: string, bodyHash: string | null, answer: Decided | Refused): Promise<Decided> {
    if (!(await this.record(this.database, commandId, answer))) return this.repeat(commandId, bodyHash);
    if (answer instanceof Refused) throw answer;
    return answer;
  }

  /** As `once`, for a call whose every answer is a notice. */
  async onceNotice(
    context: CallContext,
    decide: (kept: () => void) => Promise<Notice>,
    openSeconds?: number,
  ): Promise<Notice> {
    const answer = await this.once(context, decide, openSeconds);
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of this call is a notice or a refusal');
  }

  /** Stores the answer of a call within the transaction of its effect, unless it has one: then false. */
  record(where: Pick<Tx, 'execute'>, commandId: string, answer: Decided | Refused): Promise<boolean> {
    return this.database.tables.answers.record(where, commandId, keptText(answer), keptDays(answer));
  }

  /**
   * In the transaction that begins the work of a call (architecture §7): the call is open until `conclude`. False when
   * its id has an answer, is open already, or is claimed for another body: then nothing may begin.
   */
  open(tx: Tx, commandId: string, bodyHash: string | null): Promise<boolean> {
    return this.database.tables.answers.open(tx, commandId, bodyHash);
  }

  /** Stores the final answer of an open call, in the transaction that ends what it has begun. */
  async conclude(tx: Tx, commandId: string, answer: Decided | Refused): Promise<void> {
    await this.concludeAll(tx, [{ commandId, answer }]);
  }

  /** The same for many calls at once. */
  async concludeAll(
    tx: Tx,
    calls: readonly { readonly commandId: string; readonly answer: Decided | Refused }[],
  ): Promise<void> {
    if (calls.length === 0) return;
    for (const days of new Set(calls.map(({ answer }) => keptDays(answer)))) {
      const rows = calls
        .filter(({ answer }) => keptDays(answer) === days)
        .map(({ commandId, answer }) => ({ commandId, answer: keptText(answer) }));
      await this.database.tables.answers.concludeAll(tx, rows, days);
    }
  }

  /**
   * The final answer of a command, or null if this service has none; `pending` while a call decides it that may still
   * be alive.
   */
  async find(commandId: string): Promise<{ state: 'pending' } | { state: 'done'; answer: Decided | Refused } | null> {
    const row = await this.database.tables.answers.find(commandId);
    if (!row?.live) return null;
    return row.state !== 'done' || row.answer === null
      ? { state: 'pending' }
      : { state: 'done', answer: answerFromText(row.answer) };
  }

  /**
   * Returns the answer for a repeat of a call. @throws Refused: the stored refusal, `common.keyReused`, or type
   * `pending`.
   */
  async repeat(commandId: string, bodyHash: string | null): Promise<Decided> {
    const row = await this.database.tables.answers.find(commandId);
    if (row && row.bodyHash !== null && row.bodyHash !== bodyHash) throw new Refused('common.keyReused');
    if (!row || row.state !== 'done' || row.answer === null)
      throw new Refused('common.processing', {}, { type: 'pending', status: 202 });
    const answer = answerFromText(row.answer);
    if (answer instanceof Refused) throw answer;
    return answer;
  }
}

/** Whether a refusal is an answer that is kept: gates, rates and 5xx free the key of their call. */
export function isFinal(refused: Refused): boolean {
  return refusalType(refused) === 'error' && refusalStatus(refused) < 429;
}
