import type { Config } from '@bourse/platform';
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

/** One product's part in the simulation; `Own` is what it has started in a process. */
export interface SimulatedPart<Own> {
  readonly name: string;
  /** Topics that it reads to their end; the service's are the parts' together. */
  readonly reads?: readonly string[];
  /** Partitions of topics that no other part of the simulation has. */
  topics?(partitions: number, config: Config): Readonly<Record<string, number>>;
  start(host: SimulatedHost): Own;
  /** A call of a person to this product, if it has calls that change something. */
  draw?(random: SimulatedDraws, user: number, known: readonly string[]): SimulatedCall<Own>;
  prepare?(desk: SimulatedDesk<Own>): Promise<void>;
  /** The acts of operators for it while people make their calls. */
  operate?(desk: SimulatedDesk<Own>): Promise<void>;
  /** The states that no commit may reach. */
  watch?(): SimulatedWatch;
  isSettled(look: SimulatedLook<Own>): boolean;
  holds(server: SimulatedTables): ReadonlyMap<string, bigint>;
  moves(look: SimulatedLook<Own>): readonly SimulatedMove[];
  /** The violations when all is quiet, each with the invariant that it breaks. */
  check(end: SimulatedEnd<Own>): readonly string[];
  figures(server: SimulatedTables): Readonly<Record<string, number>>;
}
