import type { Logger } from '@nestjs/common';
import { BatchSpans, tracing, type Alarms } from '@bourse/platform';
import type { Message } from '@bourse/events';
import { isTransient, type Tx } from '@bourse/persistence';
import { Fenced, type ConsumeSpec, type Delivery, type OwnedPartition } from '../ports.js';
import { BACK_OFF_MS, delay } from './delay.js';
import { messagesOf } from './deliveries.js';

const BATCH_MESSAGES = 500;
/** A consumer is busy after this many batches in a row that came within BUSY_MS of the end of the one before. */
const BUSY_BATCHES = 20;
const BUSY_MS = 100;
/** A message that fails this often with the same error becomes a dead letter. */
const POISON_TRIES = 5;

/**
 * The pause between two fetches of a consumer, ms; undefined: that of the log. A consumer that gathers only when busy
 * pauses after its batches: a pause between fetches would delay each message, and it would never count as busy.
 */
export const fetchPauseOf = ({
  gatherMs,
  gatherWhen,
}: Pick<ConsumeSpec, 'gatherMs' | 'gatherWhen'>): number | undefined => (gatherWhen === 'busy' ? undefined : gatherMs);

/**
 * Consumes a partition in batches, one transaction each, in which the position moves too. When a batch fails, its
 * messages are tried one by one, and one that fails again and again becomes a dead letter.
 */
export class BatchConsumer {
  constructor(
    private readonly spec: ConsumeSpec,
    private readonly alarms: Alarms,
    private readonly logger: Logger,
  ) {}

  /** Consumes until ownership ends. */
  async run(owned: OwnedPartition): Promise<void> {
    const { spec } = this;
    let inARow = 0;
    for (;;) {
      const waitsSince = performance.now();
      const batch = await owned.take(BATCH_MESSAGES);
      inARow = performance.now() - waitsSince < BUSY_MS ? inARow + 1 : 0;
      try {
        await (tracing.on ? this.consumeTraced(owned, batch) : this.consumeAll(owned, batch));
      } catch (error) {
        if (error instanceof Fenced || isTransient(error)) throw error;
        this.logger.warn(
          `${spec.consumer} failed on a batch, its messages are tried one by one: ${(error as Error).message}`,
        );
        for (const delivery of batch) await this.consumeOne(owned, delivery);
      }
      if (spec.gatherMs !== undefined && (spec.gatherWhen !== 'busy' || inARow >= BUSY_BATCHES))
        await delay(spec.gatherMs, owned.signal);
    }
  }

  private consumeAll(owned: OwnedPartition, batch: readonly Delivery[]): Promise<void> {
    const { spec } = this;
    return spec.database.transaction(
      async (tx) => {
        await spec.handle(
          batch.flatMap((delivery) => messagesFor(spec, delivery)),
          tx,
        );
        await owned.advance(tx, batch);
      },
      { relaxed: spec.relaxed ?? false },
    );
  }

  /** The same, with a span for each message that carries a trace. */
  private async consumeTraced(owned: OwnedPartition, batch: readonly Delivery[]): Promise<void> {
    const spans = new BatchSpans();
    for (const { trace } of batch.flatMap(messagesOf))
      if (trace !== undefined) spans.open(trace, `consume ${this.spec.consumer}`);
    try {
      await spans.step('postgresql transaction', { kind: 'client' }, () => this.consumeAll(owned, batch));
      spans.end();
    } catch (error) {
      spans.end(error);
      throw error;
    }
  }

  /** One delivery, each message in a savepoint of its own. */
  private async consumeOne(owned: OwnedPartition, delivery: Delivery): Promise<void> {
    const failures: Failures = new Map();
    for (let waitMs = BACK_OFF_MS.first; ; waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most)) {
      try {
        await this.spec.database.transaction(
          async (tx) => {
            for (const [index, message] of messagesOf(delivery).entries())
              await this.consumeMessage(tx, delivery, message, index, failures);
            await owned.advance(tx, [delivery]);
          },
          { relaxed: this.spec.relaxed ?? false },
        );
        return;
      } catch (error) {
        if (error instanceof Fenced || isTransient(error) || owned.signal.aborted) throw error;
        await delay(waitMs, owned.signal);
      }
    }
  }

  private async consumeMessage(
    tx: Tx,
    delivery: Delivery,
    message: Message,
    index: number,
    failures: Failures,
  ): Promise<void> {
    const known = failures.get(index);
    if (known && known.times >= POISON_TRIES) return this.storeDeadLetter(tx, delivery, message, known.error);
    try {
      mustBeAllowed(this.spec, delivery, message);
      await tx.savepoint(() => this.spec.handle([message], tx));
    } catch (error) {
      if (!isTransient(error)) {
        const text = (error as Error).message;
        failures.set(index, { error: text, times: known?.error === text ? known.times + 1 : 1 });
      }
      throw error;
    }
  }

  private async storeDeadLetter(tx: Tx, delivery: Delivery, message: Message, error: string): Promise<void> {
    const { consumer, database } = this.spec;
    const [stream, number] = delivery.kind === 'row' ? [delivery.row.stream, delivery.row.number] : ['', 0];
    await database.tables.facts.deadLetter(tx, { consumer, stream, number, message: JSON.stringify(message), error });
    tx.afterCommit(() =>
      this.alarms.raise(
        `dead-letter:${consumer}`,
        `a ${message.type} of ${stream} #${number} cannot be applied: ${error}`,
      ),
    );
  }
}

/** The last error of each message of a delivery, by its index, with its number of occurrences. */
type Failures = Map<number, { error: string; times: number }>;

/** The messages of a delivery; throws when its author may not write one of them. */
function messagesFor(spec: ConsumeSpec, delivery: Delivery): readonly Message[] {
  const messages = messagesOf(delivery);
  if (spec.refuses) for (const message of messages) mustBeAllowed(spec, delivery, message);
  return messages;
}

function mustBeAllowed({ refuses }: ConsumeSpec, { author }: Delivery, message: Message): void {
  if (author !== undefined && refuses?.(message, author))
    throw new Error(`${author} may not write a ${message.type} with the key ${message.key}`);
}
