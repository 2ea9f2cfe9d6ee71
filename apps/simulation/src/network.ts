import { MemoryDatabases, MemoryLink, type MemoryServer, type ServerSession } from '@bourse/persistence/memory';
import type { OutboxRow } from '@bourse/persistence';
import { inScope } from './host.js';
import type { SimulatedProcess, Simulator } from './simulator.js';
import type { FaultPlan } from './fault-plan.js';

/** The faults in effect now, beside the random ones of the plan. */
export interface NetworkConditions {
  /** Faults are over: nothing breaks any more. */
  healed: boolean;
  databaseDownUntil: number;
  databaseSlowMs: number;
  brokerDownUntil: number;
  repliesLostUntil: number;
}

class Cut extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** The wire between one process and PostgreSQL: requests and answers take time, connections break on either way. */
export class SimulatedLink extends MemoryLink {
  private readonly open = new Set<ServerSession>();
  private readonly busy = new WeakMap<ServerSession, Promise<void>>();

  constructor(
    private readonly simulator: Simulator,
    private readonly process: SimulatedProcess,
    private readonly plan: FaultPlan,
    private readonly conditions: NetworkConditions,
  ) {
    super();
  }

  /** Statements of one connection go one after another, in the order they were given. */
  call<T>(what: string, session: ServerSession, serve: () => Promise<T>): Promise<T> {
    const before = this.busy.get(session);
    const mine = before ? before.then(() => this.send(what, session, serve)) : this.send(what, session, serve);
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    this.busy.set(session, ended);
    return mine;
  }

  private send<T>(what: string, session: ServerSession, serve: () => Promise<T>): Promise<T> {
    const { simulator, process, conditions } = this;
    const { random } = simulator;
    this.open.add(session);
    if (simulator.now < conditions.databaseDownUntil) {
      return new Promise((_, reject) => {
        simulator.schedule(process, 0.2, `database refuses ${what}`, () =>
          reject(new Cut('connect ECONNREFUSED', 'ECONNREFUSED')),
        );
      });
    }
    const faulty = !conditions.healed;
    const cut =
      faulty && random.chance(what === 'commit' ? this.plan.chances.cutCommit : this.plan.chances.cut)
        ? random.pick(['request', 'answer'] as const)
        : null;
    const drawDelay = (): number =>
      0.05 +
      random.next() * 0.4 +
      (faulty ? conditions.databaseSlowMs * random.next() : 0) +
      (faulty && random.chance(this.plan.chances.slow) ? random.next() * 400 : 0);
    return new Promise<T>((resolve, reject) => {
      const there = drawDelay();
      const back = drawDelay();
      const broken = (): void => {
        session.end();
        simulator.schedule(process, back, `cut ${what}`, () => reject(new Cut('Connection terminated unexpectedly')));
      };
      if (cut === 'request') {
        simulator.after(there, `lost ${what}`, broken);
        return;
      }
      simulator.after(there, `${process.id} → ${what}`, () => {
        serve().then(
          (value) => {
            if (cut === 'answer') broken();
            else simulator.schedule(process, back, `← ${what}`, () => resolve(value));
          },
          (error: Error) => {
            simulator.schedule(process, back, `← ${what} ${(error as Cut).code ?? 'fails'}`, () => reject(error));
          },
        );
      });
    });
  }

  /** The process is dead: the server notices after a moment; messages in flight may still arrive. */
  closeAll(): void {
    for (const session of this.open)
      this.simulator.after(this.simulator.random.next() * 20, 'connection closed', () => session.end());
    this.open.clear();
  }
}

/** Databases of one process; its notifications of commits may be lost, late, doubled or out of order. */
export class SimulatedDatabases extends MemoryDatabases {
  constructor(
    server: MemoryServer,
    readonly wire: SimulatedLink,
    private readonly simulator: Simulator,
    private readonly process: SimulatedProcess,
    private readonly plan: FaultPlan,
    private readonly conditions: NetworkConditions,
  ) {
    super(server, wire);
  }

  override onRows(listener: (rows: readonly OutboxRow[]) => void): void {
    const { simulator, plan, process, conditions } = this;
    super.onRows((rows) => {
      if (conditions.healed || !simulator.random.chance(plan.chances.handOver)) return listener(rows);
      const what = simulator.random.int(4);
      if (what === 0) return; // lost: it is found in the table
      simulator.schedule(process, simulator.random.next() * (what === 1 ? 2_000 : 20), 'late hand-over', () =>
        listener(rows),
      );
      if (what === 2)
        simulator.schedule(process, simulator.random.next() * 500, 'second hand-over', () => listener(rows));
    });
  }
}

/** Runs something in a process, as its own code. */
export function within<T>(process: SimulatedProcess, run: () => T): T {
  return inScope(process, run);
}
