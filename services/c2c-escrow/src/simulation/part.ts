import type {
  SimulatedCall,
  SimulatedDesk,
  SimulatedDraws,
  SimulatedEnd,
  SimulatedHost,
  SimulatedLook,
  SimulatedMove,
  SimulatedTables,
  SimulatedWatch,
} from '@bourse/ledger-client';

/** A product in the simulation; `Own` is the type of its running process. */
export interface SimulatedPart<Own> {
  readonly name: string;
  start(host: SimulatedHost): Own;
  /** Draws a call of a person. */
  draw(random: SimulatedDraws, user: number, known: readonly string[]): SimulatedCall<Own>;
  prepare?(desk: SimulatedDesk<Own>): Promise<void>;
  /** Acts for the product beside the people. */
  operate?(desk: SimulatedDesk<Own>): Promise<void>;
  /** Checks invariants at every commit. */
  watch?(): SimulatedWatch;
  isSettled(look: SimulatedLook<Own>): boolean;
  holds(server: SimulatedTables): ReadonlyMap<string, bigint>;
  moves(look: SimulatedLook<Own>): readonly SimulatedMove[];
  /** Problems when all is quiet, each with the invariant that it breaks. */
  check(end: SimulatedEnd<Own>): readonly string[];
  figures(server: SimulatedTables): Readonly<Record<string, number>>;
}
