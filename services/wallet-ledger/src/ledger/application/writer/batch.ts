import {
  FeesPaidV1,
  ledgerPartition,
  LedgerResultV1,
  TOPICS,
  UserEventV1,
  type FeePaid,
  type LedgerCommand,
  type LedgerReply,
  type LedgerResult,
  type Message,
  type StoredAnswer,
} from '@bourse/events';
import type { Delivery } from '@bourse/messaging';
import type { Emission } from '@bourse/persistence';
import { formatUnits } from '@bourse/money';
import type { BatchSpans } from '@bourse/platform';
import { type HotLedger } from '../../domain/index.js';
import { readCommand, type DecoderContext, type ReadCommand, type ReadResult } from './commands.js';
import type { JournalChain } from './entries.js';
import { feesOf } from './fees.js';
import { HOUSE_TRANSFERS } from '../house/ports.js';
import type { AccountRef, CommandRow, Found, HoldRef, JournalRow } from '../ports.js';
import { accountKey, holdKey, isHouse, type Entry, type Outcome, type Refusal } from '../../domain/journal.js';

/** The writer's context: currencies, users and time. */
export interface BatchContext extends DecoderContext {
  readonly userEventPartitions: number;
  nameOf(currency: number): string;
  scaleOf(currency: number): number | undefined;
  /** Business time, ms, of published fees; journals carry the database's time. */
  now(): number;
  /** Balances of a user without a watching session need no push. */
  isWatched(user: number): boolean;
  /** The units that a house account keeps in a partition for a payment that is retried there. */
  keptUnits?(account: string, currency: number, partition: number): bigint;
}

/** The names that a batch must know before it is applied. */
export interface Missing {
  readonly accounts: readonly AccountRef[];
  readonly holds: readonly HoldRef[];
  /** Holds that nothing can be stored of. */
  readonly newHolds: readonly HoldRef[];
  readonly commandIds: readonly string[];
  readonly secondKeys: readonly string[];
}

/** A row of a stream that cannot be applied; the stream stops at it. */
export interface StoppedRow {
  readonly stream: string;
  readonly number: number;
  readonly reason: string;
}

/** A house account whose partition could not pay `units` for a command that will be sent again. */
export interface Shortfall {
  readonly account: string;
  readonly currency: number;
  readonly units: bigint;
}

/** How a row of a stream was applied; `early`: a hold lacks what a row of another stream will bring. */
type Applied = 'done' | 'early' | 'stopped';
type RowPart = Part & { readonly kind: 'row' };
type Part =
  | { readonly kind: 'command'; readonly result: ReadResult; readonly isFirst: boolean }
  | { readonly kind: 'row'; readonly delivery: Delivery & { kind: 'row' }; readonly results: readonly ReadResult[] };

/**
 * The gathered commands, applied in order to the ledger in memory; collects the rows to store and the messages to send.
 * A refused command leaves the others in force; a row of a stream applies whole, or its stream stops before it.
 */
export class Batch {
  readonly journals: JournalRow[] = [];
  readonly commands: CommandRow[] = [];
  readonly emissions: Emission[] = [];
  readonly replies: { readonly to: string; readonly reply: LedgerReply }[] = [];
  readonly stopped: StoppedRow[] = [];
  /** Deliveries that are finished, in the order of arrival. */
  readonly done: Delivery[] = [];
  /** Rows that came before what they depend on, each with all that follows it in its stream. */
  readonly early: Delivery[] = [];
  /** Commands that could not be read, or that show a defect of their sender; for the log. */
  readonly defects: string[] = [];
  /** Commands of services that have no right to send them; dropped. */
  readonly rejectedSources: string[] = [];
  /** Amounts that house accounts could not pay for settlements that are retried until they succeed. */
  readonly shortfalls: Shortfall[] = [];
  private readonly parts: readonly Part[];
  private readonly fees: FeePaid[] = [];
  private readonly byId = new Map<string, CommandRow>();
  private readonly bySecondKey = new Map<string, CommandRow>();
  /** Whether the last command was refused because its hold has too little. */
  private holdExceeded = false;
  private at = 0;

  constructor(
    private readonly deliveries: readonly Delivery[],
    private readonly ledger: HotLedger,
    private readonly chain: JournalChain,
    private readonly context: BatchContext,
    private readonly spans?: BatchSpans,
    /** Whether rows that came early may wait for a later batch; else their streams stop. */
    private readonly mayWait = true,
  ) {
    this.parts = deliveries.map((delivery): Part =>
      delivery.kind === 'row'
        ? {
            kind: 'row',
            delivery,
            results: delivery.messages.map((message: Message) => readCommand(message, context, delivery.author)),
          }
        : {
            kind: 'command',
            result: readCommand(delivery.message, context, delivery.author),
            isFirst: delivery.isFirst === true,
          },
    );
  }

  /**
   * Touched accounts and holds that are not in memory, and the command ids to look up. Of a command that says that its
   * id and holds are new, and that was given once, only accounts and a second key can be stored: most batches of orders
   * need no look-up, which was a round trip and 85 µs of PostgreSQL an order (200 orders/s).
   */
  missing(): Missing {
    const accounts = new Map<string, AccountRef>();
    const holds = new Map<string, HoldRef>();
    const newHolds = new Map<string, HoldRef>();
    const commandIds = new Set<string>();
    const secondKeys = new Set<string>();
    for (const { read, isFirst } of this.readCommands()) {
      const { command, posting } = read;
      const isNew = isFirst && command.isNew === true;
      if (command.commandId !== undefined && !isNew) commandIds.add(command.commandId);
      if (command.secondKey !== undefined) secondKeys.add(command.secondKey);
      for (const { legs } of posting.journals) {
        for (const { from, to, currency } of legs) {
          for (const { owner, account, hold } of [from, to]) {
            const key = accountKey(owner, account, currency);
            if (!this.ledger.knowsAccount(key)) accounts.set(key, { owner, account, currency });
            if (hold === null) continue;
            const name = holdKey(owner, account, currency, hold);
            if (this.ledger.knowsHold(name)) continue;
            (isNew ? newHolds : holds).set(name, { owner, account, currency, hold });
          }
        }
      }
    }
    return {
      accounts: [...accounts.values()],
      holds: [...holds.values()],
      newHolds: [...newHolds.values()],
      commandIds: [...commandIds],
      secondKeys: [...secondKeys],
    };
  }

  /** Applies everything; `found` is the stored part of what was missing. */
  apply(missing: Pick<Missing, 'accounts' | 'holds' | 'newHolds'>, found: Found): void {
    for (const name of missing.accounts)
      this.ledger.loadAccount({ ...name, available: 0n, held: 0n, availableSequence: 0, heldSequence: 0 });
    for (const name of [...missing.newHolds, ...missing.holds])
      this.ledger.loadHold({ ...name, remaining: 0n, causeType: '', causeId: '' });
    for (const state of found.accounts) this.ledger.loadAccount(state);
    for (const state of found.holds) this.ledger.loadHold(state);
    for (const row of found.commands) this.byId.set(row.id, row);
    for (const row of found.secondKeys) if (row.secondKey !== null) this.bySecondKey.set(row.secondKey, row);
    this.at = found.at;
    const stoppedStreams = new Set<string>();
    let early: RowPart[] = [];
    const applyInTurn = (part: RowPart): void => {
      const { stream } = part.delivery.row;
      if (stoppedStreams.has(stream)) return;
      const applied = early.some(({ delivery }) => delivery.row.stream === stream) ? 'early' : this.applyRow(part);
      if (applied === 'done') this.done.push(part.delivery);
      else if (applied === 'early') early.push(part);
      else stoppedStreams.add(stream);
    };
    for (const [index, part] of this.parts.entries()) {
      if (part.kind === 'row') {
        applyInTurn(part);
        continue;
      }
      const delivery = this.deliveries[index] as Delivery;
      const sent = this.emissions.length;
      this.applyDirect(part.result);
      if (delivery.kind === 'command') this.passTrace(delivery.message, part.result, sent);
      this.done.push(delivery);
    }
    // The rows that an early row depends on may have come behind it.
    for (let before = Infinity; early.length > 0 && early.length < before;) {
      const again = early;
      before = again.length;
      early = [];
      for (const part of again) applyInTurn(part);
    }
    this.early.push(...early.map(({ delivery }) => delivery));
    this.publishFees();
  }

  /** Publishes all fees of the batch in one message, built without the schema: its parts are our own. */
  private publishFees(): void {
    if (this.fees.length === 0) return;
    this.emissions.push({ topic: TOPICS.ledgerFacts, partition: 0, message: FeesPaidV1.build({ fees: this.fees }) });
  }

  private applyRow({ delivery, results }: RowPart): Applied {
    // The row's service sent a command that it has no right to send: the whole row is dropped. Its stream continues,
    // because otherwise a compromised service could stop the exchange.
    const rejected = results.find((result) => !result.ok && result.isForeign);
    if (rejected && !rejected.ok) {
      this.rejectedSources.push(`${delivery.row.stream} #${delivery.row.number}: ${rejected.error}`);
      return 'done';
    }
    const undo = this.mark();
    for (const [index, result] of results.entries()) {
      const sent = this.emissions.length;
      this.holdExceeded = false;
      const problem = result.ok ? this.applyCommand(result.read) : this.refuseUnread(result);
      if (problem === null) {
        this.passTrace(delivery.messages[index], result, sent);
        continue;
      }
      undo();
      if (this.holdExceeded && this.mayWait) return 'early';
      this.stopped.push({ stream: delivery.row.stream, number: delivery.row.number, reason: problem });
      return 'stopped';
    }
    return 'done';
  }

  /** Messages emitted since `sent` carry the trace of the command. */
  private passTrace(message: Message | undefined, result: ReadResult, sent: number): void {
    if (message?.trace === undefined) return;
    const cause = result.ok ? result.read.command.journals[0]?.causeType : undefined;
    const trace = this.spans?.open(message.trace, `ledger ${cause ?? 'command'}`) ?? message.trace;
    for (let index = sent; index < this.emissions.length; index += 1) {
      const emission = this.emissions[index] as Emission;
      this.emissions[index] = { ...emission, message: { ...emission.message, trace } };
    }
  }

  /** An unreadable command is refused to the saga that sent it; without a saga it stops its stream. */
  private refuseUnread({ error, asker }: ReadResult & { ok: false }): string | null {
    if (!asker) return error;
    this.defects.push(`${asker.resultTo?.object}: ${error}`);
    this.emitResult(asker, DEFECT, null);
    return null;
  }

  private applyDirect(result: ReadResult): void {
    if (!result.ok && result.isForeign) {
      this.rejectedSources.push(result.error);
      return;
    }
    if (!result.ok) {
      if (this.refuseUnread(result) !== null) this.defects.push(result.error);
      if (result.commandId !== null && result.replyTo !== null)
        this.replies.push({
          to: result.replyTo,
          reply: { commandId: result.commandId, ok: false, answer: DEFECT, repeated: false },
        });
      return;
    }
    const problem = this.applyCommand(result.read);
    if (problem !== null) this.defects.push(problem);
  }

  /**
   * Applies one command, or refuses it. Returns the error of one that has no id, because such a command must not be
   * refused.
   */
  private applyCommand({ command, posting }: ReadCommand): string | null {
    const { commandId, secondKey } = command;
    const known = commandId === undefined ? undefined : this.byId.get(commandId);
    if (known) {
      const reused = known.bodyHash !== null && command.bodyHash !== undefined && known.bodyHash !== command.bodyHash;
      const answer: StoredAnswer = reused ? { type: 'error', key: 'common.keyReused' } : known.answer;
      this.emitResult(command, answer, known.held);
      this.reply(command, answer, { repeated: !reused, held: known.held });
      return null;
    }
    const first = secondKey === undefined ? undefined : this.bySecondKey.get(secondKey);
    if (first) {
      const answer: StoredAnswer = { ...first.answer, extra: { ...first.answer.extra, repeated: 1 } };
      this.keep(command, answer, first.held, null);
      this.emitResult(command, answer, first.held);
      this.reply(command, answer, { repeated: true, held: first.held, secondKeyHit: true });
      return null;
    }
    if (command.validUntil !== undefined && this.at > command.validUntil)
      return this.refuse(command, { type: 'error', key: 'common.expired' }, 'it came too late');
    // Nobody waits for it: its planner reads the balances again.
    if (command.issuer === HOUSE_TRANSFERS && this.givesKept(posting)) return null;
    const outcome = this.ledger.post(posting);
    if (!outcome.ok) {
      this.holdExceeded = outcome.refusal.code === 'hold_exceeded';
      const name = commandId ?? command.resultTo?.object;
      if (outcome.refusal.code !== 'balance_insufficient' && name !== undefined)
        this.defects.push(`${name}: ${wordsOf(outcome.refusal)}`);
      if (command.validUntil === undefined) this.recordShortfall(outcome.refusal);
      return this.refuse(command, answerOf(outcome.refusal), wordsOf(outcome.refusal));
    }
    this.accept(command, outcome);
    return null;
  }

  /** Whether a transfer takes a house account below what it keeps in this partition for a payment [HOUSE-014]. */
  private givesKept({ journals }: ReadCommand['posting']): boolean {
    const { partition } = this.context;
    return journals.some(({ legs }) =>
      legs.some(({ from: { owner, account }, currency, amount }) => {
        const kept = this.context.keptUnits?.(account, currency, partition) ?? 0n;
        const { available } = this.ledger.stateOf(owner, account, currency);
        return kept > 0n && typeof amount === 'bigint' && available >= kept && available - amount < kept;
      }),
    );
  }

  private accept(command: LedgerCommand, outcome: Outcome & { ok: true }): void {
    for (const [index, entries] of outcome.entries.entries()) {
      const journal = command.journals[index];
      if (!journal) throw new Error('invariant: more lists of lines than journals');
      this.journals.push(...this.chain.append(journal, entries, this.at));
      this.fees.push(...feesOf(journal, entries, (currency) => this.scaleOf(currency), this.context.now()));
    }
    const held = outcome.held === null ? null : formatUnits(outcome.held.amount, this.scaleOf(outcome.held.currency));
    if (command.forward) {
      const { topic, partition, message } = command.forward;
      this.emissions.push({
        topic,
        partition,
        message: {
          ...message,
          context: { ...(held === null ? {} : { held }), acceptedAt: this.at, at: this.context.now() },
        },
      });
    }
    const [cause] = command.journals;
    if (cause) this.pushBalances(outcome.entries.flat(), cause);
    this.emitResult(command, POSTED, held);
    // A command without an answer of its own is answered by the receiver of the command that it forwards.
    if (command.commandId === undefined || !command.answer) return;
    this.keep(command, command.answer, held, command.secondKey ?? null);
    this.reply(command, command.answer, { repeated: false, held });
  }

  private refuse(command: LedgerCommand, answer: StoredAnswer, reason: string): string | null {
    this.emitResult(command, answer, null);
    if (command.commandId === undefined) return command.resultTo ? null : reason;
    this.keep(command, answer, null, null);
    this.reply(command, answer, { repeated: false, held: null });
    return null;
  }

  /** Sends the saga the result of its command, in the transaction that decides it (architecture §7). */
  private emitResult(
    { resultTo, userId }: Pick<LedgerCommand, 'resultTo' | 'userId'>,
    answer: StoredAnswer,
    held: string | null,
  ): void {
    if (!resultTo) return;
    const { topic, partition, saga, object } = resultTo;
    const posted = answer.type === 'ok';
    const body: LedgerResult = {
      saga,
      object,
      userId,
      posted,
      ...(posted ? {} : { refusal: answer }),
      ...(held === null ? {} : { held }),
      acceptedAt: this.at,
    };
    this.emissions.push({ topic, partition, message: { type: LedgerResultV1.name, key: object, body } });
  }

  private keep(command: LedgerCommand, answer: StoredAnswer, held: string | null, secondKey: string | null): void {
    if (command.commandId === undefined) return;
    const row: CommandRow = { id: command.commandId, secondKey, bodyHash: command.bodyHash ?? null, answer, held };
    this.commands.push(row);
    this.byId.set(row.id, row);
    if (secondKey !== null && answer.type === 'ok') this.bySecondKey.set(secondKey, row);
  }

  private reply(
    command: LedgerCommand,
    answer: StoredAnswer,
    { repeated, held, secondKeyHit = false }: { repeated: boolean; held: string | null; secondKeyHit?: boolean },
  ): void {
    if (command.commandId === undefined || command.replyTo === undefined) return;
    this.replies.push({
      to: command.replyTo,
      reply: {
        commandId: command.commandId,
        ok: answer.type === 'ok',
        answer,
        repeated,
        ...(secondKeyHit ? { secondKeyHit } : {}),
        ...(held === null ? {} : { held }),
        ...(command.bodyHash === undefined ? {} : { bodyHash: command.bodyHash }),
      },
    });
  }

  /** One push per command and person: the touched accounts, as they are after it. */
  private pushBalances(
    entries: readonly Entry[],
    cause: { readonly causeType: string; readonly causeId: string },
  ): void {
    const touched = new Map<number, Map<string, AccountRef>>();
    for (const { owner, account, currency } of entries) {
      if (isHouse(owner) || !this.context.isWatched(owner)) continue;
      const accounts = touched.get(owner) ?? new Map<string, AccountRef>();
      if (accounts.size === 0) touched.set(owner, accounts);
      accounts.set(accountKey(owner, account, currency), { owner, account, currency });
    }
    for (const [userId, accounts] of touched) {
      const balances = [...accounts.values()].map(({ owner, account, currency }) => {
        const { available, held } = this.ledger.stateOf(owner, account, currency);
        const scale = this.scaleOf(currency);
        return {
          currency,
          currency_name: this.context.nameOf(currency),
          account,
          balance: formatUnits(available, scale),
          lock_balance: formatUnits(held, scale),
        };
      });
      // Built without the schema: each command has one of these, and its parts are our own.
      const body = {
        userId,
        event: 'balance_update' as const,
        payload: { balances, cause_type: cause.causeType, cause_id: cause.causeId },
      };
      this.emissions.push({
        topic: TOPICS.userEvents,
        partition: ledgerPartition(userId, this.context.userEventPartitions),
        message: UserEventV1.build(body),
      });
    }
  }

  /** Marks the current state; the returned function rolls back to it. */
  private mark(): () => void {
    const ledger = this.ledger.mark();
    const chain = this.chain.mark();
    const lengths = [this.journals, this.commands, this.emissions, this.replies, this.defects, this.fees].map(
      (list) => ({
        list: list as unknown[],
        length: list.length,
      }),
    );
    return () => {
      this.ledger.rollBack(ledger);
      this.chain.rollBack(chain);
      for (const row of this.commands.slice(lengths[1]?.length)) {
        this.byId.delete(row.id);
        if (row.secondKey !== null) this.bySecondKey.delete(row.secondKey);
      }
      for (const { list, length } of lengths) list.length = length;
    };
  }

  private *readCommands(): Generator<{ readonly read: ReadCommand; readonly isFirst: boolean }> {
    for (const part of this.parts) {
      const isFirst = part.kind === 'command' && part.isFirst;
      for (const result of part.kind === 'row' ? part.results : [part.result])
        if (result.ok) yield { read: result.read, isFirst };
    }
  }

  private recordShortfall(refusal: Refusal): void {
    if (refusal.code !== 'balance_insufficient' || !refusal.account.startsWith('h.')) return;
    this.shortfalls.push({ account: refusal.account, currency: refusal.currency, units: refusal.wanted });
  }
  private scaleOf(currency: number): number {
    const scale = this.context.scaleOf(currency);
    if (scale === undefined) throw new Error(`invariant: currency ${currency} has left the catalog`);
    return scale;
  }
}

const POSTED: StoredAnswer = { type: 'ok' };
const DEFECT: StoredAnswer = { type: 'error', key: 'common.defect' };
/**
 * The answer to the caller. Any refusal except a short balance is a defect of our own code. If a house account is
 * short, the answer names it: its product words the refusal.
 */
function answerOf(refusal: Refusal): StoredAnswer {
  if (refusal.code !== 'balance_insufficient') return DEFECT;
  const house = refusal.account.startsWith('h.') ? { params: { account: refusal.account } } : {};
  return { type: 'error', key: 'balance.insufficient', ...house };
}
const wordsOf = (refusal: Refusal): string =>
  JSON.stringify(refusal, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
