import { checkAll, housePurses, unread, Watch, type Problem } from './checks.js';
import { Clients } from './clients.js';
import { inScope } from './host.js';
import { Simulator } from './simulator.js';
import { endOf, LOAD_MS, planOf, type FaultPlan } from './fault-plan.js';
import { World } from './world.js';
import { PRODUCTS } from './products.generated.js';

/** One seed, run to its end. */
export interface Outcome {
  readonly seed: string;
  readonly plan: FaultPlan;
  /** Equal for equal runs, to the last event. */
  readonly hash: string;
  readonly problems: readonly Problem[];
  readonly events: number;
  readonly virtualMs: number;
  readonly orders: number;
  readonly trades: number;
  readonly commands: number;
}

const START_MS_MAX = 30_000;
/**
 * After the faults: the longest that anything may take to come right (leases, back-offs, claims of dead calls,
 * forgetting).
 */
const HEAL_MS_MAX = 90_000;
const QUIET_MS = 300;

/** Schemas whose sagas and deadlines must have ended. */
const SCHEMAS = ['gateway', ...PRODUCTS.map(({ schema }) => schema)];

/** Runs one seed: start, first money, load with faults, healing, and then everything must be right. */
export async function runSeed(
  seed: string,
  options: { readonly trace?: (line: string) => void } = {},
): Promise<Outcome> {
  const simulator = new Simulator(seed);
  simulator.trace = options.trace ?? null;
  const plan = planOf(seed, simulator.random);
  const clients: { current: Clients | null } = { current: null };
  const watch = new Watch(
    () => simulator.now,
    (id) => clients.current?.intents.find((intent) => intent.commandId === id)?.validUntil,
  );
  const world = new World(simulator, plan, (writes) => watch.commit(writes));
  const problems: Problem[] = [];
  const stage = async (what: string, done: () => boolean, msMax: number): Promise<boolean> => {
    const failed = (): boolean => (clients.current?.failure ?? null) !== null;
    if ((await simulator.run(() => done() || failed(), msMax)) && !failed()) return true;
    problems.push(
      failed() ? `a client failed: ${String(clients.current?.failure)}` : `${what} not within ${msMax / 1_000} s`,
    );
    return false;
  };
  // Before the faults nothing breaks: everything must be able to start.
  world.conditions.healed = true;
  inScope(simulator.machine, () => {
    world.start();
    clients.current = new Clients(world);
    clients.current.seed();
  });
  const people = clients.current as unknown as Clients;
  if (
    await stage(
      'started',
      () => people.seeded && world.markets().every(({ symbol }) => world.exchange.kept.has(`depth/${symbol}`)),
      START_MS_MAX,
    )
  ) {
    world.conditions.healed = false;
    for (const fault of plan.faults) simulator.after(fault.at, 'fault', () => world.strike(fault));
    simulator.after(LOAD_MS / 2, 'checkpoints', () => world.takeCheckpoints());
    people.trade();
    await simulator.run(() => false, endOf(plan));
    // The clients may still wait for answers; the faults are over.
    inScope(simulator.machine, () => world.heal());
    if (await stage('clients done', () => people.done, HEAL_MS_MAX)) {
      people.settleDown();
      await stage('outcomes known', () => people.settledDown, HEAL_MS_MAX);
      const isDue = ({ dueAt }: { readonly dueAt: number }): boolean => dueAt <= simulator.now + HEAL_MS_MAX;
      const none = (table: string): boolean =>
        SCHEMAS.every((schema) => world.server.rows(`${schema}.${table}`).length === 0);
      await stage(
        'deadlines',
        () => SCHEMAS.every((schema) => !world.server.rows<{ dueAt: number }>(`${schema}.timer`).some(isDue)),
        HEAL_MS_MAX,
      );
      await stage('sagas', () => none('saga'), HEAL_MS_MAX);
      await stage('house purses even', () => housePurses(world).length === 0, HEAL_MS_MAX);
      let quietSince = 0;
      await stage(
        'streams read',
        () => {
          if (unread(world).length > 0) {
            quietSince = 0;
            return false;
          }
          quietSince ||= simulator.now;
          return simulator.now - quietSince >= QUIET_MS;
        },
        HEAL_MS_MAX,
      );
      problems.push(...checkAll(world, people));
    }
  }
  problems.push(...watch.problems);
  if (problems.some((text) => text.startsWith('streams read'))) problems.push(...unread(world));
  const { server } = world;
  return {
    seed,
    plan,
    hash: simulator.hash,
    problems,
    events: simulator.events,
    virtualMs: Math.round(simulator.now - simulator.machine.startedAt),
    orders: server.rows('spot.orders').length,
    trades: server.rows('spot.trades').length,
    commands: people.intents.length,
  };
}
