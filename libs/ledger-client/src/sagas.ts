import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { decode, LedgerResultV1, resultsTopic, type LedgerResult } from '@bourse/events';
import { AnswerStore, type SagaRow, type Tx } from '@bourse/persistence';
import { answerOf, Refused, type FinalAnswer, type Notice, type Reply } from '@bourse/platform';
import { MoveRetries } from './move-retries.js';
import { replyOf } from './replies.js';
import { BOOKED, replyName, SagaCalls } from './saga-calls.js';
import { SagaCommands } from './saga-commands.js';
import type { Begin, Begun, Move, Moved, MoveSpec, Outcome, SagaContext, SagaSpec, SagasParts } from './saga-spec.js';
import { Moves, Saga } from './saga.js';

/** Postponed moves are looked for this often. */
const LOOK_MS = 1_000;

type Handler =
  /** Ends the saga whose row was just taken away. */
  | { readonly isMove: false; end(tx: Tx, row: SagaRow, result: LedgerResult): Promise<void> }
  /** Moves out of holds cannot be refused: one that is, stays under way and is tried again. */
  | { readonly isMove: true; booked(tx: Tx, row: Omit<SagaRow, 'note'>): Promise<void> };
/**
 * The sagas of one service: objects that wait for the ledger, and moves out of holds. Nothing is decided because a
 * result is late: the stream brings it, also to a process that was dead meanwhile, and it is applied in one transaction
 * with the position in that stream.
 */
export class Sagas implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Sagas');
  private readonly handlers = new Map<string, Handler>();
  private readonly answers: AnswerStore;
  private readonly topic: string;
  private readonly commands: SagaCommands;
  private readonly calls: SagaCalls;
  private readonly retries: MoveRetries;
  private reader: { stop(): Promise<void> } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SagasParts) {
    this.answers = new AnswerStore(parts.database);
    this.topic = resultsTopic(parts.service);
    this.commands = new SagaCommands(parts, this.topic);
    this.calls = new SagaCalls(parts, this.commands, this.answers, this.logger);
    this.retries = new MoveRetries(parts, this.logger);
  }

  /** Declares a kind of object, before the start. */
  define<Note>(spec: SagaSpec<Note>): Saga<Note> {
    this.register(spec.name, {
      isMove: false,
      end: async (tx, row, result) => {
        const answer = await this.decide(tx, spec, row, result);
        if (row.commandId === null) return;
        await this.answers.conclude(tx, row.commandId, answer);
        this.replyToCaller(tx, row, row.commandId, answer);
      },
    });
    return new Saga(this, spec.name);
  }

  /** Declares a kind of move out of a hold, before the start. */
  defineMove(spec: MoveSpec): Moves {
    this.register(spec.name, {
      isMove: true,
      booked: async (tx, row) => {
        await spec.onBooked?.(tx, row.object);
        if (row.commandId !== null) this.replyToCaller(tx, row, row.commandId, BOOKED);
      },
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

  /** Begins to read results, and to look for postponed moves. */
  start(): void {
    const { database, log } = this.parts;
    this.reader ??= log.consume({
      consumer: `${this.parts.service}.sagas`,
      topic: this.topic,
      database,
      handle: async (messages, tx) => {
        const results = messages.map((message) => {
          const decoded = decode(LedgerResultV1, message);
          if (!decoded.ok) throw new Error(decoded.error);
          return decoded.body;
        });
        for (const run of runsOfBookings(results, (name) => this.handler(name).isMove)) await this.apply(tx, run);
      },
    });
    this.timer ??= setInterval(() => void this.retries.look(), LOOK_MS);
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

  /** Applies results of one saga. A second one for the same object finds no saga under way and is passed over. */
  private async apply(tx: Tx, results: readonly [LedgerResult, ...LedgerResult[]]): Promise<void> {
    const [result] = results;
    const { sagas } = this.parts.database.tables;
    const handler = this.handler(result.saga);
    if (handler.isMove && !result.posted) return this.retries.postpone(tx, result);
    if (handler.isMove) {
      const ended = await sagas.endAll(
        tx,
        result.saga,
        results.map(({ object }) => object),
      );
      for (const row of ended) await handler.booked(tx, row);
      if (ended.length < results.length)
        this.logger.warn(`${results.length - ended.length} results of ${result.saga} came again and are passed over`);
      return;
    }
    const row = await sagas.end(tx, result.saga, result.object);
    if (row) await handler.end(tx, row, result);
    else this.logger.warn(`a result of ${result.saga} ${result.object} came again and is passed over`);
  }

  private decide<Note>(tx: Tx, spec: SagaSpec<Note>, row: SagaRow, result: LedgerResult): Promise<FinalAnswer> {
    const outcome: Outcome<Note> = {
      object: result.object,
      userId: result.userId,
      note: JSON.parse(row.note ?? 'null') as Note,
      held: result.held ?? null,
      // The ledger stamps by real time; the business clock of a demo install may be ahead of it.
      acceptedAt: result.acceptedAt + this.parts.clock.offset(),
    };
    if (result.posted) return spec.onPosted(tx, outcome);
    const refusal = answerOf(result.refusal ?? { type: 'error', key: 'common.defect' });
    if (!(refusal instanceof Refused)) throw new Error(`the refusal of ${spec.name} ${result.object} is none`);
    return spec.onRefused(tx, outcome, refusal);
  }

  private replyToCaller(
    tx: Tx,
    { replyTo, name, object }: Omit<SagaRow, 'note'>,
    commandId: string,
    answer: FinalAnswer,
  ): void {
    if (replyTo !== null)
      tx.afterCommit(() =>
        this.parts.replies.publish(replyTo, replyOf(replyName(name, object, commandId), answer, false)),
      );
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
    return this.commands.begin(tx, name, begun, call);
  }

  /** In the caller's transaction: a move's row, which keeps its command, and the command. It does not expire. */
  beginMove(tx: Tx, name: string, move: Pick<Moved, 'object' | 'command'>, commandId: string | null): Promise<void> {
    return this.commands.beginMove(tx, name, move, commandId);
  }

  /** In the caller's transaction: many moves, as `beginMove`, with one statement for their rows. */
  beginMoves(tx: Tx, name: string, moves: readonly Pick<Moved, 'object' | 'command'>[]): Promise<void> {
    return this.commands.beginMoves(tx, name, moves);
  }

  /** Begins a saga for a call and waits for its outcome: see `SagaCalls.call`. */
  call<Note>(name: string, context: SagaContext, prepare: () => Promise<Begin<Note>>): Promise<Notice | Reply> {
    return this.calls.call(name, context, prepare);
  }

  /** Makes a transition whose money comes out of a hold, and waits for its booking: see `SagaCalls.callMove`. */
  callMove(name: string, context: SagaContext, prepare: () => Promise<Move>): Promise<Notice> {
    return this.calls.callMove(name, context, prepare);
  }
}

/** Bookings of one kind of move that stand side by side are one run; every other result is alone. */
function runsOfBookings(
  results: readonly LedgerResult[],
  isMove: (saga: string) => boolean,
): [LedgerResult, ...LedgerResult[]][] {
  const runs: [LedgerResult, ...LedgerResult[]][] = [];
  for (const result of results) {
    const last = runs.at(-1);
    const joins = last?.[0].saga === result.saga && last[0].posted && result.posted && isMove(result.saga);
    if (joins) last.push(result);
    else runs.push([result]);
  }
  return runs;
}
