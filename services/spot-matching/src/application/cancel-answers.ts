import { TOPICS, type LedgerReply } from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import { REFUSED_ANSWER_DAYS, type Database, type Tx } from '@bourse/persistence';
import { answerFromText, answerOf, keptText } from '@bourse/platform';
import type { EngineAnswer, EngineBatch } from './engine-batch.js';
import { passedOn } from './passed-on.js';
import type { EngineStore } from './ports.js';

/** Answers of cancels and amends are given again for this long. */
const ANSWER_DAYS = 7;
/**
 * How long a cancel or an amend waits for an order that another partition still delivers: as long as its caller waits.
 */
const ON_ITS_WAY_MS = 4_000;

/** Key of a refusal that is not kept under the key of its call. */
export const PAUSED = 'market.paused';

/** Answers the cancels and amends of a batch within its transaction. */
export class CancelAnswers {
  constructor(
    private readonly store: EngineStore,
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /**
   * A command of an order that is not open is answered by the stored state. Answers whose caller named a key are
   * stored with their effect.
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
    const waiting = new Set<EngineAnswer>();
    for (const answer of open) {
      const { commandId, orderId } = answer.command;
      const state = done.get(orderId);
      if (state === undefined && this.isOnItsWay(answer)) {
        waiting.add(answer);
        tx.emit(TOPICS.spotCommands, batch.partition, passedOn(answer.again));
        continue;
      }
      if (answer.release) tx.emit(answer.release.topic, answer.release.partition, answer.release.message);
      answer.reply = replyToDone(commandId, state);
    }
    // The log may bring a command twice: the first one's answer is the answer to both.
    const first = new Map<string, EngineAnswer>();
    for (const answer of batch.answers) {
      if (waiting.has(answer)) continue;
      const known = first.get(answer.command.commandId);
      if (known) answer.reply = known.reply;
      else first.set(answer.command.commandId, answer);
    }
    const answered = [...first.values()];
    const kept = answered.filter(isKept);
    // A refusal has changed nothing, and is kept for as long as any other (`AnswerStore`). That it has ended the
    // ledger's command is kept for as long as the ledger knows that one.
    const groups = [
      [[...kept.filter(({ reply }) => reply?.ok).map(rowOf), ...answered.flatMap(endOf)], ANSWER_DAYS],
      [kept.filter(({ reply }) => !reply?.ok).map(rowOf), REFUSED_ANSWER_DAYS],
    ] as const;
    // All of them before the first result: the transaction may travel in one message.
    const stored = await Promise.all(
      groups
        .filter(([rows]) => rows.length > 0)
        .map(([rows, days]) => this.database.tables.answers.recordAll(tx, rows, days)),
    );
    const stood = new Map(stored.flatMap((answers) => [...answers]));
    for (const answer of batch.answers) {
      const before = stood.get(answer.command.commandId);
      if (before !== undefined) answer.reply = replyOf(answer.command.commandId, answerFromText(before));
    }
  }

  /**
   * A command comes through the same stream as its order, unless the market was moved between the two. Then the order
   * may follow later, and the command is emitted again until it does.
   */
  private isOnItsWay(answer: EngineAnswer): answer is EngineAnswer & Required<Pick<EngineAnswer, 'again'>> {
    return answer.again !== undefined && Math.abs(this.now() - answer.command.requestedAt) < ON_ITS_WAY_MS;
  }
}

/** The reply to a change of an order that is not open, by its final state; undefined: there is no such order. */
export const replyToDone = (commandId: string, state: string | undefined): LedgerReply => ({
  commandId,
  ok: false,
  repeated: false,
  answer:
    state === undefined
      ? { type: 'error', key: 'common.notFound' }
      : { type: 'error', key: 'trade.notOpen', params: { state } },
});

/** Whether an answer is stored under the key of its call. The edge stores no refusal of a paused market either. */
const isKept = ({ command, reply }: EngineAnswer): boolean =>
  command.bodyHash !== undefined && reply?.answer.key !== PAUSED;

const rowOf = ({ command, reply }: EngineAnswer) => ({
  commandId: command.commandId,
  bodyHash: command.bodyHash ?? null,
  answer: keptText(answerOf(answerIn(reply))),
});

/** The end of the ledger's command that passed on an amend which is refused. */
const endOf = (answer: EngineAnswer): ReturnType<typeof rowOf>[] => {
  const { command, reply } = answer;
  if (!('passedBy' in command) || command.passedBy === undefined || reply?.ok) return [];
  return [{ ...rowOf(answer), commandId: command.passedBy }];
};

/** The answer of a command that has one. */
function answerIn(reply: LedgerReply | null): LedgerReply['answer'] {
  if (!reply) throw new Error('invariant: a command is kept before it is answered');
  return reply.answer;
}
