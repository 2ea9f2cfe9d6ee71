import {
  decode,
  LedgerCommandV1,
  LedgerResultV1,
  TOPICS,
  type Leg,
  type LedgerCommand,
  type LedgerReply,
  type StoredAnswer,
} from '@bourse/events';
import { walletLedgerAsks, type Asks, type Log, type OwnedPartition, type Replies } from '@bourse/messaging';
import { formatUnits, minOf, toUnits } from '@bourse/money';
import type { Databases } from '@bourse/persistence';

const SCALE = 8;

/** Sends a message in the transaction of its change. */
type Emit = (
  topic: string,
  partition: number,
  message: { type: string; key: string; body: unknown; context?: unknown },
) => void;

/** The state of a test's ledger; outlives a restart of the service under test. */
export class LedgerState {
  readonly balances = new Map<string, bigint>();
  readonly answers = new Map<string, { reply: LedgerReply; bodyHash: string | undefined }>();
  readonly secondKeys = new Map<string, LedgerReply>();
  readonly journals = new Set<string>();
  give(userId: number, currency: number, amount: string): void {
    this.add(`${userId}.change`, currency, toUnits(amount, SCALE));
  }
  available(userId: number, currency: number): string {
    return formatUnits(this.balances.get(`${userId}.change ${currency}`) ?? 0n, SCALE);
  }
  house(account: string, currency: number): string {
    return formatUnits(this.balances.get(`${account} ${currency}`) ?? 0n, SCALE);
  }
  /** Holds that still contain money, by name, in units. */
  holds(): Map<string, string> {
    return new Map(
      [...this.balances]
        .filter(([key, units]) => key.includes('#') && units !== 0n)
        .map(([key, units]) => [key.slice(key.indexOf('#') + 1, key.indexOf(' ')), formatUnits(units, SCALE)]),
    );
  }
  total(currency: number): string {
    return formatUnits(
      [...this.balances].filter(([key]) => key.endsWith(` ${currency}`)).reduce((sum, [, units]) => sum + units, 0n),
      SCALE,
    );
  }
  add(account: string, currency: number, units: bigint): void {
    const key = `${account} ${currency}`;
    this.balances.set(key, (this.balances.get(key) ?? 0n) + units);
  }
}

/**
 * A ledger that behaves like the real one without its tables: holds, forwards, settles, answers repeats, and sends
 * results by stream. It records as faults what a service must never send: a journal twice, more than a hold contains.
 * All coins have 8 decimals.
 */
export class FakeLedger {
  readonly faults: string[] = [];
  /** Why the ledger refuses every journal for now, as for an account without money; null: it does not. */
  refusing: string | null = null;
  private handles: { stop(): Promise<void> }[] = [];
  constructor(
    readonly state: LedgerState,
    private readonly log: Log,
    private readonly replies: Replies,
    asks: Asks,
    private readonly databases: Databases,
  ) {
    asks.handle(walletLedgerAsks.answer, ({ commandId }) =>
      Promise.resolve(this.state.answers.get(commandId)?.reply ?? null),
    );
  }

  async start(): Promise<void> {
    const database = await this.databases.open({ schema: 'ledger', migrations: [] });
    for (let partition = 0; partition < this.log.partitionsOf(TOPICS.ledgerCommands); partition++) {
      this.handles.push(
        this.log.own({
          consumer: 'ledger.writer',
          topic: TOPICS.ledgerCommands,
          partition,
          database,
          run: async (owned: OwnedPartition) => {
            for (;;) {
              const deliveries = await owned.take(500);
              const replies: [string, LedgerReply][] = [];
              await database.transaction(async (tx) => {
                for (const delivery of deliveries) {
                  for (const message of delivery.kind === 'row' ? delivery.messages : [delivery.message]) {
                    const read = decode(LedgerCommandV1, message);
                    if (!read.ok) {
                      this.faults.push(read.error);
                      continue;
                    }
                    const reply = this.apply(read.body, (topic, at, out) => tx.emit(topic, at, out));
                    if (reply && read.body.replyTo) replies.push([read.body.replyTo, reply]);
                  }
                }
                await owned.advance(tx, deliveries);
              });
              for (const [replyTo, reply] of replies) this.replies.publish(replyTo, reply);
            }
          },
        }),
      );
    }
  }

  private apply(command: LedgerCommand, emit: Emit): LedgerReply | null {
    const { commandId = '', secondKey, bodyHash } = command;
    const known = commandId === '' ? undefined : this.state.answers.get(commandId);
    if (known && known.bodyHash !== bodyHash)
      return { commandId, ok: false, repeated: true, answer: { type: 'error', key: 'common.keyReused' } };
    if (known) {
      emitResult(command, known.reply.answer, known.reply.held, emit);
      return { ...known.reply, repeated: true };
    }
    const first = secondKey === undefined ? undefined : this.state.secondKeys.get(secondKey);
    if (first) return { ...first, commandId, repeated: true, secondKeyHit: true };
    const isLate = command.validUntil !== undefined && Date.now() > command.validUntil;
    const held = isLate || this.refusing !== null ? null : this.post(command);
    if (held === null) {
      const answer: StoredAnswer = {
        type: 'error',
        key: isLate ? 'common.expired' : (this.refusing ?? 'balance.insufficient'),
      };
      emitResult(command, answer, undefined, emit);
      if (commandId === '' && command.resultTo) return null;
      if (commandId === '') {
        this.faults.push(`a settlement was refused: ${JSON.stringify(command.journals)}`);
        return null;
      }
      return this.store(command, {
        commandId,
        ok: false,
        repeated: false,
        answer,
      });
    }
    emitResult(command, { type: 'ok' }, held, emit);
    if (command.forward)
      emit(command.forward.topic, command.forward.partition, {
        ...command.forward.message,
        context: { held, acceptedAt: Date.now() },
      });
    const { answer = { type: 'ok' } } = command;
    return commandId === ''
      ? null
      : this.store(command, { commandId, ok: answer.type === 'ok', repeated: false, answer, held });
  }

  private store({ commandId = '', secondKey, bodyHash }: LedgerCommand, reply: LedgerReply): LedgerReply {
    this.state.answers.set(commandId, { reply, bodyHash });
    if (secondKey !== undefined && reply.ok) this.state.secondKeys.set(secondKey, reply);
    return reply;
  }

  /** Applies all journals or none; returns the amount that the last leg moved. */
  private post(command: LedgerCommand): string | null {
    const before = new Map(this.state.balances);
    let moved = 0n;
    for (const journal of command.journals) {
      if (this.state.journals.has(journal.id)) this.faults.push(`journal ${journal.id} came twice`);
      for (const leg of journal.legs) {
        moved = this.amountOf(leg);
        this.state.add(leg.from, leg.currency, -moved);
        this.state.add(leg.to, leg.currency, moved);
        if (
          moved < 0n ||
          (!leg.from.startsWith('h.clearing') && (this.state.balances.get(`${leg.from} ${leg.currency}`) ?? 0n) < 0n)
        ) {
          this.state.balances.clear();
          for (const [key, units] of before) this.state.balances.set(key, units);
          return null;
        }
      }
    }
    for (const journal of command.journals) this.state.journals.add(journal.id);
    return formatUnits(moved, SCALE);
  }

  private amountOf({ amount, from, currency }: Leg): bigint {
    const there = this.state.balances.get(`${from} ${currency}`) ?? 0n;
    if (amount === 'rest') return there;
    if (typeof amount === 'string') return toUnits(amount, SCALE);
    const moved = minOf(there, toUnits(amount.max, SCALE));
    return moved < toUnits(amount.min, SCALE) ? -1n : moved;
  }
}

function emitResult(
  { resultTo, userId }: LedgerCommand,
  answer: StoredAnswer,
  held: string | undefined,
  emit: Emit,
): void {
  if (!resultTo) return;
  const { topic, partition, saga, object } = resultTo;
  const posted = answer.type === 'ok';
  const body = {
    saga,
    object,
    userId,
    posted,
    ...(posted ? {} : { refusal: answer }),
    ...(held === undefined ? {} : { held }),
    acceptedAt: Date.now(),
  };
  emit(topic, partition, LedgerResultV1.encode(body));
}
