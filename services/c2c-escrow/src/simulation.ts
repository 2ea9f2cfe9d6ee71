// The part of this service in the simulator: its use cases over tables in memory. Only the simulator imports it.
import type { SimulatedDesk, SimulatedService } from '@bourse/ledger-client';
import { ACCEPTORS_PART } from './simulation/acceptors.js';
import type { SimulatedPart } from './simulation/part.js';
import { DEALS } from './simulation/deals.js';
import { SHOPS } from './simulation/shops.js';

/** The running products of a process, by name. */
type Running = Readonly<Record<string, unknown>>;

// oxlint-disable-next-line typescript/no-explicit-any -- each part reads what it has started itself
const PARTS: readonly SimulatedPart<any>[] = [SHOPS, ACCEPTORS_PART, DEALS];

/** The desk of the service, for one product. */
const toProductDesk = (desk: SimulatedDesk<Running>, name: string): SimulatedDesk<unknown> => ({
  ...desk,
  inProcess: (work) => desk.inProcess((running) => work(running[name])),
  call: (work) => desk.call((running) => work(running[name])),
});

const mergeMaps = (maps: readonly ReadonlyMap<string, bigint>[]): ReadonlyMap<string, bigint> =>
  new Map(maps.flatMap((map) => [...map]));

export const SIMULATED: SimulatedService<Running> = {
  service: 'c2c-escrow',
  schema: 'escrow',
  sagas: true,
  reads: [],
  /** Draws a call of a random product. */
  draw(random, user, known) {
    const part = random.pick(PARTS);
    const call = part.draw(random, user, known);
    return {
      fields: { product: part.name, ...call.fields },
      run: (running, context) => call.run(running[part.name], context),
    };
  },
  start: (host) => Object.fromEntries(PARTS.map((part) => [part.name, part.start(host) as unknown])),
  prepare: async (desk) => {
    await Promise.all(PARTS.flatMap((part) => part.prepare?.(toProductDesk(desk, part.name)) ?? []));
  },
  operate: async (desk) => {
    await Promise.all(PARTS.flatMap((part) => part.operate?.(toProductDesk(desk, part.name)) ?? []));
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
  holds: (server) => mergeMaps(PARTS.map((part) => part.holds(server))),
  moves: (look) => PARTS.flatMap((part) => part.moves(look)),
  check: (end) => PARTS.flatMap((part) => part.check(end)),
  figures: (server) => Object.assign({}, ...PARTS.map((part) => part.figures(server))) as Record<string, number>,
};
