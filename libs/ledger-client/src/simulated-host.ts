import type { Asks, Log, Reference, Replies, Views } from '@bourse/messaging';
import type { MemoryDatabase, MemoryServer } from '@bourse/persistence/memory';
import type { Alarms, Clock, Config, Metrics } from '@bourse/platform';
import type { Sagas } from './sagas.js';

/** Draws of a seed: the only randomness that there is. */
export interface SimulatedDraws {
  /** 0 ≤ value < 1. */
  next(): number;
  between(from: number, to: number): number;
  /** A whole number, 0 ≤ value < n. */
  int(n: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** The setup shared by all processes of one simulated exchange. */
export interface SimulatedSetup {
  readonly reference: Reference;
  readonly config: Config;
}

/** The replacements that a simulated process provides for PostgreSQL, the log and the machine. */
export interface SimulatedHost extends SimulatedSetup {
  /** The service's schema on the server in memory. */
  readonly database: MemoryDatabase;
  /** They start once the service is composed, if it says that it has `sagas`. */
  readonly sagas: Sagas;
  readonly log: Log;
  readonly replies: Replies;
  readonly views: Views;
  readonly asks: Asks;
  readonly clock: Clock;
  readonly alarms: Alarms;
  readonly metrics: Metrics;
  readonly random: SimulatedDraws;
  /** The service that people use most in this run; undefined: they use all equally. */
  readonly crowd: string | undefined;
  /** The service whose accounts of the house run dry in this run; undefined: none. */
  readonly dry: string | undefined;
}

/** Committed rows of all schemas. */
export type SimulatedTables = Pick<MemoryServer, 'rows' | 'row' | 'entries'>;

/** The exchange as it is at one instant, seen from outside. */
export interface SimulatedView<Running> extends SimulatedSetup {
  readonly server: SimulatedTables;
  /** Last values of the views, by channel. */
  readonly views: ReadonlyMap<string, object>;
  /** The service in each process that runs it and is alive. */
  readonly running: readonly Running[];
}
