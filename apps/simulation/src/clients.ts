import type { AnySimulatedService, SimulatedOperator } from '@bourse/ledger-client';
import { Callers } from './callers.js';
import { Deadlines } from './deadlines.js';
import { LOAD_MS } from './fault-plan.js';
import { Intents } from './intents.js';
import { ServiceCalls } from './service-calls.js';
import { SERVICES } from './services.generated.js';
import type { World } from './world.js';

const OPERATOR = 900_001;
const FIRST_USER = 100_001;

/** All clients of one simulated exchange, from the first deposit to the last answer. */
export class Clients {
  readonly users: readonly number[];
  readonly intents: Intents;
  readonly calls: ServiceCalls;
  readonly deadlines: Deadlines;
  prepared = false;
  done = false;
  settledDown = false;
  refilled = false;
  private refilling = false;
  private drained = false;
  failure: unknown = null;
  private readonly callers: Callers;

  constructor(private readonly world: World) {
    this.callers = new Callers(world);
    this.users = Array.from({ length: 4 + world.simulator.random.int(3) }, (_, index) => FIRST_USER + index);
    this.intents = new Intents(world, this.callers);
    this.calls = new ServiceCalls(this.callers, world.plan.crowd);
    this.deadlines = new Deadlines(world, this.callers);
  }

  /** Sets up what the first call needs, before faults begin. */
  prepare(): void {
    this.run(async () => {
      await Promise.all(SERVICES.flatMap((service) => service.prepare?.(this.deskOf(service)) ?? []));
      this.prepared = true;
    });
  }

  /** The load. */
  begin(): void {
    if (this.world.plan.dry !== undefined) this.drain();
    this.run(async () => {
      await Promise.all([
        ...this.users.map((user) => this.intents.live(user)),
        ...SERVICES.flatMap((service) => service.operate?.(this.deskOf(service)) ?? []),
        this.deadlines.set(),
        ...SERVICES.map((service) => this.calls.use(service, this.users)),
      ]);
      this.done = true;
    });
  }

  /** Asks for every outcome that is still unknown. */
  settleDown(): void {
    this.run(async () => {
      await this.intents.settleDown();
      this.settledDown = true;
    });
  }

  private drain(): void {
    const isOver = (): boolean => this.refilling;
    this.run(async () => {
      await Promise.all(SERVICES.flatMap((service) => service.drain?.(this.deskOf(service), isOver) ?? []));
      this.drained = true;
    });
  }

  /** Gives the house its money back. */
  refill(): void {
    this.refilling = true;
    this.run(async () => {
      while (!this.drained) await this.callers.pause(50);
      await Promise.all(SERVICES.flatMap((service) => service.refill?.(this.deskOf(service)) ?? []));
      this.refilled = true;
    });
  }

  private run(work: () => Promise<void>): void {
    const { callers } = this;
    callers.simulator.schedule(callers.process, 0, 'clients go on', () => {
      work().catch((error: unknown) => {
        this.failure = error;
      });
    });
  }

  private deskOf({ service }: AnySimulatedService): SimulatedOperator<unknown> {
    const { callers, users, world } = this;
    const { reference, config, server, simulator } = world;
    return {
      reference,
      config,
      server,
      users,
      operator: OPERATOR,
      random: simulator.random,
      loadMs: LOAD_MS,
      drained: SERVICES.find(({ service: name }) => name === world.plan.dry)?.dry?.accounts ?? [],
      pause: (ms) => callers.pause(ms),
      inProcess: (work) => callers.inProcess(service, work),
      call: (work) => callers.call(service, work),
    };
  }
}
