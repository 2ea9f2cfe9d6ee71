import { Logger } from '@nestjs/common';
import type { Alarms } from '@bourse/platform';
import type { Ownership } from '../ownership/ownership.js';
import { describeFailure, OwnerLoops, type HoldSpec } from '../ownership/owner-loops.js';
import {
  Fenced,
  Log,
  type ConsumeSpec,
  type FollowSpec,
  type OwnedPartition,
  type OwnSpec,
  type ReadPartition,
  type ReadSpec,
} from '../ports.js';
import type { Handle } from './background-loop.js';
import { BatchConsumer, fetchPauseOf } from './batch-consumer.js';
import { BACK_OFF_MS, delay } from './delay.js';
import { followPartition } from './follower.js';
import { PartitionReads, type OpenToRead } from './partition-reads.js';
import { RestingPartition } from './resting-partition.js';

/** The largest added delay of private events; under full load many of them share a fetch. Ms. */
const FOLLOW_PAUSE_MS = 15;

export interface LogOptions {
  /** Name of this process: owner of partitions. */
  readonly instance: string;
  /** Partitions of each topic, fixed at install. */
  readonly partitions: Readonly<Record<string, number>>;
  readonly alarms: Alarms;
  /** Called with a fault that only a person can repair: the process must end and report it. */
  readonly onFatal?: (reason: string) => void;
}

/** The partition that a kind of log opens for an owner; closed when ownership ends. */
export interface OpenPartition extends OwnedPartition {
  close(): Promise<void>;
}

/** The common parts of both logs: owners of partitions, readers of partitions, consumers and followers of topics. */
export abstract class BaseLog extends Log {
  protected readonly logger = new Logger('Log');
  private readonly owners: OwnerLoops;
  private readonly reads: PartitionReads;

  constructor(protected readonly options: LogOptions) {
    super();
    this.owners = new OwnerLoops(options.instance, this.logger);
    this.reads = new PartitionReads((spec, ...from) => this.openToRead(spec, ...from), this.logger);
  }

  abstract readonly shared: boolean;

  /** Rows or records that wait for each owner of this process, by `<consumer>/<partition>`. */
  abstract lags(): ReadonlyMap<string, number>;

  /** Opens the reading side of a partition that was just taken. */
  protected abstract open(spec: OwnSpec, ownership: Ownership, abort: AbortController): Promise<OpenPartition>;

  /** Opens a partition for a reader that owns nothing. */
  protected abstract openToRead(...given: Parameters<OpenToRead>): Promise<ReadPartition>;

  partitionsOf(topic: string): number {
    const count = this.options.partitions[topic];
    if (count === undefined) throw new RangeError(`no topic ${topic}`);
    return count;
  }

  read(spec: ReadSpec): Handle {
    return this.reads.start(spec);
  }

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
          await spec.run(spec.rests ? new RestingPartition(partition) : partition);
        } catch (error) {
          // Evaluated before the ownership ends here, because an error after its end is no failure of the work.
          if (!abort.signal.aborted && !(error instanceof Fenced))
            this.logger.error(describeFailure(`${spec.consumer}/${spec.partition}`, error));
          throw error;
        } finally {
          abort.abort(new Fenced(`${spec.consumer}/${spec.partition}: epoch ${ownership.epoch} has ended`));
          await partition.close();
        }
      },
    });
  }

  consume(spec: ConsumeSpec): Handle {
    const { consumer, topic, database, partitions } = spec;
    const batches = new BatchConsumer(spec, this.options.alarms, this.logger);
    const run: OwnSpec['run'] = (owned) => batches.run(owned);
    return this.ownAll({ consumer, topic, database, fetchPauseMs: fetchPauseOf(spec), run }, partitions);
  }

  follow(spec: FollowSpec): Handle {
    // Outlives an ownership: messages without a stored position are delivered again to the next one.
    const taken = new Map<string, number>();
    const { consumer, topic, database } = spec;
    const run: OwnSpec['run'] = (owned) => followPartition(spec, owned, taken);
    return this.ownAll({ consumer, topic, database, fetchPauseMs: FOLLOW_PAUSE_MS, run });
  }

  /** Takes a partition again and again, and works while it is held. */
  protected hold(spec: HoldSpec): Handle {
    return this.owners.start(spec);
  }

  /** Stops all owners and readers of this process and frees their partitions. */
  async close(): Promise<void> {
    await Promise.all([...this.owners.handles(), ...this.reads.handles()].map((handle) => handle.stop()));
  }

  private ownAll(spec: Omit<OwnSpec, 'partition'>, given?: readonly number[]): Handle {
    const partitions = given ?? Array.from({ length: this.partitionsOf(spec.topic) }, (_, partition) => partition);
    const handles = partitions.map((partition) => this.own({ ...spec, partition }));
    return {
      stop: async () => {
        await Promise.all(handles.map((handle) => handle.stop()));
      },
    };
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
}
