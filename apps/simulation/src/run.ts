import type { SimulatedWatch } from '@bourse/ledger-client';
import { auditAll, checkAll, type Problem } from './checks.js';
import { Clients } from './clients.js';
import { endOf, LOAD_MS, planOf, type FaultPlan } from './fault-plan.js';
import { heal, strike } from './faults.js';
import { inScope } from './host.js';
import { SERVICES } from './services.generated.js';
import { Simulator } from './simulator.js';
import { SCHEMAS, unread } from './streams.js';
import { World } from './world.js';

/** One seed, run to its end. */
export interface Outcome {
  readonly seed: string;
  readonly plan: FaultPlan;
  /** Equal for equal runs, to the last event. */
  readonly hash: string;
  readonly problems: readonly Problem[];
  readonly events: number;
  readonly virtualMs: number;
  /** Counters of events in the services. */
  readonly figures: Readonly<Record<string, number>>;
  readonly commands: number;
  /** Files of the services for other programs to check, by name. */
  readonly files: Readonly<Record<string, AsyncIterable<string>>>;
}

const START_MS_MAX = 30_000;
/**
 * After the faults: the longest that anything may take to come right (leases, back-offs, claims of dead calls,
 * forgetting).
 */
const HEAL_MS_MAX = 90_000;
const QUIET_MS = 300;

/**
 * Runs one seed: start, first money, load with faults, healing, and then everything must be right. `crowd`: the service
 * that people use ten times as much as in another run. `dry`: the service whose accounts of the house are emptied while
 * people make calls; once these are answered the books are audited, and the house gets its money back. Throws where
 * there is no such service.
 */
export async function runSeed(
  seed: string,
  options: { readonly trace?: (line: string) => void; readonly crowd?: string; readonly dry?: string } = {},
): Promise<Outcome> {
  const { dry, crowd = dry } = options;
  if (crowd !== undefined && !SERVICES.some(({ service, draw }) => service === crowd && draw))
    throw new Error(`Nobody can crowd ${crowd}: no service of that name draws calls of people.`);
  const drained = SERVICES.find(({ service }) => service === dry)?.dry;
  if (dry !== undefined && !drained) throw new Error(`No house account pays for ${dry}: it cannot run dry.`);
  const simulator = new Simulator(seed);
  simulator.trace = options.trace ?? null;
  const plan = planOf(seed, simulator.random, { crowd, dry });
  const clients: { current: Clients | null } = { current: null };
  const limitOf = (id: string): number | undefined => clients.current?.intents.limitOf(id);
  const watches = SERVICES.flatMap(({ watch }): SimulatedWatch[] =>
    watch ? [watch(() => simulator.now, limitOf)] : [],
  );
  const world = new World(simulator, plan, (writes) => {
    for (const watch of watches) watch.commit(writes);
  });
  const problems: Problem[] = [];
  let waiting: Readonly<Record<string, number>> = {};
  const stage = async (what: string, done: () => boolean, msMax: number): Promise<boolean> => {
    const failed = (): boolean => (clients.current?.failure ?? null) !== null;
    if ((await simulator.run(() => done() || failed(), msMax)) && !failed()) return true;
    problems.push(
      failed() ? `a client failed: ${String(clients.current?.failure)}` : `${what} not within ${msMax / 1_000} s`,
    );
    return false;
  };
  /** Evaluates the condition again only after a commit: nothing else can make it true. */
  const onceCommitted = (isTrue: () => boolean): (() => boolean) => {
    let [asked, answer] = [-1, false];
    return () => {
      const { commits } = world.server;
      if (asked !== commits) [asked, answer] = [commits, isTrue()];
      return answer;
    };
  };
  // Before the faults nothing breaks: everything must be able to start.
  world.conditions.healed = true;
  inScope(simulator.machine, () => {
    world.start();
    clients.current = new Clients(world);
    clients.current.prepare();
  });
  const people = clients.current as unknown as Clients;
  if (
    await stage(
      'started',
      () => people.prepared && SERVICES.every((one) => one.isReady?.(world.outsideView(one)) ?? true),
      START_MS_MAX,
    )
  ) {
    world.conditions.healed = false;
    for (const fault of plan.faults) simulator.after(fault.at, 'fault', () => strike(world, fault));
    simulator.after(LOAD_MS / 2, 'checkpoints', () => world.takeCheckpoints());
    people.begin();
    await simulator.run(() => false, endOf(plan));
    // The clients may still wait for answers; the faults are over.
    inScope(simulator.machine, () => heal(world));
    if (await stage('clients done', () => people.done, HEAL_MS_MAX)) {
      people.settleDown();
      await stage('outcomes known', () => people.settledDown, HEAL_MS_MAX);
      if (drained) {
        const audited = onceCommitted(() => auditAll(world, people).length === 0);
        if (!(await stage('a clean audit without money of the house', audited, HEAL_MS_MAX)))
          problems.push(...auditAll(world, people));
        waiting = drained.waiting(world.server);
        people.refill();
        await stage('the house refilled', () => people.refilled, HEAL_MS_MAX);
      }
      const isDue = ({ dueAt }: { readonly dueAt: number }): boolean => dueAt <= simulator.now + HEAL_MS_MAX;
      const none = (table: string): boolean =>
        SCHEMAS.every((schema) => world.server.rows(`${schema}.${table}`).length === 0);
      await stage(
        'deadlines',
        onceCommitted(() =>
          SCHEMAS.every((schema) => !world.server.rows<{ dueAt: number }>(`${schema}.timer`).some(isDue)),
        ),
        HEAL_MS_MAX,
      );
      await stage(
        'sagas',
        onceCommitted(() => none('saga')),
        HEAL_MS_MAX,
      );
      for (const one of SERVICES) {
        const { service, isSettled } = one;
        if (!isSettled) continue;
        const settled = onceCommitted(() => isSettled(world.outsideView(one)));
        await stage(`${service} settled`, settled, HEAL_MS_MAX);
      }
      // Sagas are checked once a second, so an alarm outlives its cause by up to that. Meanwhile another night may have
      // begun.
      const isClear = (): boolean => ![...world.raisedAlarms().keys()].some((name) => name.startsWith('saga:'));
      const allSettled = onceCommitted(() => SERVICES.every((one) => one.isSettled?.(world.outsideView(one)) ?? true));
      await stage('all settled and no alarm of sagas', () => isClear() && allSettled(), HEAL_MS_MAX);
      let quietSince = 0;
      const isRead = onceCommitted(() => unread(world.server).length === 0 && none('saga'));
      await stage(
        'streams read',
        () => {
          // The end of a day or a night may start new payments: the checks need a moment at which all are settled.
          if (!isRead() || !allSettled() || !isClear()) {
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
  for (const watch of watches) problems.push(...watch.problems);
  if (problems.some((text) => text.startsWith('streams read'))) problems.push(...unread(world.server));
  const { server } = world;
  return {
    seed,
    plan,
    hash: simulator.hash,
    problems,
    events: simulator.events,
    virtualMs: Math.round(simulator.now - simulator.machine.startedAt),
    figures: Object.assign({ ...waiting }, ...SERVICES.map(({ figures }) => figures?.(server))) as Record<
      string,
      number
    >,
    commands: people.intents.list.length,
    files: Object.assign({}, ...SERVICES.map((one) => one.files?.(world.outsideView(one)))) as Outcome['files'],
  };
}
