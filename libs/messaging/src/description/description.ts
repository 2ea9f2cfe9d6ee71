import type { ServiceName } from '@bourse/platform';

/** Holds of the ledger that belong to objects of a service: names `<prefix>:<id>`. */
export interface OwnedHolds {
  readonly prefix: string;
  /** The topic on which the ledger passes commands with such holds on to the service. */
  readonly commands: string;
}

/** The part of a service in trades, for the auditors. */
export interface TradeDuties {
  /** It makes trades, sends them to the ledger on `settledOn` and to views on `shownOn`; it keeps the books. */
  readonly makes?: { readonly settledOn: string; readonly shownOn: string };
  /** It settles the trades that come on this topic. */
  readonly settles?: string;
  /** It shows the trades that come on this topic. */
  readonly shows?: string;
}

/**
 * One product that the house sells against itself, as it is published (api §6.19). Amounts are decimal text by name of
 * the currency; a currency without known figures is left out.
 */
export interface HouseBook {
  readonly product: string;
  /** The amount set aside for winners, and the most that could be owed to them now. */
  readonly currencies: Readonly<Record<string, { readonly reserved: string; readonly owed_at_most: string }>>;
  /** Counts of each outcome since the install: won, lost, liquidated … */
  readonly outcomes: Readonly<Record<string, number>>;
}

/**
 * The description that a service gives of itself, as its answer to the ask `<service>.describe`. Code that joins data
 * of all services loops over these descriptions and knows no service by name.
 */
export interface ServiceDescription {
  readonly service: ServiceName;
  /**
   * It stores answers of commands: ask `<service>.answers { commandIds }`. `all`: those of other services' calls too.
   * This is required where another service passes a call on with its command id: otherwise a query by key would answer
   * that it never happened.
   */
  readonly answers?: 'own' | 'all';
  /** The exports for operators: ask `<service>.export { what, from, to, after }`. */
  readonly exports?: readonly string[];
  /** It counts open work: ask `<service>.work`, counts by name. */
  readonly work?: boolean;
  /** Operators can search its things: ask `<service>.find { text }`. */
  readonly finds?: boolean;
  /** It sells against the house: ask `<service>.house`, a `HouseBook` of each product. */
  readonly againstHouse?: boolean;
  /** Scopes that its calls name as their breaker, beside those of the contract. */
  readonly breakers?: readonly string[];
  /** It has an auditor: ask `<service>.audit`, a round of checks and how far its streams are. */
  readonly audits?: boolean;
  /** It keeps the holds of all users: ask `<service>.audit.holds { prefix, buckets? }`. */
  readonly keepsHolds?: boolean;
  /** Holds that its objects need: ask `<service>.audit.holds { prefix, buckets? }`. */
  readonly holds?: readonly OwnedHolds[];
  readonly trades?: TradeDuties;
  /** Prefixes of the names of alarms that stop all orders and all money that leaves an account. */
  readonly stops?: readonly string[];
}
