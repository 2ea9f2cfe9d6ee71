import type { LedgerReply } from '@bourse/events';
import type { CallContext, Notice } from '@bourse/platform';
import type { SimulatedDraws, SimulatedSetup, SimulatedTables } from './simulated-host.js';

/** A client's answer to a call. `nothing`: certainly not done. */
export type SimulatedAnswer =
  | { readonly kind: 'ok'; readonly id: string; readonly extra: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly key: string }
  | { readonly kind: 'nothing' | 'unknown' };

/** A call that a client makes, under one command id however often it repeats it. */
export interface SimulatedCall<Running> {
  /** Its name and fields, for the checks. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** The use case that the controller calls. */
  readonly run: (running: Running, context: CallContext) => Promise<Notice>;
}
/** A client's answers to its calls, in their order. */
export interface SimulatedAnswers {
  readonly user: number;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly told: readonly SimulatedAnswer[];
}

/** Fields of a call, as they come over the wire. */
export type SimulatedFields = Readonly<Record<string, string>>;

/** A person's intent under one command id: tried, repeated, given up on, and queried at the end. */
export interface SimulatedIntent {
  readonly commandId: string;
  readonly user: number;
  /** Its name among `SimulatedService.intents`. */
  readonly kind: string;
  readonly fields: SimulatedFields;
  readonly outcomes: readonly SimulatedAnswer[];
  /** The answer by its id after the faults, if there is one. */
  readonly resolved: LedgerReply | null | undefined;
  /** The id that its answer names, at once or in the end; null: it was not done. */
  readonly id: string | null;
}

/** How intents of one kind are carried out. */
export interface SimulatedIntentKind<Running> {
  /** The use case that the controller calls. */
  run(running: Running, user: number, fields: SimulatedFields, context: CallContext): Promise<Notice>;
  /**
   * Whether an intent that was answered `ok` just now is stored; without it, whether the ledger has accepted its
   * command.
   */
  isDurable?(server: SimulatedTables, fields: SimulatedFields): boolean;
  /** Other fields under the same key, which must do nothing; without it no such repeat is tried. */
  otherFields?(person: SimulatedPerson): SimulatedFields;
}

/** A person in the simulation, before their next call. */
export interface SimulatedPerson extends SimulatedSetup {
  readonly user: number;
  readonly random: SimulatedDraws;
  /** One of the latest intents of this person. */
  readonly last: { readonly fields: SimulatedFields } | undefined;
  /** The ids in the answers that this person got for intents of a kind, one for each answer. */
  told(kind: string): readonly string[];
  /** A number that has not been used before. */
  serial(): number;
}

/**
 * Something that people do. Each person draws a number `die` in [0, 1). Of all acts of all services those with `below`
 * above it are tried, lowest first, until one has something to do.
 */
export interface SimulatedAct {
  readonly below: number;
  /** The kind of the intent. */
  readonly kind: string;
  /** Null: nothing to do. */
  draw(person: SimulatedPerson): SimulatedFields | null;
}

/** An account of the house in a currency. */
export interface SimulatedHouseAccount {
  readonly account: string;
  readonly currency: number;
}

/** The tools for a service's own work in a run: its preparation, and the acts of an operator. */
export interface SimulatedOperator<Running> extends SimulatedSetup {
  readonly users: readonly number[];
  readonly operator: number;
  readonly random: SimulatedDraws;
  readonly server: SimulatedTables;
  /** Accounts of the house that this run empties. */
  readonly drained: readonly SimulatedHouseAccount[];
  /** How long people keep making calls, ms. */
  readonly loadMs: number;
  pause(ms: number): Promise<void>;
  /** Runs in the first process that has the service, until that process ends; does nothing without such a process. */
  inProcess(work: (running: Running) => Promise<unknown>): Promise<void>;
  /** A call over the network. */
  call(work: (running: Running) => Promise<Notice>): Promise<SimulatedAnswer>;
}
