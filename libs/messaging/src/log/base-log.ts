import { Logger } from '@nestjs/common';
import type { Alarms } from '@bourse/platform';
import { isTransient, type Database, type Tx } from '@bourse/persistence';
import type { Message } from '@bourse/events';
import { LeaseKeeper, Ownership } from '../ownership/ownership.js';
import { Shares } from '../ownership/shares.js';
import {
  Fenced,
  Log,
  type ConsumeSpec,
  type Delivery,
  type FollowSpec,
  type OwnedPartition,
  type OwnSpec,
  type ReadPartition,
  type ReadSpec,
} from '../ports.js';

const TAKE_AGAIN_MS = 500;
const BACK_OFF_MS = { first: 50, most: 2_000 };
const STOP_MS_MAX = 10_000;
const BATCH_MESSAGES = 500;
/** What a follower has taken is noted this long after, so that what it takes costs no commit each. */
const NOTED_AFTER_MS = 250;
/** A message that fails this often in the same way will never succeed. */
const POISON_TRIES = 5;

export interface LogOptions {
  /** Name of this process: owner of partitions. */
  readonly instance: string;
  /** Partitions of each topic, fixed at install. */
  readonly partitions: Readonly<Record<string, number>>;
  readonly alarms: Alarms;
  /** Something only a person can mend: the process must end, saying why. */
  readonly onFatal?: (reason: string) => void;
}

/** What a kind of log opens for an owner; closed when ownership ends. */
export interface OpenPartition extends OwnedPartition {
  close(): Promise<void>;
}

export interface Handle {
  stop(): Promise<void>;
}
export interface HoldSpec {
  readonly consumer: string;
  readonly partition: number;
  readonly database: Database;
  /** Once, before the first try to take it. */
  before?(stopping: AbortSignal): Promise<void>;
  standby?(): void;
  work(ownership: Ownership, abort: AbortController): Promise<void>;
}

/** What both logs share: taking partitions, keeping leases, running owners and batches of views. */
export abstract class BaseLog extends Log {
  protected readonly logger = new Logger('Log');
  private readonly loops = new Map<string, Handle>();
  private readonly keepers = new WeakMap<Database, LeaseKeeper>();
  private readonly shares = new WeakMap<Database, Map<string, Shares>>();

  constructor(protected readonly options: LogOptions) {
    super();
  }

  abstract readonly shared: boolean;
  private readonly reads = new Set<Handle>();

  /** Opens a partition for a reader that owns nothing. */
  protected abstract openToRead(
    spec: ReadSpec,
    ...given: Parameters<Parameters<ReadSpec['run']>[0]['from']>
  ): Promise<ReadPartition>;

  read(spec: ReadSpec): Handle {
    const stopping = new AbortController();
    const { signal } = stopping;
    const ended = this.readAgain(spec, signal);
    const handle = {
      stop: async () => {
        stopping.abort(new Fenced(`${spec.consumer}/${spec.partition}: the process stops`));
        const waited = new AbortController();
        await Promise.race([ended.finally(() => waited.abort()), delay(STOP_MS_MAX, waited.signal)]);
        this.reads.delete(handle);
      },
    };
    this.reads.add(handle);
    return handle;
  }

  private async readAgain(spec: ReadSpec, signal: AbortSignal): Promise<void> {
    const name = `${spec.consumer}/${spec.partition}`;
    for (let waitMs = BACK_OFF_MS.first; !signal.aborted; waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most)) {
      const startedAt = performance.now();
      const open = new Set<ReadPartition>();
      const closeAll = (): void => {
        for (const partition of open) void partition.close();
      };
      signal.addEventListener('abort', closeAll, { once: true });
      try {
        await spec.run({
          partition: spec.partition,
          signal,
          from: async (...given) => {
            const partition = await this.openToRead(spec, ...given);
            open.add(partition);
            if (signal.aborted) closeAll();
            return partition;
          },
        });
      } catch (error) {
        if (signal.aborted || error instanceof Fenced)
          this.logger.debug(`${name} was read until: ${(error as Error).message}`);
        else this.logger.error(`${name} failed and is read again: ${(error as Error).stack ?? String(error)}`);
      } finally {
        signal.removeEventListener('abort', closeAll);
        await Promise.all([...open].map((partition) => partition.close()));
      }
      if (performance.now() - startedAt > BACK_OFF_MS.most) waitMs = BACK_OFF_MS.first; // it had worked for a while
      await delay(waitMs, signal);
    }
  }

  partitionsOf(topic: string): number {
    const count = this.options.partitions[topic];
    if (count === undefined) throw new RangeError(`no topic ${topic}`);
    return count;
  }

  /** Rows or records that wait for each owner of this process, by `<consumer>/<partition>`. */
  abstract lags(): ReadonlyMap<string, number>;

  /** Opens the reading side of a partition that was just taken. */
  protected abstract open(spec: OwnSpec, ownership: Ownership, abort: AbortController): Promise<OpenPartition>;

  own(spec: OwnSpec): Handle {
    if (spec.partition < 0 || spec.partition >= this.partitionsOf(spec.topic))
      throw new RangeError(`${spec.topic} has no partition ${spec.partition}`);
    return this.hold({
      consumer: spec.consumer,
      partition: spec.partition,
      database: spec.database,
      before: (stopping) => this.checkPartitions(spec, stopping),
      standby: () => spec.standby?.(),
      work: async (ownership, abort) => {
        const partition = await this.open(spec, ownership, abort);
        try {
          await spec.run(partition);
        } finally {
          abort.abort(new Fenced(`${spec.consumer}/${spec.partition}: epoch ${ownership.epoch} has ended`));
          await partition.close();
        }
      },
    });
  }

  /** Takes a partition again and again, and works while it is held. */
  protected hold(spec: HoldSpec): Handle {
    const key = `${spec.database.schema}:${spec.consumer}/${spec.partition}`;
    if (this.loops.has(key)) throw new Error(`${key} is owned in this process already`);
    const stopping = new AbortController();
    const ended = this.loop(spec, stopping.signal);
    const handle = {
      stop: async () => {
        stopping.abort();
        const waited = new AbortController();
        await Promise.race([ended.finally(() => waited.abort()), delay(STOP_MS_MAX, waited.signal)]);
        this.loops.delete(key);
      },
    };
    this.loops.set(key, handle);
    return handle;
  }

  /** Stops all owners of this process and frees their partitions. */
  async close(): Promise<void> {
    await Promise.all([...this.loops.values(), ...this.reads].map((handle) => handle.stop()));
  }

  private async loop(spec: HoldSpec, stopping: AbortSignal): Promise<void> {
    const name = `${spec.consumer}/${spec.partition}`;
    const shares = this.sharesOf(spec);
    shares.want();
    await spec.before?.(stopping);
    await this.takeAndWork(spec, shares, stopping);
    try {
      await shares.unwant();
    } catch (error) {
      this.logger.warn(`${name} was not taken off the list of members: ${(error as Error).message}`);
    }
  }

  private async takeAndWork(spec: HoldSpec, shares: Shares, stopping: AbortSignal): Promise<void> {
    const name = `${spec.consumer}/${spec.partition}`;
    let waitMs = BACK_OFF_MS.first;
    while (!stopping.aborted) {
      let ownership: Ownership | null;
      try {
        ownership = !(await shares.mayTake())
          ? null
          : await Ownership.take(spec.database, spec.consumer, spec.partition, this.options.instance);
      } catch (error) {
        this.logger.warn(`${name} could not be taken: ${(error as Error).message}`);
        await delay(waitMs, stopping);
        waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most);
        continue;
      }
      if (!ownership) {
        spec.standby?.();
        await delay(TAKE_AGAIN_MS, stopping);
        continue;
      }
      const startedAt = performance.now();
      const failed = await this.runOnce(spec, ownership, shares, stopping);
      if (performance.now() - startedAt > BACK_OFF_MS.most) waitMs = BACK_OFF_MS.first; // it had worked for a while
      if (failed && !stopping.aborted) {
        await delay(waitMs, stopping);
        waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most);
      }
    }
  }

  private async runOnce(spec: HoldSpec, ownership: Ownership, shares: Shares, stopping: AbortSignal): Promise<boolean> {
    const name = `${spec.consumer}/${spec.partition}`;
    const abort = new AbortController();
    const onStop = (): void => abort.abort(new Fenced(`${name}: the process stops`));
    stopping.addEventListener('abort', onStop, { once: true });
    if (stopping.aborted) onStop();
    const release = this.keeperOf(spec.database).keep(ownership, (reason) =>
      abort.abort(new Fenced(`${name}: ${reason}`)),
    );
    let failed = false;
    let givenUp = false;
    shares.hold(spec.partition, (reason) => {
      givenUp = true;
      abort.abort(new Fenced(`${name}: ${reason}`));
    });
    try {
      await spec.work(ownership, abort);
    } catch (error) {
      failed = !givenUp;
      if (error instanceof Fenced || abort.signal.aborted)
        this.logger.debug(`${name} epoch ${ownership.epoch} ended: ${(error as Error).message}`);
      else this.logger.error(`${name} failed and loads again: ${(error as Error).stack ?? String(error)}`);
    } finally {
      abort.abort(new Fenced(`${name}: epoch ${ownership.epoch} has ended`));
      stopping.removeEventListener('abort', onStop);
      release();
      shares.drop(spec.partition);
      try {
        if (stopping.aborted || givenUp) await ownership.free();
      } catch (error) {
        this.logger.warn(`${name} was not freed, its lease runs out by itself: ${(error as Error).message}`);
      }
    }
    return failed;
  }

  /** The number of partitions is fixed at install: another one would send a user's commands to another writer. */
  private async checkPartitions({ database, topic }: OwnSpec, stopping: AbortSignal): Promise<void> {
    const count = this.partitionsOf(topic);
    for (;;) {
      try {
        const installed = await database.tables.facts.claim(`partitions:${topic}`, String(count));
        if (installed === String(count)) return;
        const reason =
          `${topic} was installed with ${installed} partitions and is configured with ${count}: the ` +
          'number is fixed at install, because it says which writer has whose money.';
        this.options.alarms.raise(`partitions:${topic}`, reason);
        this.options.onFatal?.(reason);
        await new Promise<void>((resolve) => {
          stopping.addEventListener('abort', () => resolve(), { once: true });
        });
        return;
      } catch (error) {
        this.logger.warn(`partitions of ${topic} could not be checked: ${(error as Error).message}`);
        await delay(BACK_OFF_MS.most, stopping);
        if (stopping.aborted) return;
      }
    }
  }

  private sharesOf({ database, consumer }: HoldSpec): Shares {
    const byConsumer = this.shares.get(database) ?? new Map<string, Shares>();
    this.shares.set(database, byConsumer);
    let shares = byConsumer.get(consumer);
    if (!shares) byConsumer.set(consumer, (shares = new Shares(database, consumer, this.options.instance)));
    return shares;
  }

  private keeperOf(database: Database): LeaseKeeper {
    let keeper = this.keepers.get(database);
    if (!keeper) this.keepers.set(database, (keeper = new LeaseKeeper(database)));
    return keeper;
  }

  consume(spec: ConsumeSpec): Handle {
    return this.ownAll(spec, spec.partitions, (owned) => this.consumeOwned(spec, owned));
  }

  follow(spec: FollowSpec): Handle {
    // Beyond one ownership: what is not noted yet comes again with the next one.
    const taken = new Map<string, number>();
    return this.ownAll(spec, undefined, (owned) => this.followOwned(spec, owned, taken));
  }

  private ownAll(
    { consumer, topic, database }: Pick<ConsumeSpec, 'consumer' | 'topic' | 'database'>,
    given: readonly number[] | undefined,
    run: OwnSpec['run'],
  ): Handle {
    const partitions = given ?? Array.from({ length: this.partitionsOf(topic) }, (_, partition) => partition);
    const handles = partitions.map((partition) => this.own({ consumer, topic, partition, database, run }));
    return {
      stop: async () => {
        await Promise.all(handles.map((handle) => handle.stop()));
      },
    };
  }

  private async followOwned(spec: FollowSpec, owned: OwnedPartition, taken: Map<string, number>): Promise<void> {
    let waiting: Delivery[] = [];
    let due = Promise.resolve();
    let taking: Promise<readonly Delivery[]> | undefined;
    try {
      for (;;) {
        taking ??= owned.take(BATCH_MESSAGES);
        const batch = await (waiting.length === 0 ? taking : Promise.race([taking, due]));
        if (batch) {
          taking = undefined;
          if (waiting.length === 0) due = delay(NOTED_AFTER_MS, owned.signal);
          waiting.push(...batch);
          await spec.take(batch.filter((delivery) => isNew(delivery, taken)).flatMap(messagesOf));
        } else {
          const noted = waiting;
          waiting = [];
          await spec.database.transaction((tx) => owned.advance(tx, noted), { relaxed: true, atOnce: true });
        }
      }
    } finally {
      taking?.catch(() => undefined); // nobody waits for it any more: it rejects when ownership ends
    }
  }

  private async consumeOwned(spec: ConsumeSpec, owned: OwnedPartition): Promise<void> {
    for (;;) {
      const batch = await owned.take(BATCH_MESSAGES);
      try {
        await spec.database.transaction(
          async (tx) => {
            await spec.handle(
              batch.flatMap((delivery) => messagesFor(spec, delivery)),
              tx,
            );
            await owned.advance(tx, batch);
          },
          { relaxed: spec.relaxed ?? false },
        );
      } catch (error) {
        if (error instanceof Fenced || isTransient(error)) throw error;
        this.logger.warn(
          `${spec.consumer} failed on a batch, its messages are tried one by one: ${(error as Error).message}`,
        );
        for (const delivery of batch) await this.consumeOne(spec, owned, delivery);
      }
      if (spec.gatherMs !== undefined) await delay(spec.gatherMs);
    }
  }

  /**
   * One delivery, each message in a part of its own: what fails again and again in the same way becomes a dead letter.
   */
  private async consumeOne(spec: ConsumeSpec, owned: OwnedPartition, delivery: Delivery): Promise<void> {
    const failures = new Map<number, { error: string; times: number }>();
    for (let waitMs = BACK_OFF_MS.first; ; waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most)) {
      try {
        await spec.database.transaction(
          async (tx) => {
            for (const [index, message] of messagesOf(delivery).entries())
              await this.consumeMessage(spec, tx, delivery, message, index, failures);
            await owned.advance(tx, [delivery]);
          },
          { relaxed: spec.relaxed ?? false },
        );
        return;
      } catch (error) {
        if (error instanceof Fenced || isTransient(error) || owned.signal.aborted) throw error;
        await delay(waitMs, owned.signal);
      }
    }
  }

  private async consumeMessage(
    spec: ConsumeSpec,
    tx: Tx,
    delivery: Delivery,
    message: Message,
    index: number,
    failures: Map<number, { error: string; times: number }>,
  ): Promise<void> {
    const known = failures.get(index);
    if (known && known.times >= POISON_TRIES) {
      const [stream, number] = delivery.kind === 'row' ? [delivery.row.stream, delivery.row.number] : ['', 0];
      await spec.database.tables.facts.deadLetter(tx, {
        consumer: spec.consumer,
        stream,
        number,
        message: JSON.stringify(message),
        error: known.error,
      });
      tx.afterCommit(() =>
        this.options.alarms.raise(
          `dead-letter:${spec.consumer}`,
          `a ${message.type} of ${stream} #${number} cannot be applied: ${known.error}`,
        ),
      );
      return;
    }
    try {
      mustBeAllowed(spec, delivery, message);
      await tx.savepoint(() => spec.handle([message], tx));
    } catch (error) {
      if (!isTransient(error)) {
        const text = (error as Error).message;
        failures.set(index, { error: text, times: known?.error === text ? known.times + 1 : 1 });
      }
      throw error;
    }
  }
}

/** Whether a row was not taken before; from here on it was. */
function isNew(delivery: Delivery, taken: Map<string, number>): boolean {
  if (delivery.kind !== 'row') return true;
  const { stream, number } = delivery.row;
  if (number <= (taken.get(stream) ?? 0)) return false;
  taken.set(stream, number);
  return true;
}

/** The messages of a delivery, all of them such as their author may write. */
function messagesFor(spec: ConsumeSpec, delivery: Delivery): readonly Message[] {
  const messages = messagesOf(delivery);
  if (spec.refuses) for (const message of messages) mustBeAllowed(spec, delivery, message);
  return messages;
}

function mustBeAllowed({ refuses }: ConsumeSpec, { author }: Delivery, message: Message): void {
  if (author !== undefined && refuses?.(message, author))
    throw new Error(`${author} may not write a ${message.type} with the key ${message.key}`);
}

function messagesOf(delivery: Delivery): readonly Message[] {
  return delivery.kind === 'row' ? delivery.messages : [delivery.message];
}

/** Resolves after the time, or at once when the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
