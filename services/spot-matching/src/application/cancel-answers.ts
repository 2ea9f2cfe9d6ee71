import type { LedgerReply } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import type { Database, Tx } from '@bourse/persistence';
import { answerFromText, answerOf, keptText } from '@bourse/platform';
import type { EngineBatch } from './engine-batch.js';
import type { EngineStore } from './ports.js';

/** Answers of cancels are given again for this long. */
const ANSWER_DAYS = 7;

/** Answers the cancels of a batch within its transaction. */
export class CancelAnswers {
  constructor(
    private readonly store: EngineStore,
    private readonly database: Database,
  ) {}

  /**
   * Cancels of orders that are not open are answered by their stored state; answers whose caller named a key are kept
   * with their effect.
   */
  async answer(tx: Tx, batch: EngineBatch): Promise<void> {
    const open = batch.answers.filter(({ reply }) => reply === null);
    const done =
      open.length === 0
        ? new Map<string, string>()
        : await this.store.done(
            tx,
            open.map(({ command }) => command),
          );
    for (const answer of open) {
      const { commandId, orderId } = answer.command;
      const state = done.get(orderId);
      answer.reply = {
        commandId,
        ok: false,
        repeated: false,
        answer:
          state === undefined
            ? { type: 'error', key: 'common.notFound' }
            : { type: 'error', key: 'trade.notOpen', params: { state } },
      };
    }
    // The log may bring a cancel twice: the first one's answer is the answer to both.
    const first = new Map<string, (typeof batch.answers)[number]>();
    for (const answer of batch.answers) {
      const known = first.get(answer.command.commandId);
      if (known) answer.reply = known.reply;
      else first.set(answer.command.commandId, answer);
    }
    const kept = [...first.values()].filter(({ command }) => command.bodyHash !== undefined);
    if (kept.length === 0) return;
    const stood = await this.database.tables.answers.recordAll(
      tx,
      kept.map(({ command, reply }) => ({
        commandId: command.commandId,
        bodyHash: command.bodyHash ?? null,
        answer: keptText(answerOf(answerIn(reply))),
      })),
      ANSWER_DAYS,
    );
    for (const answer of batch.answers) {
      const before = stood.get(answer.command.commandId);
      if (before !== undefined) answer.reply = replyOf(answer.command.commandId, answerFromText(before));
    }
  }
}

/** The answer of a cancel that has one. */
function answerIn(reply: LedgerReply | null): LedgerReply['answer'] {
  if (!reply) throw new Error('invariant: a cancel is kept before it is answered');
  return reply.answer;
}
