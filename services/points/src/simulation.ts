// The service as the simulator runs it: the use cases of its products over tables in memory. Only the simulator imports
// this.
import type { SimulatedDesk, SimulatedService } from '@bourse/ledger-client';
import type { SimulatedPart } from './simulation/part.js';
import { POINTS_PART } from './simulation/points.js';
import { TEAM_PART } from './simulation/team.js';

/** The running components of each product, by its name. */
type Running = Readonly<Record<string, unknown>>;

// oxlint-disable-next-line typescript/no-explicit-any -- each part reads what it has started itself
const PARTS: readonly SimulatedPart<any>[] = [POINTS_PART, TEAM_PART];
const DRAWING = PARTS.filter(({ draw }) => draw !== undefined);

/** The desk of the service as one product's. */
const deskOf = (desk: SimulatedDesk<Running>, name: string): SimulatedDesk<unknown> => ({
  ...desk,
  inProcess: (work) => desk.inProcess((running) => work(running[name])),
  call: (work) => desk.call((running) => work(running[name])),
});

const merged = (maps: readonly ReadonlyMap<string, bigint>[]): ReadonlyMap<string, bigint> =>
  new Map(maps.flatMap((map) => [...map]));

/** Calls of people, each product in its turn. */
const draw: SimulatedService<Running>['draw'] = (random, user, known) => {
  const part = random.pick(DRAWING);
  const call = part.draw!(random, user, known);
  return {
    fields: { product: part.name, ...call.fields },
    run: (running, context) => call.run(running[part.name], context),
  };
};

export const SIMULATED: SimulatedService<Running> = {
  service: 'points',
  schema: 'points',
  sagas: true,
  reads: [...new Set(PARTS.flatMap(({ reads }) => reads ?? []))],
  topics: (partitions, config) =>
    Object.assign({}, ...PARTS.map((part) => part.topics?.(partitions, config))) as Record<string, number>,
  ...(DRAWING.length > 0 ? { draw } : {}),
  start: (host) => Object.fromEntries(PARTS.map((part) => [part.name, part.start(host) as unknown])),
  prepare: async (desk) => {
    await Promise.all(PARTS.flatMap((part) => part.prepare?.(deskOf(desk, part.name)) ?? []));
  },
  operate: async (desk) => {
    await Promise.all(PARTS.flatMap((part) => part.operate?.(deskOf(desk, part.name)) ?? []));
  },
  watch() {
    const watches = PARTS.flatMap((part) => part.watch?.() ?? []);
    return {
      get problems() {
        return watches.flatMap(({ problems }) => problems);
      },
      commit: (writes) => watches.forEach((watch) => watch.commit(writes)),
    };
  },
  isSettled: (look) => PARTS.every((part) => part.isSettled(look)),
  holds: (server) => merged(PARTS.map((part) => part.holds(server))),
  moves: (look) => PARTS.flatMap((part) => part.moves(look)),
  check: (end) => PARTS.flatMap((part) => part.check(end)),
  figures: (server) => Object.assign({}, ...PARTS.map((part) => part.figures(server))) as Record<string, number>,
};
