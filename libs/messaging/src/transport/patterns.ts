import type { InjectionToken } from '@nestjs/common';
import type { decode, Message } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { ServiceName } from '@bourse/platform';
import type { ConsumeSpec, OwnSpec } from '../ports.js';

/** A kind of message, as `libs/events` defines it. */
type Definition = Parameters<typeof decode>[0];

/** Data that a consumer waits for before it takes messages, such as the currencies of the catalog. */
export interface Awaited {
  ready(): Promise<void>;
}

/** The consumer, and the database that its position is written to. */
export interface ConsumerOf {
  /** Name of the consumer, e.g. `market.trades`; positions are rows of its schema under this name. Never changed. */
  readonly consumer: string;
  /** Injection token of the service's database. */
  readonly database: InjectionToken;
  /** Injection tokens of what must be `ready()` before anything is taken. */
  readonly after?: readonly InjectionToken[];
}

type PartitionOptions = Pick<OwnSpec, 'rests'>;
type BatchOptions = Pick<ConsumeSpec, 'relaxed' | 'gatherMs' | 'gatherWhen' | 'refuses'>;

/** How a handler of events takes what its topic carries. */
export type Delivered = ConsumerOf &
  (
    | ({ readonly as: 'batches' } & BatchOptions)
    | ({ readonly as: 'bodies'; readonly definition: Definition } & BatchOptions)
    | { readonly as: 'memory' }
    | ({ readonly as: 'partitions' } & PartitionOptions)
  );

/** The extras of a pattern of events: the data that Nest passes to the transport beside the pattern. */
export interface EventExtras {
  readonly delivered: Delivered;
}
/** The extras of the handler that is called for partitions which another instance owns. */
export interface StandbyExtras {
  readonly standbyOf: string;
}
/** The extras of the handler that reads a whole topic where several processes share the log. */
export interface ReaderExtras {
  readonly readerOf: string;
}
/** The extras of a pattern of asks: which services may ask from another process. Without it none may. */
export interface AskExtras {
  readonly askedBy: readonly ServiceName[];
}

/**
 * The payload is a `MessageBatch`: all that has gathered, for what works faster in batches. What the handler throws
 * rolls back the batch, which is delivered again; a message that keeps failing alone becomes a dead letter.
 */
export const batches = (spec: ConsumerOf & BatchOptions): EventExtras => ({ delivered: { as: 'batches', ...spec } });

/**
 * The payload is a `MessageBody` of this kind, read by its schema; messages of other kinds are passed over. Errors are
 * as with `batches`: a body that does not fit its schema becomes a dead letter.
 */
export const bodies = (definition: Definition, spec: ConsumerOf & BatchOptions): EventExtras => ({
  delivered: { as: 'bodies', definition, ...spec },
});

/**
 * The payload is the new messages, `readonly Message[]`, to be taken into memory at once: the position is stored later.
 * The handler may not fail.
 */
export const inMemory = (spec: ConsumerOf): EventExtras => ({ delivered: { as: 'memory', ...spec } });

/**
 * The payload is a partition that this process now owns (`OwnedPartition`), a source of batches: the handler loads its
 * state, takes and commits batch after batch, and ends when ownership does. For writers that keep their state in
 * memory. Called again each time ownership is taken. A second handler, with `standby`, is called for those that another
 * instance owns.
 */
export const ownedPartitions = (spec: ConsumerOf & PartitionOptions): EventExtras => ({
  delivered: { as: 'partitions', ...spec },
});

/** The payload is the number of a partition that another instance owns; called repeatedly. */
export const standby = (consumer: string): StandbyExtras => ({ standbyOf: consumer });

/**
 * The payload is a `Reading` of a partition: where several processes share the log, this handler of each of them reads
 * all of the topic, and the handler with `inMemory` of the same consumer gets nothing. Called again each time reading
 * has ended.
 */
export const readByAll = (consumer: string): ReaderExtras => ({ readerOf: consumer });

/** The payload of `batches`: the gathered messages, in order, and the transaction in which the position moves. */
export interface MessageBatch {
  readonly messages: readonly Message[];
  readonly tx: Tx;
}
/** The payload of `bodies`: the body of one message, and the transaction in which the position moves. */
export interface MessageBody<Body> {
  readonly body: Body;
  readonly tx: Tx;
}
