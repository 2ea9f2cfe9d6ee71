import { Unavailable, type ServiceName } from '@bourse/platform';
import type { DirectTopic, LedgerReply, Message, ReferenceKind } from '@bourse/events';
import type { Database, Tx } from '@bourse/persistence';
import type { OutboxRow } from '@bourse/persistence';
import type { Ask } from './asks/define.js';

/**
 * A delivery to the consumer of a partition: a numbered row of a stream, or a direct command of an edge. `author` is
 * the service that has proven to have written it; absent in the embedded run, where all are one process.
 */
export type Delivery =
  | {
      readonly kind: 'row';
      readonly row: OutboxRow;
      readonly messages: readonly Message[];
      readonly author?: ServiceName;
      /** When the log got it, ms; absent within one process. */
      readonly at?: number;
    }
  | {
      readonly kind: 'command';
      readonly message: Message;
      readonly offset: string | null;
      readonly author?: ServiceName;
      /** No owner was given it before, in this process or another. Absent where the log cannot know it. */
      readonly isFirst?: true;
    };

/** A partition this process owns, until it does not. Everything that changes state commits through `advance`. */
export interface OwnedPartition {
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly epoch: number;
  /** Aborted when ownership is lost or the process stops. */
  readonly signal: AbortSignal;
  /**
   * Waits for messages, then returns the gathered ones, at most `max`. Rows come in number order: repeats dropped,
   * holes fetched or the stream stopped with an alarm. Rejects with `Fenced` when ownership is lost.
   */
  take(max: number): Promise<readonly Delivery[]>;
  /**
   * Last statements of the consumer's transaction: compare-and-set on epoch and positions. Throws `Fenced` on zero
   * rows.
   */
  advance(tx: Tx, deliveries: readonly Delivery[]): Promise<void>;
  /**
   * A row cannot be applied: stops its stream with an alarm, nothing else. Leave that row and what follows of its
   * stream out of `advance`.
   */
  stopStream(stream: string, number: number, reason: string): void;
}
/** Ownership was lost: roll back, drop memory, leave. */
export class Fenced extends Error {}

export interface OwnSpec {
  /** Name of the consumer, e.g. `ledger.writer`; positions are rows of its schema under this name. */
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly database: Database;
  /**
   * Runs each time ownership is taken: load state, then loop over `take` until it rejects. A throw means: back off (50
   * ms to 2 s), take again, load again.
   */
  readonly run: (owned: OwnedPartition) => Promise<void>;
  /** Deliveries wait for a moment after a commit, to share the next one. */
  readonly rests?: true;
  /** Pause after records were fetched from Kafka, so that the next fetch brings what gathers meanwhile. */
  readonly fetchPauseMs?: number | undefined;
  /** Called repeatedly while another instance owns the partition and this one is on standby. */
  readonly standby?: () => void;
}
export interface ConsumeSpec {
  readonly consumer: string;
  readonly topic: string;
  readonly database: Database;
  readonly partitions?: readonly number[];
  /**
   * The position and what it writes need not be on disk before the batch counts as done (`TransactionOptions.relaxed`):
   * for views that send nothing.
   */
  readonly relaxed?: boolean;
  /**
   * After a batch, what comes within this time is taken together: a view need not commit for each message. The first
   * one after a silence does not wait.
   */
  readonly gatherMs?: number;
  /**
   * Gathers only while batches follow each other closely. What comes now and then is read at once: for sums that must
   * be complete when the business clock moves on.
   */
  readonly gatherWhen?: 'busy';
  /**
   * Whether a message may not come from its author: in a topic that many services write, each may only write its own
   * messages. A refused one becomes a dead letter. Not called where the author is not known, within one process.
   */
  readonly refuses?: (message: Message, author: ServiceName) => boolean;
  /** One transaction per batch, the position included. A throw rolls back the batch, which is delivered again. */
  readonly handle: (messages: readonly Message[], tx: Tx) => Promise<void>;
}
export interface FollowSpec extends Pick<ConsumeSpec, 'consumer' | 'topic' | 'database'> {
  /** Takes new messages into memory; the next ones wait for it. It must not fail. */
  readonly take: (messages: readonly Message[]) => void | Promise<void>;
}

/** Receives the messages of a topic, from a little before now on. */
export interface WatchSpec {
  /** Name of the watcher, for alarms and lags. */
  readonly consumer: string;
  readonly topic: string;
  /** Called with messages as they arrive, in the order of their streams. It must not fail. */
  readonly take: (messages: readonly Message[]) => void;
}

/**
 * The position of a reader of a whole partition: another process that continues from there reads the same, in order.
 */
export interface LogMark {
  /** Offset of the record that comes next; null: the beginning of the log. */
  readonly offset: string | null;
  /** The last row taken of each stream; null as a hash: the next row's value is trusted. */
  readonly positions: ReadonlyMap<string, { readonly number: number; readonly hash: string | null }>;
}
/** A partition that a process reads for itself, beside all other readers of it. */
export interface ReadPartition {
  /** As `OwnedPartition.take`. Rejects with `LogReplaced` when the log begins again, `Fenced` when reading ends. */
  take(max: number): Promise<readonly Delivery[]>;
  /** The position after all that `take` has returned. */
  mark(): LogMark;
  /** Whether all that the log had when reading began has been returned. */
  caughtUp(): boolean;
  close(): Promise<void>;
}
export interface Reading {
  readonly partition: number;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  /** Opens the partition at a mark. With `quiet` a stream that stops raises no alarm: nothing depends on it. */
  from(mark: LogMark, options?: { readonly quiet?: boolean }): Promise<ReadPartition>;
}
export interface ReadSpec {
  /** Name of the readers, for alarms and lags. */
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  /** Runs until reading ends; again, after a pause, when it throws. */
  readonly run: (reading: Reading) => Promise<void>;
}
/** The log was replaced: emptied, or filled again. Earlier offsets are void. */
export class LogReplaced extends Fenced {}

/** The log (architecture §3): in process, or Kafka. The relay alone sends rows. */
export abstract class Log {
  /** Whether several processes read it: then each can `read` all of a topic, in the same order. */
  abstract readonly shared: boolean;
  abstract own(spec: OwnSpec): { stop(): Promise<void> };
  /** For views and copies: owns all partitions of the topic that this instance gets and calls `handle` per batch. */
  abstract consume(spec: ConsumeSpec): { stop(): Promise<void> };
  /**
   * For what is kept in memory only: each message is taken at once, and once in this process; the position is noted
   * later, so that another process, or this one restarted, takes the last moments again.
   */
  abstract follow(spec: FollowSpec): { stop(): Promise<void> };
  /**
   * For state that every process keeps of the whole topic: the partition has no owner, and only the reader itself
   * stores a position. Only where the log is shared.
   */
  abstract read(spec: ReadSpec): { stop(): Promise<void> };
  /**
   * For topics of which only the latest message counts: each process gets the whole topic as it comes, and no position
   * is stored. Messages sent while this process was away are skipped, except those of the last moments; after a fault
   * messages may be skipped or come twice.
   */
  abstract watch(spec: WatchSpec): { stop(): Promise<void> };
  /**
   * Sends a direct command to the writer of a partition; resolves when the log has it. Rejects with `LogUnavailable`
   * when the log does not accept it within 2 s.
   */
  abstract send(topic: DirectTopic, partition: number, message: Message): Promise<void>;
  abstract partitionsOf(topic: string): number;
}
/** The command was not sent: nothing will happen. */
export class LogUnavailable extends Unavailable {}

/**
 * Answers of writers to waiting callers. A lost answer costs time, never an outcome: from 300 ms on the waiter also
 * polls the stored answer.
 */
export abstract class Replies {
  /** Name of this process on the reply channel; goes into `replyTo`. */
  abstract readonly instance: string;
  abstract publish(replyTo: string, reply: LedgerReply): void;
  /**
   * Registers first, then call `send`. Resolves null at the timeout. `poll` reads the stored answer. With `bodyHash`,
   * replies to the same id with another body are not for this caller.
   */
  abstract wait(
    commandId: string,
    timeoutMs: number,
    poll?: () => Promise<LedgerReply | null>,
    bodyHash?: string | null,
  ): Promise<LedgerReply | null>;
}

/**
 * Views: sent after the commit, no outbox, may be lost; a kept value is there for late readers. In process, or Redis
 * pub/sub.
 */
export abstract class Views {
  /** Publishes to subscribers; with `keep`, also stores it as the channel's last value. */
  abstract publish(channel: string, payload: object, keep?: boolean): void;
  /** Exact channel or prefix ending in `/`. Calls back at once with kept values that match. Returns the unsubscribe. */
  abstract subscribe(channelOrPrefix: string, receive: (payload: never, channel: string) => void): () => void;
  abstract kept<T>(channel: string): Promise<T | null>;
  /**
   * Calls back when the connections are ready, the first time and again: messages may have been missed, and kept values
   * lost. A publisher that rarely publishes a kept value publishes it again. Never in process.
   */
  abstract onGap(listener: () => void): void;
}

/**
 * Questions between services (architecture §3): direct call in the embedded run, internal HTTP otherwise. 2 s, then
 * `AskUnavailable`.
 */
export abstract class Asks {
  /** Answers a question. Services do not call it: the transport does, for each method with `@Answers`. */
  abstract handle<Q, A>(ask: Ask<Q, A>, answer: (question: NoInfer<Q>) => A | Promise<A>): void;
  abstract ask<Q, A>(ask: Ask<Q, A>, question: NoInfer<Q>, timeoutMs?: number): Promise<A>;
}
/** No service answered in time, or the answer was a failure. */
export class AskUnavailable extends Unavailable {}

/** A count in its window. `alone`: the other processes' counts could not be read, so the true count may be larger. */
export interface Counted {
  readonly count: number;
  readonly resetsInMs: number;
  readonly alone?: boolean;
}
/** Counters with expiry for rates: in memory, or Redis with one Lua script (`INCR` + `PEXPIRE`). */
export abstract class Counters {
  /** Adds one, or `times`; returns the count in the current window and when the window ends. */
  abstract hit(key: string, windowMs: number, times?: number): Promise<Counted>;
}

/**
 * Marks that all instances of a process see and that expire by themselves: in memory, or Redis. No decision depends on
 * them: they only show that something was begun lately, somewhere.
 */
export abstract class Marks {
  /** Leaves a mark and does not wait until others see it. */
  abstract leave(name: string, keptMs: number): void;
  /** The first of these names that is marked; null: none is; undefined: unknown now. */
  abstract find(names: readonly string[]): Promise<string | null | undefined>;
}

/**
 * Copy of the reference data a service reads (catalog, modes, settings), kept in its own schema and in memory. Not
 * ready before the first rows came.
 */
export abstract class Reference {
  abstract all<T>(kind: ReferenceKind): readonly T[];
  abstract get<T>(kind: ReferenceKind, id: string): T | undefined;
  abstract onChange(listener: (kind: string, id: string) => void): void;
  abstract ready(): Promise<void>;
}
