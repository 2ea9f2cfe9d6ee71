import type { Config } from '@bourse/platform';
import type { SimulatedCall, SimulatedOperator } from './simulated-clients.js';
import type { SimulatedDraws, SimulatedHost, SimulatedView, SimulatedTables } from './simulated-host.js';
import type { SimulatedEnd, SimulatedMove, SimulatedService, SimulatedWatch } from './simulated-service.js';

/** A product of a service in the simulation; `Own` is the type of its running process. */
export interface SimulatedPart<Own> {
  readonly name: string;
  /** Topics that it reads to their end; the service's are the parts' together. */
  readonly reads?: readonly string[];
  /** Partitions of topics that no other part of the simulation has. */
  topics?(partitions: number, config: Config): Readonly<Record<string, number>>;
  start(host: SimulatedHost): Own;
  /** Draws a call of a person, if the product has calls that change something. */
  draw?(random: SimulatedDraws, user: number, known: readonly string[]): SimulatedCall<Own>;
  prepare?(desk: SimulatedOperator<Own>): Promise<void>;
  /** Acts for the product beside the people. */
  operate?(desk: SimulatedOperator<Own>): Promise<void>;
  /** Checks invariants at every commit. */
  watch?(): SimulatedWatch;
  isSettled(view: SimulatedView<Own>): boolean;
  holds(server: SimulatedTables): ReadonlyMap<string, bigint>;
  moves(view: SimulatedView<Own>): readonly SimulatedMove[];
  /** Problems when all is quiet, each with the invariant that it breaks. */
  check(end: SimulatedEnd<Own>): readonly string[];
  figures(server: SimulatedTables): Readonly<Record<string, number>>;
}

/** The running products of a process, by name. */
type Running = Readonly<Record<string, unknown>>;

/** The tools of the simulation for one product. */
const toProductDesk = (desk: SimulatedOperator<Running>, name: string): SimulatedOperator<unknown> => ({
  ...desk,
  inProcess: (work) => desk.inProcess((running) => work(running[name])),
  call: (work) => desk.call((running) => work(running[name])),
});

/** A service of several products in the simulation; a drawn call is one of a random product. */
export function simulateParts(
  service: string,
  schema: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- each part reads what it has started itself
  parts: readonly SimulatedPart<any>[],
): SimulatedService<Running> {
  const drawing = parts.filter(({ draw }) => draw !== undefined);
  const draw: SimulatedService<Running>['draw'] = (random, user, known) => {
    const part = random.pick(drawing);
    const call = part.draw!(random, user, known);
    return {
      fields: { product: part.name, ...call.fields },
      run: (running, context) => call.run(running[part.name], context),
    };
  };
  return {
    service,
    schema,
    sagas: true,
    reads: [...new Set(parts.flatMap(({ reads }) => reads ?? []))],
    topics: (partitions, config) =>
      Object.assign({}, ...parts.map((part) => part.topics?.(partitions, config))) as Record<string, number>,
    ...(drawing.length > 0 ? { draw } : {}),
    start: (host) => Object.fromEntries(parts.map((part) => [part.name, part.start(host) as unknown])),
    prepare: async (desk) => {
      await Promise.all(parts.flatMap((part) => part.prepare?.(toProductDesk(desk, part.name)) ?? []));
    },
    operate: async (desk) => {
      await Promise.all(parts.flatMap((part) => part.operate?.(toProductDesk(desk, part.name)) ?? []));
    },
    watch() {
      const watches = parts.flatMap((part) => part.watch?.() ?? []);
      return {
        get problems() {
          return watches.flatMap(({ problems }) => problems);
        },
        commit: (writes) => watches.forEach((watch) => watch.commit(writes)),
      };
    },
    isSettled: (view) => parts.every((part) => part.isSettled(view)),
    holds: (server) => new Map(parts.flatMap((part) => [...part.holds(server)])),
    moves: (view) => parts.flatMap((part) => part.moves(view)),
    check: (end) => parts.flatMap((part) => part.check(end)),
    figures: (server) => Object.assign({}, ...parts.map((part) => part.figures(server))) as Record<string, number>,
  };
}
