import type { RecordSeal } from '../seal/record-seal.js';

/** Receives the faults of a Kafka partition while it is read. */
export interface PartitionEvents {
  /** A stream stopped before this number. */
  stopped(stream: string, number: number, reason: string): void;
  /** A stopped stream continues: the missing row was sent again. */
  resumed(stream: string): void;
  /** Whether the consumer has not polled for too long. */
  silent(silent: boolean): void;
  /** The consumer failed and is being replaced. */
  trouble(what: string): void;
  /** A record was skipped because it is not a command. */
  refused(what: string): void;
  /** Verifies the author of each record; absent: records are not verified. */
  readonly seal?: RecordSeal;
  /** A record was dropped because its signature is missing or wrong. */
  forged(what: string): void;
  /** Nothing can be read any more: the process must end. */
  fatal(reason: string): void;
  /** The log begins again, and reading ends; absent: it is read from its beginning. */
  replaced?(why: string): void;
}
