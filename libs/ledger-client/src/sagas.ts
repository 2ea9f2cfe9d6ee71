import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LedgerResultV1, readBody, resultsTopic, type LedgerResult } from '@bourse/events';
import { AnswerStore, type SagaRow, type Tx } from '@bourse/persistence';
import { answerFromText, answerOf, Refused, type FinalAnswer } from '@bourse/platform';
import { MoveRetries } from './move-retries.js';
import { replyOf } from './replies.js';
import { BOOKED, Commands, replyName } from './commands.js';
import { SagaSteps, type MoveNote } from './saga-steps.js';
import {
  Continued,
  type Begun,
  type LastMove,
  type Moved,
  type MoveSpec,
  type Outcome,
  type SagaSpec,
  type SagasParts,
  type Waiting,
} from './saga-spec.js';
import { Moves, Saga } from './saga.js';

/** Poll interval for postponed moves. */
const POLL_INTERVAL_MS = 1_000;

/** A saga whose row was just taken away, and its result. */
interface Ended {
  readonly row: SagaRow;
  readonly result: LedgerResult;
}
interface Handler {
  /** Moves out of holds must not be refused: a refused one stays under way and is retried. */
  readonly isMove: boolean;
  posted(tx: Tx, ended: readonly Ended[]): Promise<void>;
  refused(tx: Tx, ended: Ended): Promise<void>;
}
/**
 * The sagas of one service: objects that wait for the ledger, and moves out of holds. A late result decides nothing:
 * the stream delivers it, even to a restarted process, and it is applied in one transaction with the position in that
 * stream.
 */
export class Sagas implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Sagas');
  private readonly handlers = new Map<string, Handler>();
  private readonly answers: AnswerStore;
  private readonly topic: string;
  /** Runs the commands of calls. */
  readonly commands: Commands;
  private readonly steps: SagaSteps;
  private readonly retries: MoveRetries;
  /** The call that waits for each outcome that a handler has now. */
  private readonly waiting = new WeakMap<object, Waiting>();
  private reader: { stop(): Promise<void> } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SagasParts) {
    this.answers = new AnswerStore(parts.database);
    this.topic = resultsTopic(parts.service);
    this.steps = new SagaSteps(parts, this.topic);
    this.commands = new Commands(parts, this.steps);
    this.retries = new MoveRetries(parts, this.logger);
  }

  /** Declares a kind of object, before the start. */
  define<Note>(spec: SagaSpec<Note>): Saga<Note> {
    this.register(spec.name, {
      isMove: false,
      posted: async (tx, ended) => {
        const outcomes = ended.map((one) => this.outcome<Note>(one));
        await this.conclude(tx, ended, await posted(tx, spec, outcomes));
      },
      refused: async (tx, one) => {
        const refusal = answerOf(one.result.refusal ?? { type: 'error', key: 'common.defect' });
        if (!(refusal instanceof Refused)) throw new Error(`the refusal of ${spec.name} ${one.result.object} is none`);
        await this.conclude(tx, [one], [await spec.onRefused(tx, this.outcome<Note>(one), refusal)]);
      },
    });
    return new Saga(this, spec.name);
  }

  /** Declares a kind of move out of a hold, before the start. */
  defineMove(spec: MoveSpec): Moves {
    this.register(spec.name, {
      isMove: true,
      posted: async (tx, ended) => {
        if (spec.onAllBooked)
          await spec.onAllBooked(
            tx,
            ended.map(({ row }) => row.object),
          );
        else for (const { row } of ended) await spec.onBooked?.(tx, row.object);
        await this.concludeMoves(tx, ended);
      },
      refused: () => Promise.reject(new Error(`invariant: the move ${spec.name} has ended refused`)),
    });
    return new Moves(this, spec.name);
  }

  private register(name: string, handler: Handler): void {
    if (this.handlers.has(name)) throw new Error(`saga ${name} is declared twice`);
    this.handlers.set(name, handler);
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  /** Begins to read results, and to poll for postponed moves. */
  start(): void {
    const { database, log } = this.parts;
    this.reader ??= log.consume({
      consumer: `${this.parts.service}.sagas`,
      topic: this.topic,
      database,
      handle: async (messages, tx) => {
        const results = messages.map((message) => readBody(LedgerResultV1, message));
        for (const group of grouped(results)) await this.apply(tx, group);
      },
    });
    this.timer ??= setInterval(() => void this.retries.poll(), POLL_INTERVAL_MS);
    this.timer.unref?.();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.reader?.stop();
  }

  private handler(name: string): Handler {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`no saga is named ${name}`);
    return handler;
  }

  /** Applies results of one saga. A second one for the same object finds no saga under way and is ignored. */
  private async apply(tx: Tx, results: readonly [LedgerResult, ...LedgerResult[]]): Promise<void> {
    const [{ saga, posted }] = results;
    const handler = this.handler(saga);
    // A move that is refused stays under way.
    if (!posted && handler.isMove) for (const result of results) await this.retries.postpone(tx, result);
    else {
      const ended = await this.end(tx, results, { notes: !handler.isMove });
      if (posted && ended.length > 0) await handler.posted(tx, ended);
      if (!posted) for (const one of ended) await handler.refused(tx, one);
    }
  }

  /** Ends what is under way of these, in their order. */
  private async end(
    tx: Tx,
    results: readonly [LedgerResult, ...LedgerResult[]],
    wanted: { readonly notes: boolean },
  ): Promise<Ended[]> {
    const byObject = new Map(results.map((result) => [result.object, result]));
    const [{ saga }] = results;
    const rows = await this.parts.database.tables.sagas.endAll(tx, saga, [...byObject.keys()], wanted);
    if (rows.length < results.length)
      this.logger.warn(`${results.length - rows.length} results of ${saga} came again and are passed over`);
    const rowOf = new Map(rows.map((row) => [row.object, row]));
    return [...byObject].flatMap(([object, result]) => {
      const row = rowOf.get(object);
      return row ? [{ row, result }] : [];
    });
  }

  private outcome<Note>({ row, result }: Ended): Outcome<Note> {
    const outcome = {
      object: result.object,
      userId: result.userId,
      note: JSON.parse(row.note ?? 'null') as Note,
      held: result.held ?? null,
      // The ledger stamps by real time; the business clock of a demo install may be ahead of it.
      acceptedAt: result.acceptedAt + this.parts.clock.offset(),
    };
    const waiting = waitingFor(row);
    if (waiting) this.waiting.set(outcome, waiting);
    return outcome;
  }

  /**
   * Stores the answers of the sagas that a call began, and resolves these calls. A call that keeps waiting for another
   * step gets the answer of that step.
   */
  private async conclude(
    tx: Tx,
    ended: readonly Ended[],
    answers: readonly (FinalAnswer | Continued)[],
  ): Promise<void> {
    const calls = ended.flatMap(({ row }, at) => {
      const answer = answers[at];
      if (!answer) throw new Error(`invariant: ${row.name} ${row.object} ended without an answer`);
      if (answer instanceof Continued) {
        if (answer.outcome.object === row.object) return [];
        throw new Error(`invariant: ${row.name} ${row.object} ended with the next step of ${answer.outcome.object}`);
      }
      const waiting = waitingFor(row);
      return waiting ? [{ ...waiting, answer }] : [];
    });
    await this.answers.concludeAll(tx, calls);
    for (const { answer, ...waiting } of calls) this.replyToCaller(tx, waiting, answer);
  }

  /** The answer to a move was stored with the transition; as a last step it is stored now. */
  private async concludeMoves(tx: Tx, ended: readonly Ended[]): Promise<void> {
    const calls = ended.flatMap(({ row }) => {
      const waiting = waitingFor(row);
      const answer = row.waitsAs === null ? undefined : (JSON.parse(row.note ?? 'null') as MoveNote).answer;
      return waiting ? [{ ...waiting, last: answer === undefined ? null : answerFromText(answer) }] : [];
    });
    const last = calls.flatMap(({ last, ...waiting }) => (last === null ? [] : [{ ...waiting, answer: last }]));
    await this.answers.concludeAll(tx, last);
    for (const { last, ...waiting } of calls) this.replyToCaller(tx, waiting, last ?? BOOKED);
  }

  private replyToCaller(tx: Tx, { replyTo, name }: Waiting, answer: FinalAnswer): void {
    if (replyTo !== null) tx.afterCommit(() => this.parts.replies.publish(replyTo, replyOf(name, answer, false)));
  }

  /** The call of an outcome, which waits on from now. */
  private passOn(outcome: Outcome<unknown>): Waiting | null {
    const waiting = this.waiting.get(outcome) ?? null;
    this.waiting.delete(outcome);
    return waiting;
  }

  /** From a handler: see `Saga.next`. */
  async next(tx: Tx, name: string, outcome: Outcome<unknown>, begun: Begun<unknown>): Promise<Continued> {
    await this.steps.next(tx, name, begun, this.passOn(outcome));
    return new Continued(outcome);
  }

  /** From a handler: see `Moves.next`. */
  async nextMove(tx: Tx, name: string, outcome: Outcome<unknown>, move: LastMove): Promise<Continued> {
    await this.steps.nextMove(tx, name, move, this.passOn(outcome));
    return new Continued(outcome);
  }

  /**
   * In the caller's transaction: the saga's row and its command.
   * @throws Error when one is under way for the object.
   */
  begin(
    tx: Tx,
    name: string,
    begun: Begun<unknown>,
    call: { readonly commandId: string; readonly validUntil: number } | null,
  ): Promise<void> {
    return this.steps.begin(tx, name, begun, call);
  }

  /** In the caller's transaction: a move's row, which keeps its command, and the command. It does not expire. */
  beginMove(tx: Tx, name: string, move: Pick<Moved, 'object' | 'command'>, commandId: string | null): Promise<void> {
    return this.steps.beginMove(tx, name, move, commandId);
  }

  /** In the caller's transaction: many moves, as `beginMove`, with one statement for their rows. */
  beginMoves(tx: Tx, name: string, moves: readonly Pick<Moved, 'object' | 'command'>[]): Promise<void> {
    return this.steps.beginMoves(tx, name, moves);
  }
}

async function posted<Note>(
  tx: Tx,
  spec: SagaSpec<Note>,
  outcomes: readonly Outcome<Note>[],
): Promise<readonly (FinalAnswer | Continued)[]> {
  if (spec.onAllPosted) return spec.onAllPosted(tx, outcomes);
  const answers: (FinalAnswer | Continued)[] = [];
  for (const outcome of outcomes) {
    if (!spec.onPosted) throw new Error(`saga ${spec.name} has no handler for a posted journal`);
    answers.push(await spec.onPosted(tx, outcome));
  }
  return answers;
}

/** The call that waits for a saga, if one does. */
const waitingFor = ({ commandId, replyTo, waitsAs, name, object }: SagaRow): Waiting | null =>
  commandId === null ? null : { commandId, replyTo, name: waitsAs ?? replyName(name, object, commandId) };

/**
 * Results of one saga that are of the same kind, together. All sagas of a batch were under way before it, so none
 * depends on another, and their order does not matter.
 */
function grouped(results: readonly LedgerResult[]): (readonly [LedgerResult, ...LedgerResult[]])[] {
  const groups = new Map<string, [LedgerResult, ...LedgerResult[]]>();
  for (const result of results) {
    const key = `${result.posted} ${result.saga}`;
    const group = groups.get(key);
    if (group) group.push(result);
    else groups.set(key, [result]);
  }
  return [...groups.values()];
}
