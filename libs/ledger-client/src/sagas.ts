import { randomUUID } from 'node:crypto';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  decode,
  LedgerCommandV1,
  ledgerPartition,
  LedgerResultV1,
  resultsTopic,
  TOPICS,
  type LedgerResult,
  type LedgerReply,
} from '@bourse/events';
import type { Log, Replies } from '@bourse/messaging';
import { AnswerStore, CommitUncertain, type Database, type SagaRow, type Tx } from '@bourse/persistence';
import {
  answerOf,
  given,
  Notice,
  Refused,
  type Alarms,
  type CallContext,
  type Clock,
  Reply,
  type FinalAnswer,
} from '@bourse/platform';
import type { LedgerOrder } from './ledger-client.js';
import { patienceFor, pending, replyOf } from './replies.js';

/**
 * A move out of a hold is answered after its booking; later than this it is answered with `settling: 1` (api §6.11).
 */
const SETTLING_MS = 2_000;
/** What a call has sent is a command that the ledger takes for 4 s; a claim without it is void after this. */
const OPEN_SECONDS = 15;
/** Postponed moves are looked for this often, and sent again after 60 s at the latest. */
const LOOK_MS = 1_000;
const AGAIN_SECONDS_MAX = 60;
const AGAIN_ROWS = 100;
/** A result that is away longer than this is looked for by a person; with an idle exchange it takes milliseconds. */
const LATE_MS = 60_000;

/** What a handler is told of an outcome. */
export interface Outcome<Note> {
  /** The id of the object, as it was given to `begin`. */
  readonly object: string;
  readonly userId: number;
  /** What `begin` was given for the handlers. */
  readonly note: Note;
  /** How much was really held, decimal text; null where the command holds nothing. */
  readonly held: string | null;
  /** When the ledger accepted it, in business time (`Clock.now`), ms: what time decides goes by it. */
  readonly acceptedAt: number;
}

/** How one kind of object opens (architecture §7). Both handlers run in the transaction that ends the saga. */
export interface SagaSpec<Note> {
  /** Unique in its service, and never changed: rows and messages carry it. */
  readonly name: string;
  /** The journal stands: the object opens. What the caller is told. */
  onPosted(tx: Tx, outcome: Outcome<Note>): Promise<FinalAnswer>;
  /** Nothing has moved and nothing will: the object is refused, and its counters go back. What the caller is told. */
  onRefused(tx: Tx, outcome: Outcome<Note>, refusal: Refused): Promise<FinalAnswer>;
}

/** What a saga begins with. */
export interface Begun<Note> {
  readonly object: string;
  readonly command: LedgerOrder;
  readonly note: Note;
}

/** What a move out of a hold begins with. `answer` is final: the object has made its transition. */
export interface Moved {
  readonly object: string;
  readonly command: LedgerOrder;
  readonly answer: Notice;
}

/** In its transaction: stores the object in a state that nobody sees, takes the counters, and names the command. */
export type Begin<Note> = (tx: Tx) => Promise<Begun<Note>>;
export type Move = (tx: Tx) => Promise<Moved>;

/** Kinds of moves out of a hold. */
export interface MoveSpec {
  /** Unique in its service, and never changed. */
  readonly name: string;
  /** In the transaction that sees the move booked. */
  readonly onBooked?: (tx: Tx, object: string) => Promise<void>;
}

/** What of a call a saga needs. */
export type SagaContext = CallContext;

export interface SagasParts {
  /** The service: its results have a topic of their own. */
  readonly service: string;
  readonly database: Database;
  readonly log: Pick<Log, 'consume' | 'partitionsOf'>;
  readonly replies: Replies;
  readonly clock: Pick<Clock, 'real' | 'offset'>;
  readonly alarms: Alarms;
  /** Partitions of the ledger. */
  readonly partitions: number;
}

interface Handler {
  /** Moves out of holds cannot be refused: one that is, stays under way and is tried again. */
  readonly isMove: boolean;
  /** Ends the saga whose row was just taken away. */
  end(tx: Tx, row: SagaRow, result: LedgerResult): Promise<void>;
}
/** A move's row keeps the command, so that it can be sent again. */
interface MoveNote {
  readonly partition: number;
  readonly body: object;
}

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
  private reader: { stop(): Promise<void> } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(private readonly parts: SagasParts) {
    this.answers = new AnswerStore(parts.database);
    this.topic = resultsTopic(parts.service);
  }

  /** Declares a kind of object, before the start. */
  define<Note>(spec: SagaSpec<Note>): Saga<Note> {
    this.register(spec.name, {
      isMove: false,
      end: async (tx, row, result) => {
        const answer = await this.decide(tx, spec, row, result);
        if (row.commandId === null) return;
        await this.answers.conclude(tx, row.commandId, answer);
        this.tell(tx, row, row.commandId, answer);
      },
    });
    return new Saga(this, spec.name);
  }

  /** Declares a kind of move out of a hold, before the start. */
  defineMove(spec: MoveSpec): Moves {
    this.register(spec.name, {
      isMove: true,
      end: async (tx, row, result) => {
        await spec.onBooked?.(tx, result.object);
        if (row.commandId !== null) this.tell(tx, row, row.commandId, BOOKED);
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

  start(): void {
    const { database, log } = this.parts;
    this.reader ??= log.consume({
      consumer: `${this.parts.service}.sagas`,
      topic: this.topic,
      database,
      handle: async (messages, tx) => {
        for (const message of messages) {
          const decoded = decode(LedgerResultV1, message);
          if (!decoded.ok) throw new Error(decoded.error);
          await this.apply(tx, decoded.body);
        }
      },
    });
    this.timer ??= setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref?.();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.reader?.stop();
  }

  /** Applies one result. A second one for the same object finds no saga under way and is passed over. */
  private async apply(tx: Tx, result: LedgerResult): Promise<void> {
    const handler = this.handlers.get(result.saga);
    if (!handler) throw new Error(`no saga is named ${result.saga}`);
    const { sagas } = this.parts.database.tables;
    if (handler.isMove && !result.posted) return this.postpone(tx, result);
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

  private tell(tx: Tx, { replyTo, name, object }: SagaRow, commandId: string, answer: FinalAnswer): void {
    if (replyTo !== null)
      tx.afterCommit(() =>
        this.parts.replies.publish(replyTo, replyOf(replyName(name, object, commandId), answer, false)),
      );
  }

  /**
   * In the caller's transaction: the saga's row and its command.
   * @throws Error when one is under way for the object.
   */
  async begin(
    tx: Tx,
    name: string,
    { object, command, note }: Begun<unknown>,
    call: { readonly commandId: string; readonly validUntil: number } | null,
  ): Promise<void> {
    const { partition, message } = this.encode(name, object, command, call?.validUntil);
    await this.store(tx, { name, object, commandId: call?.commandId ?? null, note: JSON.stringify(note ?? null) });
    tx.emit(TOPICS.ledgerCommands, partition, message);
  }

  /** In the caller's transaction: a move's row, which keeps its command, and the command. It does not expire. */
  async beginMove(
    tx: Tx,
    name: string,
    { object, command }: Pick<Moved, 'object' | 'command'>,
    commandId: string | null,
  ): Promise<void> {
    const { partition, message } = this.encode(name, object, command);
    const note: MoveNote = { partition, body: message.body };
    await this.store(tx, { name, object, commandId, note: JSON.stringify(note) });
    tx.emit(TOPICS.ledgerCommands, partition, message);
  }

  private encode(
    saga: string,
    object: string,
    { partition, ...command }: LedgerOrder,
    validUntil?: number,
  ): { partition: number; message: ReturnType<typeof LedgerCommandV1.encode> } {
    const { log, partitions } = this.parts;
    const results = ledgerPartition(command.userId, log.partitionsOf(this.topic));
    return {
      partition: partition ?? ledgerPartition(command.userId, partitions),
      message: LedgerCommandV1.encode({
        ...command,
        ...(validUntil === undefined ? {} : { validUntil }),
        resultTo: { topic: this.topic, partition: results, saga, object },
      }),
    };
  }

  private async store(tx: Tx, row: Omit<SagaRow, 'replyTo'>): Promise<void> {
    const { database, replies } = this.parts;
    const replyTo = row.commandId === null ? null : replies.instance;
    if (!(await database.tables.sagas.begin(tx, { ...row, replyTo })))
      throw new Error(`invariant: ${row.name} ${row.object} is under way already`);
  }

  /**
   * Begins a saga for a call and waits for its outcome. `prepare` checks the call outside of a transaction (passwords,
   * other services) and gives what the transaction does. Once per command id: a repeat gets the stored answer.
   * @throws Refused as `prepare`, `Begin` and the handlers say; `pending` when the outcome is not known in time.
   */
  async call<Note>(name: string, context: SagaContext, prepare: () => Promise<Begin<Note>>): Promise<Notice | Reply> {
    const commandId = context.commandId ?? randomUUID();
    const claimed = { ...context, commandId, hasKey: context.commandId !== null };
    return this.answers.once(
      claimed,
      async (kept) => {
        const begin = await prepare();
        const answer = await this.open(name, { ...context, commandId }, begin);
        kept();
        return given(answer.answer);
      },
      OPEN_SECONDS,
    );
  }

  private async open<Note>(
    name: string,
    { commandId, bodyHash, validUntil }: { commandId: string; bodyHash: string | null; validUntil: number },
    begin: Begin<Note>,
  ): Promise<LedgerReply> {
    const { database } = this.parts;
    let waiting: Promise<LedgerReply | null> | undefined;
    let isOpen = true;
    const isCertain = await this.commit(async (tx) => {
      isOpen = await this.answers.open(tx, commandId, bodyHash);
      if (!isOpen) return;
      const begun = await begin(tx);
      await this.begin(tx, name, begun, { commandId, validUntil });
      // From before the commit on: the outcome may be there right behind it.
      waiting = this.wait(
        replyName(name, begun.object, commandId),
        validUntil,
        async () => {
          const found = await database.tables.answers.find(commandId);
          return found?.state === 'done';
        },
        commandId,
      );
    });
    if (!isCertain) this.logger.warn(`whether ${commandId} has begun ${name} is not known yet`);
    if (!isOpen) return replyOf(commandId, await this.answers.repeat(commandId, bodyHash));
    const reply = await waiting;
    if (!reply) throw pending();
    return reply;
  }

  /**
   * Makes a transition whose money comes out of a hold, and answers when that is booked; after 2 s with `settling: 1`
   * (api §6.11). Once per command id. @throws Refused as `prepare` and `Move` say.
   */
  async callMove(name: string, context: SagaContext, prepare: () => Promise<Move>): Promise<Notice> {
    const answer = await this.answers.once(context, async (kept) => {
      const move = await prepare();
      let waiting: Promise<LedgerReply | null> | undefined;
      let moved: Moved | undefined;
      const isCertain = await this.commit(async (tx) => {
        const made = await move(tx);
        const commandId = context.commandId ?? randomUUID();
        await this.beginMove(tx, name, made, commandId);
        if (context.hasKey && context.commandId !== null) await this.answers.record(tx, context.commandId, made.answer);
        waiting = this.wait(
          replyName(name, made.object, commandId),
          null,
          async () => !(await this.parts.database.tables.sagas.isUnderWay(name, made.object)),
        );
        moved = made;
      });
      // Whether it has moved nobody knows: with a key the stored answer tells.
      if (!isCertain) throw pending();
      kept();
      if (!moved) throw new Error('invariant: a move was committed without an answer');
      const { key, extra, params } = moved.answer;
      return (await waiting) ? moved.answer : new Notice(key, { ...extra, settling: 1 }, params);
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of a move is a notice or a refusal');
  }

  /** False when the answer to the commit was lost: it may stand, and then its outcome comes as always. */
  private async commit(work: (tx: Tx) => Promise<void>): Promise<boolean> {
    try {
      await this.parts.database.transaction(work);
      return true;
    } catch (error) {
      if (error instanceof CommitUncertain) return false;
      throw error;
    }
  }

  /** `validUntil` null: a move, which is waited for so long that a person does not notice. */
  private wait(
    name: string,
    validUntil: number | null,
    isOver: () => Promise<boolean>,
    commandId?: string,
  ): Promise<LedgerReply | null> {
    const { replies, clock } = this.parts;
    return replies.wait(name, validUntil === null ? SETTLING_MS : patienceFor(validUntil, clock.real()), async () => {
      if (!(await isOver())) return null;
      const found = commandId === undefined ? null : await this.answers.find(commandId);
      return replyOf(name, found?.state === 'done' ? found.answer : BOOKED);
    });
  }

  /** Nothing may refuse a move: it is tried again, and an alarm says so (architecture §7). */
  private async postpone(tx: Tx, { saga, object, refusal }: LedgerResult): Promise<void> {
    const tries = await this.parts.database.tables.sagas.postpone(tx, saga, object, AGAIN_SECONDS_MAX);
    if (tries > 0) this.logger.warn(`${saga} ${object} was refused (${refusal?.key ?? 'no reason'}), try ${tries}`);
  }

  /** Sends postponed moves again, and tells of what takes too long. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    const { database, alarms, service } = this.parts;
    try {
      await database.transaction(async (tx) => {
        for (const { name, object, note } of await database.tables.sagas.takeDue(tx, AGAIN_ROWS)) {
          const { partition, body } = JSON.parse(note ?? 'null') as MoveNote;
          tx.emit(TOPICS.ledgerCommands, partition, LedgerCommandV1.encode(body as never));
          this.logger.log(`${name} ${object} is sent again`);
        }
      });
      const { count, oldestMs, postponed } = await database.tables.sagas.underWay();
      if (postponed > 0) alarms.raise(`saga:${service}`, `${postponed} moves out of holds are refused and tried again`);
      else if (oldestMs > LATE_MS)
        alarms.raise(`saga:${service}`, `${count} objects wait for the ledger, the oldest for more than a minute`);
      else alarms.clear(`saga:${service}`);
    } catch (error) {
      this.logger.warn(`sagas of ${service} could not be looked at: ${(error as Error).message}`);
    } finally {
      this.looking = false;
    }
  }
}

/** One kind of object that opens when the ledger has posted its journal. */
export class Saga<Note> {
  constructor(
    private readonly sagas: Sagas,
    private readonly name: string,
  ) {}

  /** For a call: see `Sagas.call`. */
  call(context: SagaContext, prepare: () => Promise<Begin<Note>>): Promise<Notice | Reply> {
    return this.sagas.call(this.name, context, prepare);
  }

  /** For work that no call waits for, in the caller's transaction. The command does not expire. */
  begin(tx: Tx, begun: Begun<Note>): Promise<void> {
    return this.sagas.begin(tx, this.name, begun, null);
  }
}

/** One kind of move out of a hold: release, settlement, refund. */
export class Moves {
  constructor(
    private readonly sagas: Sagas,
    private readonly name: string,
  ) {}

  /** For a call: see `Sagas.callMove`. */
  call(context: SagaContext, prepare: () => Promise<Move>): Promise<Notice> {
    return this.sagas.callMove(this.name, context, prepare);
  }

  /** For work that no call waits for, in the caller's transaction. */
  begin(tx: Tx, move: Pick<Moved, 'object' | 'command'>): Promise<void> {
    return this.sagas.beginMove(tx, this.name, move, null);
  }
}

/** The name under which a call waits for the end of a saga; the ledger's own replies bear the bare command id. */
const replyName = (name: string, object: string, commandId: string): string => `${commandId}#${name}:${object}`;
/** Tells a waiting call that its move is booked; what it is told was decided with the transition. */
const BOOKED = new Reply(null);
