import type { SimulatedTables } from '@bourse/ledger-client';
import type { Timers, Tx } from '@bourse/persistence';
import type { MemoryTx } from '@bourse/persistence/memory';
import { LOAD_MS } from './fault-plan.js';
import { CALL_TIMEOUT_MS, type Callers } from './callers.js';
import type { World } from './world.js';

/** The kind of the deadlines that the simulator sets. */
export const TIMER = 'simulated';
/** How many it sets. */
const DEADLINES = 8;

/** A deadline that has fired. */
interface StoredFiring {
  readonly id: string;
  readonly dueAt: number;
  readonly times: number;
}

/** Handles a deadline: increments a counter in the transaction that removes the deadline; some fail at first. */
export function fireDeadline(id: string, dueAt: number, tx: Tx, fails: boolean): Promise<void> {
  return (tx as MemoryTx).statement('fire', async (at) => {
    if (fails) throw new Error('this deadline fails for now');
    const times = (at.get<StoredFiring>('gateway.fired', id)?.times ?? 0) + 1;
    await at.put('gateway.fired', id, { id, dueAt, times } satisfies StoredFiring);
  });
}

/** A client that sets deadlines in the gateway's schema and cancels some of them. */
export class Deadlines {
  /** Whether setting it was confirmed, and what became of taking it back. */
  private readonly all = new Map<
    string,
    { readonly dueAt: number; readonly set: boolean; readonly taken: boolean | 'unknown' | null }
  >();

  constructor(
    private readonly world: World,
    private readonly callers: Callers,
  ) {}

  /** Sets deadlines and cancels some, each in a transaction whose outcome may stay unknown. */
  async set(): Promise<void> {
    const { callers } = this;
    const { simulator } = this.world;
    const { random } = simulator;
    for (let number = 1; number <= DEADLINES; number++) {
      await callers.pause(random.between(50, LOAD_MS / DEADLINES));
      const id = `d${number}`;
      const dueAt = Math.floor(simulator.now + random.between(-200, LOAD_MS / 2));
      const set = await this.inTimers((timers, tx) => timers.set(tx, TIMER, id, dueAt, null).then(() => true));
      this.all.set(id, { dueAt, set: set !== null, taken: null });
      if (!random.chance(0.4)) continue;
      await callers.pause(random.between(10, LOAD_MS / 4));
      this.all.set(id, {
        dueAt,
        set: set !== null,
        taken: (await this.inTimers(async (timers, tx) => (await timers.cancel(tx, TIMER, id)) !== null)) ?? 'unknown',
      });
    }
  }

  /** Null when it did not succeed for certain. */
  private inTimers(work: (timers: Timers, tx: Tx) => Promise<boolean>): Promise<boolean | null> {
    const { world, callers } = this;
    const { simulator } = world;
    return new Promise((resolve) => {
      simulator.schedule(callers.process, CALL_TIMEOUT_MS, 'out of patience', () => resolve(null));
      const [parts] = world.living((one) => one.timers !== undefined);
      if (!parts?.timers) return;
      const { timers, process, databases } = parts;
      simulator.schedule(process, 0, 'deadline', () => {
        databases
          .at('gateway')
          .transaction((tx) => work(timers, tx))
          .then(
            (done) => {
              simulator.schedule(callers.process, 0, 'deadline done', () => resolve(done));
            },
            () => {
              simulator.schedule(callers.process, 0, 'deadline failed', () => resolve(null));
            },
          );
      });
    });
  }

  /** Each one that was set fires once and as of its own time, none that was taken back does. */
  check(server: SimulatedTables): string[] {
    const problems: string[] = [];
    for (const [id, { dueAt, set, taken }] of this.all) {
      const fired = server.row<StoredFiring>('gateway.fired', id);
      if ((fired?.times ?? 0) > 1) problems.push(`timers: ${id} has fired ${fired?.times} times`);
      if (fired && fired.dueAt !== dueAt) problems.push(`timers: ${id} fired as of ${fired.dueAt} instead of ${dueAt}`);
      if (taken === true && fired) problems.push(`timers: ${id} was taken back and has fired`);
      if (set && taken !== true && taken !== 'unknown' && !fired) problems.push(`timers: ${id} never fired`);
    }
    return problems;
  }
}
