import type { LedgerReply, Message, ReferenceKind } from '@bourse/events';
import type { Config } from '@bourse/platform';
import type {
  SimulatedAct,
  SimulatedAnswers,
  SimulatedCall,
  SimulatedOperator,
  SimulatedHouseAccount,
  SimulatedIntent,
  SimulatedIntentKind,
} from './simulated-clients.js';
import type { SimulatedDraws, SimulatedHost, SimulatedView, SimulatedTables } from './simulated-host.js';

/** A journal that the ledger keeps. */
export interface SimulatedJournal {
  readonly id: string;
  readonly causeType: string;
  readonly causeId: string;
}
/** Units of a currency gained or lost by an object: a person's id, or an account of the house. */
export interface SimulatedMove {
  readonly whose: number | string;
  readonly currency: number;
  readonly units: bigint;
}

/** The stored state when all is quiet, and the answers that people got. */
export interface SimulatedEnd<Running = unknown> extends SimulatedView<Running> {
  readonly users: readonly number[];
  /** The calls of `draw`. */
  readonly calls: readonly SimulatedAnswers[];
  /** All intents of all people, in the order in which they had them. */
  readonly intents: readonly SimulatedIntent[];
  /** The sums of `holds`, `moves` and `journals` over all services. */
  readonly holds: ReadonlyMap<string, bigint>;
  readonly moves: readonly SimulatedMove[];
  readonly journals: readonly SimulatedJournal[];
  /** The messages of one row of a stream, whichever service has written it. */
  sent(stream: string, number: number): readonly Message[];
  /** The result of `checkpoint`. */
  readonly checkpoint: unknown;
}

/** Sees each commit as it happens. */
export interface SimulatedWatch {
  /** The problems found so far. */
  readonly problems: readonly string[];
  /** The rows that one transaction has written, by table and key with a line break between; null: deleted. */
  commit(writes: ReadonlyMap<string, object | null>): void;
}

/**
 * The part of a service in the simulation (docs/proofs/simulation.md): its own use cases over stores in memory, what
 * its clients do, and its invariants. `src/simulation.ts` of a service whose manifest says `"simulation": true` exports
 * it as `SIMULATED`. Sagas, deadlines, streams, pushes, alarms and answers are checked for every service alike.
 */
export interface SimulatedService<Running> {
  /** As in its manifest. */
  readonly service: string;
  readonly schema: string;
  /** Whether it begins sagas. */
  readonly sagas: boolean;
  /** Topics that it reads to their end, beside the results of its sagas. */
  readonly reads: readonly string[];
  /** How many processes of its own run it in the distributed exchange; without it, it shares one with others. */
  readonly copies?: number;
  /** Whether deadlines of the exchange may fall due in its own processes too, so that several poll for them. */
  readonly deadlines?: boolean;
  /** How many partitions its topics may have: a seed draws one of these. */
  readonly partitions?: readonly number[];
  /** Partitions of its topics by name, of those of `partitions` that were drawn (else 1). */
  topics?(partitions: number, config: Config): Readonly<Record<string, number>>;
  /** Its rows of the catalog. */
  catalog?(partitions: number): Readonly<Partial<Record<ReferenceKind, readonly object[]>>>;
  /** Views that others would publish for it, kept from the beginning to the end. */
  outsideViews?(beginning: number): Readonly<Record<string, object>>;
  /** Composes the service in a process that starts, and begins its timers. */
  start(host: SimulatedHost): Running;

  /** The acts that people repeat. */
  readonly acts?: readonly SimulatedAct[];
  /** The kinds of intents that its acts have. */
  readonly intents?: Readonly<Record<string, SimulatedIntentKind<Running>>>;
  /** A call of a person, some of them repeated; `known` are the ids from answers to earlier calls. */
  draw?(random: SimulatedDraws, user: number, known: readonly string[]): SimulatedCall<Running>;
  /** Prepares the state before the first call, such as money; no faults are injected yet. */
  prepare?(desk: SimulatedOperator<Running>): Promise<void>;
  /** The acts of an operator while people make their calls. */
  operate?(desk: SimulatedOperator<Running>): Promise<void>;
  /** Keeps the `drained` accounts of the house empty until `until`: the ledger. */
  drain?(desk: SimulatedOperator<Running>, until: () => boolean): Promise<void>;
  /** Refills the emptied accounts of the house once the calls are answered. */
  refill?(desk: SimulatedOperator<Running>): Promise<void>;
  /**
   * The accounts that a run with `dry` empties while people make calls, and the counts of what waits for that
   * money then: without it there is no such run.
   */
  readonly dry?: {
    readonly accounts: readonly SimulatedHouseAccount[];
    waiting(server: SimulatedTables): Readonly<Record<string, number>>;
  };
  /** The stored answer of any command, as `/api/command` reads it. */
  outcome?(running: Running, commandId: string): Promise<LedgerReply | null>;

  /** Whether its clients may begin. */
  isReady?(view: SimulatedView<Running>): boolean;
  /** Whether its own work is complete; called after the faults. */
  isSettled?(view: SimulatedView<Running>): boolean;
  /** The state that it would store now and then for a later start; called once, amid the load. */
  checkpoint?(view: SimulatedView<Running>): unknown;
  /** `now` is the time of the world; `limitOf` a command's latest limit, if a client has sent it. */
  watch?(now: () => number, limitOf: (commandId: string) => number | undefined): SimulatedWatch;
  /** Holds that its objects need in the ledger, in units (scale of the currency) by name. */
  holds?(server: SimulatedTables): ReadonlyMap<string, bigint>;
  /** The amounts that its objects have moved between people and the house. */
  moves?(view: SimulatedView<Running>): readonly SimulatedMove[];
  /** The journals that it keeps: the ledger's. */
  journals?(server: SimulatedTables): readonly SimulatedJournal[];
  /** Whether it has accepted a command: the ledger. */
  hasAccepted?(server: SimulatedTables, commandId: string): boolean;
  /** Violations that must not exist even while the house cannot pay. */
  audit?(end: SimulatedEnd<Running>): readonly string[];
  /** The violations when all is quiet, each with the invariant that it breaks. */
  check(end: SimulatedEnd<Running>): readonly string[];
  /** Files for programs outside of this project to check, by name, as pieces of text. */
  files?(view: SimulatedView<Running>): Readonly<Record<string, AsyncIterable<string>>>;
  /** Counts of what happened in the run, for its report. */
  figures?(server: SimulatedTables): Readonly<Record<string, number>>;
}
/** A service whose parts the simulator passes on without reading them. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnySimulatedService = SimulatedService<any>;
