import type { Log } from '@bourse/messaging';
import type { MemoryDatabase, MemoryServer } from '@bourse/persistence/memory';
import type { CallContext, Clock, Notice } from '@bourse/platform';
import type { Sagas } from './sagas.js';

/** Draws of a seed. */
export interface SimulatedDraws {
  /** 0 ≤ value < n. */
  int(n: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** What a simulated process gives a product in place of PostgreSQL, the log and the machine. */
export interface SimulatedHost {
  /** The product's schema on the server in memory. */
  readonly database: MemoryDatabase;
  readonly sagas: Sagas;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: SimulatedDraws;
}

/** A call that a client makes, under one command id however often it repeats it. */
export interface SimulatedCall<Running> {
  /** Its name and fields, for the checks. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** The use case that the controller calls. */
  readonly run: (running: Running, context: CallContext) => Promise<Notice>;
}

/** What a client was told of its call, in the order of the answers. `nothing`: surely not done. */
export interface SimulatedAnswers {
  readonly user: number;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly told: readonly (
    | { readonly kind: 'ok'; readonly id: string }
    | { readonly kind: 'refused'; readonly key: string }
    | { readonly kind: 'nothing' | 'unknown' }
  )[];
}

/** What is stored when all is quiet. */
export interface SimulatedEnd {
  readonly server: Pick<MemoryServer, 'rows' | 'row'>;
  /** All calls of the clients. */
  readonly calls: readonly SimulatedAnswers[];
}

/**
 * The part of a service in the simulation (docs/proofs/simulation.md): its own use cases over stores in memory, calls
 * of clients, and its invariants. `src/simulation.ts` of a service whose manifest says `"simulation": "product"`
 * exports it as `PRODUCT`. Sagas, deadlines, streams, pushes and alarms are judged for every product alike.
 */
export interface SimulatedProduct<Running> {
  /** As in its manifest. */
  readonly service: string;
  readonly schema: string;
  /** Composes the product in a process that starts: begins its timers. */
  start(host: SimulatedHost): Running;
  /** Money that each person begins with is there in `currencies`; `known` are the ids that earlier calls were told. */
  draw(random: SimulatedDraws, user: number, known: readonly string[]): SimulatedCall<Running>;
  /** Holds that its objects need in the ledger, in units (scale of the currency) by name. */
  holds(server: SimulatedEnd['server']): ReadonlyMap<string, bigint>;
  /** What is wrong when all is quiet, each with the invariant that it breaks. */
  check(end: SimulatedEnd): readonly string[];
}
/** A product whose parts the simulator passes on without looking at them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnySimulatedProduct = SimulatedProduct<any>;
