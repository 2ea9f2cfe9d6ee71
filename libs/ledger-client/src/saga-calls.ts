import { randomUUID } from 'node:crypto';
import type { Logger } from '@nestjs/common';
import type { LedgerReply } from '@bourse/events';
import { CommitUncertain, type AnswerStore, type Tx } from '@bourse/persistence';
import { given, Notice, type Reply } from '@bourse/platform';
import { BOOKED, replyName } from './commands.js';
import { patienceFor, pending, replyOf } from './replies.js';
import type { SagaSteps } from './saga-steps.js';
import type { Begin, Move, Moved, SagaContext, SagasParts } from './saga-spec.js';

/**
 * A move out of a hold is answered after its booking; later than this it is answered with `settling: 1` (api §6.11).
 */
const SETTLING_MS = 2_000;
/** The ledger accepts a call's command for 4 s; a claim without its command is void after this time. */
const OPEN_SECONDS = 15;

/** Calls that begin a saga or a move, and wait for its outcome. */
export class SagaCalls {
  constructor(
    private readonly parts: SagasParts,
    private readonly commands: SagaSteps,
    private readonly answers: AnswerStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Begins a saga for a call and waits for its outcome. `prepare` checks the call outside of a transaction (passwords,
   * other services) and returns the work of the transaction. Once per command id: a repeat gets the stored answer.
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
      await this.commands.begin(tx, name, begun, { commandId, validUntil });
      // Before the commit: the outcome may come right after it.
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
        await this.commands.beginMove(tx, name, made, commandId);
        if (context.hasKey && context.commandId !== null) await this.answers.record(tx, context.commandId, made.answer);
        waiting = this.wait(
          replyName(name, made.object, commandId),
          null,
          async () => !(await this.parts.database.tables.sagas.isUnderWay(name, made.object)),
        );
        moved = made;
      });
      // It is not known whether it has moved: with a key a repeat gets the stored answer.
      if (!isCertain) throw pending();
      kept();
      if (!moved) throw new Error('invariant: a move was committed without an answer');
      const { key, extra, params } = moved.answer;
      return (await waiting) ? moved.answer : new Notice(key, { ...extra, settling: 1 }, params);
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: the answer of a move is a notice or a refusal');
  }

  /** False when the answer to the commit was lost: it may have succeeded, and then its outcome comes as always. */
  private async commit(work: (tx: Tx) => Promise<void>): Promise<boolean> {
    try {
      await this.parts.database.transaction(work);
      return true;
    } catch (error) {
      if (error instanceof CommitUncertain) return false;
      throw error;
    }
  }

  /** With `validUntil` null it waits for a move, which is answered with `settling: 1` after 2 s. */
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
}
