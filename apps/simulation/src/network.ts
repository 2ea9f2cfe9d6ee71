import type { LedgerReply } from '@bourse/events';
import { AskUnavailable, InProcessAsks, InProcessReplies, InProcessViews } from '@bourse/messaging';
import { MemoryDatabases, MemoryLink, type MemoryServer, type ServerSession } from '@bourse/persistence/memory';
import type { OutboxRow } from '@bourse/persistence';
import { inScope } from './host.js';
import type { SimulatedProcess, Simulator } from './simulator.js';
import type { FaultPlan } from './fault-plan.js';

/** What is wrong right now, beside the chances of the plan. */
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
    const way = (): number =>
      0.05 +
      random.next() * 0.4 +
      (faulty ? conditions.databaseSlowMs * random.next() : 0) +
      (faulty && random.chance(this.plan.chances.slow) ? random.next() * 400 : 0);
    return new Promise<T>((resolve, reject) => {
      const there = way();
      const back = way();
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

  /** The process is dead: the server notices after a moment; what was on its way may still arrive. */
  closeAll(): void {
    for (const session of this.open)
      this.simulator.after(this.simulator.random.next() * 20, 'connection closed', () => session.end());
    this.open.clear();
  }
}

/** Databases of one process; what it tells its log about commits may be lost, late, doubled or out of order. */
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

/**
 * What Redis is in the distributed run, and nothing at all in the embedded one: replies, views and questions between
 * processes.
 */
export class Exchange {
  private readonly members = new Map<
    SimulatedProcess,
    { readonly replies: SimulatedReplies; readonly views: SimulatedViews; readonly asks: SimulatedAsks }
  >();
  readonly kept = new Map<string, object>();

  constructor(
    readonly simulator: Simulator,
    readonly plan: FaultPlan,
    readonly conditions: NetworkConditions,
  ) {}

  join(process: SimulatedProcess): { replies: SimulatedReplies; views: SimulatedViews; asks: SimulatedAsks } {
    const member = {
      replies: new SimulatedReplies(process, this),
      views: new SimulatedViews(process, this),
      asks: new SimulatedAsks(process, this),
    };
    for (const [channel, payload] of this.kept) member.views.receive(channel, payload, true);
    this.members.set(process, member);
    return member;
  }
  leave(process: SimulatedProcess): void {
    this.members.delete(process);
  }

  living(): [
    SimulatedProcess,
    { readonly replies: SimulatedReplies; readonly views: SimulatedViews; readonly asks: SimulatedAsks },
  ][] {
    return [...this.members].filter(([process]) => process.alive);
  }

  lost(): boolean {
    const { simulator, conditions, plan } = this;
    return (
      !conditions.healed &&
      (simulator.now < conditions.repliesLostUntil || simulator.random.chance(plan.chances.lostReply))
    );
  }
}

export class SimulatedReplies extends InProcessReplies {
  constructor(
    process: SimulatedProcess,
    private readonly exchange: Exchange,
  ) {
    super(process.name);
  }

  override publish(replyTo: string, reply: LedgerReply): void {
    const { simulator } = this.exchange;
    if (this.exchange.lost()) return;
    const times = !this.exchange.conditions.healed && simulator.random.chance(0.05) ? 2 : 1;
    for (const [process, { replies }] of this.exchange.living()) {
      if (process.name !== replyTo) continue;
      for (let n = 0; n < times; n++)
        simulator.schedule(process, 0.1 + simulator.random.next() * 2, 'reply', () => replies.receive(reply));
    }
  }
  receive(reply: LedgerReply): void {
    super.publish(this.instance, reply);
  }
}

export class SimulatedViews extends InProcessViews {
  constructor(
    _process: SimulatedProcess,
    private readonly exchange: Exchange,
  ) {
    super();
  }

  override publish(channel: string, payload: object, keep = false): void {
    if (keep) this.exchange.kept.set(channel, payload);
    for (const [process, { views }] of this.exchange.living()) {
      if (views === this) this.receive(channel, payload, keep);
      else if (!this.exchange.lost())
        this.exchange.simulator.schedule(process, 0.1 + this.exchange.simulator.random.next(), 'view', () =>
          views.receive(channel, payload, keep),
        );
    }
  }
  receive(channel: string, payload: object, keep: boolean): void {
    super.publish(channel, payload, keep);
  }
}

export class SimulatedAsks extends InProcessAsks {
  private readonly names = new Set<string>();
  constructor(
    private readonly process: SimulatedProcess,
    private readonly exchange: Exchange,
  ) {
    super();
  }

  override handle<Q, A>(name: string, answer: (question: Q) => Promise<A>): void {
    this.names.add(name);
    super.handle(name, answer);
  }

  override async ask<Q, A>(name: string, question: Q, timeoutMs = 2_000): Promise<A> {
    if (this.names.has(name)) return super.ask(name, question, timeoutMs);
    const { simulator } = this.exchange;
    const target = this.exchange.living().find(([, { asks }]) => asks.names.has(name));
    return new Promise<A>((resolve, reject) => {
      simulator.schedule(this.process, timeoutMs, `no answer to ${name}`, () =>
        reject(new AskUnavailable(`${name} did not answer`)),
      );
      if (!target || this.exchange.lost()) return;
      const [process, { asks }] = target;
      simulator.schedule(process, 0.2 + simulator.random.next(), `question ${name}`, () => {
        const back = (settle: () => void): void => {
          if (!this.exchange.lost())
            simulator.schedule(this.process, 0.2 + simulator.random.next(), `answer ${name}`, settle);
        };
        asks.ask<Q, A>(name, question, timeoutMs).then(
          (answer) => back(() => resolve(answer)),
          (error: Error) => back(() => reject(error)),
        );
      });
    });
  }
}

/** Runs something in a process, as its own code. */
export function within<T>(process: SimulatedProcess, run: () => T): T {
  return inScope(process, run);
}
