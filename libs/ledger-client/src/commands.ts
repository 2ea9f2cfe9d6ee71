import { randomUUID } from 'node:crypto';
import type { LedgerReply } from '@bourse/events';
import { AnswerStore, CommitUncertain, type Tx } from '@bourse/persistence';
import { givenNotice, Notice, Reply, type CallContext } from '@bourse/platform';
import { AskDecision, type Decision, MoveDecision, type MovePart } from './decision.js';
import { patienceFor, pending, replyOf } from './replies.js';
import type { SagaSteps } from './saga-steps.js';
import type { SagasParts } from './saga-spec.js';

/**
 * A transaction begins while its call is valid (4 s), its statements have time limits, and the ledger accepts its
 * command for no longer: a claim without an answer after this time belongs to a process that has died.
 */
const CLAIM_SECONDS = 20;
/** A move out of a hold is answered after its booking, or after this time with `settling: 1` (api §6.11). Ms. */
const SETTLING_MS = 2_000;

/** The name under which a call waits for the end of a saga; the ledger's own replies bear the bare command id. */
export const replyName = (name: string, object: string, commandId: string): string => `${commandId}#${name}:${object}`;
/** Notifies a waiting call that its move is booked; its answer was decided with the transition. */
export const BOOKED = new Reply(null);

/** A command on money. Each function throws `Refused` where it refuses. */
export interface Command<Prepared> {
  /** Checks outside of the transaction, while nothing is locked: fields, passwords, other services. */
  readonly prepare?: () => Promise<Prepared>;
  /** Checks under the locks that it takes, writes, and says how the command ends. */
  readonly decide: (tx: Tx, prepared: Prepared) => Promise<Decision>;
  /** Undoes what `prepare` has reserved when the transaction had no effect. */
  readonly abandon?: (prepared: Prepared) => Promise<void>;
}
/** A call under its id. */
type ClaimedCall = Pick<CallContext, 'bodyHash' | 'validUntil'> & { readonly commandId: string };

/**
 * The one way to run a command on money: once per command id, decided in one transaction with its answer, and answered
 * when the ledger has done its part (decision 0233).
 */
export class Commands {
  private readonly answers: AnswerStore;

  constructor(
    private readonly parts: SagasParts,
    private readonly steps: SagaSteps,
  ) {
    this.answers = new AnswerStore(parts.database);
  }

  /**
   * A repeat gets the stored answer. An id is claimed even without the caller's key: the edge may deliver a call twice.
   * @throws Refused as `prepare`, `decide` and the saga's handlers say; `pending` when the outcome is not known in time
   */
  run<Prepared>(context: CallContext, command: Command<Prepared>): Promise<Notice> {
    const call = { ...context, commandId: context.commandId ?? randomUUID(), hasKey: context.commandId !== null };
    return this.answers.onceNotice(
      call,
      async (markStored) => {
        const wait = await this.decide(call, command);
        if (!wait) return givenNotice(replyOf('', await this.answers.repeat(call.commandId, call.bodyHash)).answer);
        markStored();
        return wait();
      },
      CLAIM_SECONDS,
    );
  }

  /** Returns the wait for the answer, or null where another process has taken over the claim. */
  private async decide<Prepared>(
    call: ClaimedCall,
    { prepare, decide, abandon }: Command<Prepared>,
  ): Promise<(() => Promise<Notice>) | null> {
    const { database, clock } = this.parts;
    const prepared = (await prepare?.()) as Prepared;
    let wait: (() => Promise<Notice>) | null = null;
    try {
      wait = await database.transaction(async (tx) => {
        if (clock.real() > call.validUntil) throw pending();
        if (!(await this.answers.open(tx, call.commandId, call.bodyHash))) return null;
        return this.begin(tx, call, await decide(tx, prepared));
      });
      return wait;
    } catch (error) {
      throw error instanceof CommitUncertain ? pending() : error;
    } finally {
      // The claim expires if it cannot be dropped, or if the outcome of the commit is unknown.
      if (!wait) await abandon?.(prepared).catch(() => undefined);
    }
  }

  /** Stores the decision. The wait begins before the commit: the outcome may come right after it. */
  private async begin(tx: Tx, call: ClaimedCall, decision: Decision): Promise<() => Promise<Notice>> {
    if (decision instanceof AskDecision) return this.beginSaga(tx, call, decision);
    const [answer, parts] = decision instanceof MoveDecision ? [decision.answer, decision.parts] : [decision, []];
    await this.answers.conclude(tx, call.commandId, answer);
    for (const part of parts) await this.steps.beginMove(tx, part.name, part, call.commandId);
    const bookings = parts.map((part) => this.waitForBooking(part, call.commandId));
    return async () =>
      (await Promise.all(bookings)).includes(null)
        ? new Notice(answer.key, { ...answer.extra, settling: 1 }, answer.params)
        : answer;
  }

  private async beginSaga(tx: Tx, call: ClaimedCall, { saga, begun }: AskDecision): Promise<() => Promise<Notice>> {
    const { replies, clock } = this.parts;
    const { commandId, validUntil } = call;
    await this.steps.begin(tx, saga, begun, call);
    const name = replyName(saga, begun.object, commandId);
    const decided = replies.wait(name, patienceFor(validUntil, clock.real()), async () => {
      const found = await this.answers.find(commandId);
      return found?.state === 'done' ? replyOf(name, found.answer) : null;
    });
    return async () => {
      const reply = await decided;
      if (!reply) throw pending();
      return givenNotice(reply.answer);
    };
  }

  private waitForBooking({ name, object }: MovePart, commandId: string): Promise<LedgerReply | null> {
    const { replies, database } = this.parts;
    const waitsAs = replyName(name, object, commandId);
    return replies.wait(waitsAs, SETTLING_MS, async () =>
      (await database.tables.sagas.isUnderWay(name, object)) ? null : replyOf(waitsAs, BOOKED),
    );
  }
}
