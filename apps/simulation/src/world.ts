import { Logger } from '@nestjs/common';
import { RESULT_TOPICS, TOPICS, type LedgerReply } from '@bourse/events';
import { Sagas, type AnySimulatedService, type SimulatedView } from '@bourse/ledger-client';
import { InProcessLog, KafkaLog, type Reference } from '@bourse/messaging';
import { Timers } from '@bourse/persistence';
import { MemoryServer } from '@bourse/persistence/memory';
import { Alarms, SystemClock, type Config, type Metrics } from '@bourse/platform';
import { SimulatedBroker } from './broker.js';
import { Channels } from './channels.js';
import { fireDeadline, TIMER } from './deadlines.js';
import { ownProcesses, processesOf, SHARED, type FaultPlan } from './fault-plan.js';
import { SimulatedDatabases, SimulatedLink, within, type NetworkConditions } from './network.js';
import { storePushes } from './pushes.js';
import { FixedReference } from './reference.js';
import { SERVICES } from './services.generated.js';
import { BEGINNING, SimulatedProcess, type Simulator } from './simulator.js';

/** Partitions of the private events. */
const USER_PARTITIONS = 2;

const NO_METRICS = {
  counter: () => ({ inc: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  gauge: () => ({ set: () => undefined }),
} as unknown as Metrics;

/** The trace must not depend on where the sources lie, nor on their lines. */
const withoutStack = (text: unknown): string => String(text).replace(/\n\s+at .*/g, '');

/** A process that returns stored answers of one service. */
export interface OutcomeSource {
  readonly process: SimulatedProcess;
  outcome(commandId: string): Promise<LedgerReply | null>;
}

/** The parts of one running process. */
export interface RunningProcess {
  readonly process: SimulatedProcess;
  readonly alarms: Alarms;
  readonly clock: SystemClock;
  readonly log: InProcessLog | KafkaLog;
  readonly databases: SimulatedDatabases;
  /** The services that run in it, by name. */
  readonly services: ReadonlyMap<string, unknown>;
  /** The timers of the gateway's schema, in processes that poll them. */
  readonly timers?: Timers;
}

/**
 * One exchange in memory: its processes, database, broker and everything between them. The code of the services is
 * their own; of the gateway it plays what streams need to be read: it numbers pushes and lets deadlines fall due.
 */
export class World {
  readonly server: MemoryServer;
  readonly conditions: NetworkConditions = {
    healed: false,
    databaseDownUntil: 0,
    databaseSlowMs: 0,
    brokerDownUntil: 0,
    repliesLostUntil: 0,
  };
  readonly channels: Channels;
  readonly broker: SimulatedBroker;
  readonly reference: Reference;
  readonly config: Config;
  readonly running = new Map<string, RunningProcess>();
  /** Alarms of all processes so far, by name. */
  readonly alarms = new Map<string, string>();
  /** Checkpoints that services have stored at one instant of the load for a later start. */
  readonly checkpoints = new Map<string, unknown>();
  /** Errors that the code has logged. */
  readonly errors: string[] = [];
  private lives = 0;
  private readonly links = new Map<SimulatedProcess, SimulatedLink>();

  constructor(
    readonly simulator: Simulator,
    readonly plan: FaultPlan,
    onCommit: (writes: ReadonlyMap<string, object | null>) => void,
  ) {
    this.server = new MemoryServer({
      onCommit,
      now: () => simulator.now,
      timer: (ms, fire) => simulator.after(ms, 'server timer', fire),
    });
    this.channels = new Channels(simulator, plan, this.conditions);
    this.broker = new SimulatedBroker(simulator, plan, this.conditions);
    this.reference = new FixedReference(
      SERVICES.map(({ service, catalog }) => catalog?.(plan.partitions[service] ?? 1) ?? {}),
    );
    this.config = { ledgerPartitions: plan.ledgerPartitions, dev: true } as Config;
    Logger.overrideLogger({
      log: () => undefined,
      debug: () => undefined,
      verbose: () => undefined,
      fatal: (text: unknown) => this.logged(`fatal ${withoutStack(text)}`),
      error: (text: unknown) => this.logged(`error ${withoutStack(text)}`),
      warn: (text: unknown) => simulator.note(`warn ${withoutStack(text)}`),
    });
  }

  private logged(text: string): void {
    this.simulator.note(text);
    this.errors.push(text);
  }

  start(): void {
    for (const { outsideViews } of SERVICES)
      for (const [channel, view] of Object.entries(outsideViews?.(BEGINNING) ?? {}))
        this.channels.kept.set(channel, view);
    for (const name of processesOf(this.plan.mode)) this.boot(name);
  }

  get topics(): Readonly<Record<string, number>> {
    const { plan, config } = this;
    const topics = SERVICES.map(({ service, topics: own }) => own?.(plan.partitions[service] ?? 1, config) ?? {});
    return {
      ...(Object.assign({}, ...topics) as Record<string, number>),
      [TOPICS.userEvents]: USER_PARTITIONS,
      // No consumer reads it here: user notices change no state.
      [TOPICS.userNotices]: 1,
      [TOPICS.reference]: 1,
      ...Object.fromEntries(RESULT_TOPICS.map((topic) => [topic, 1])),
    };
  }

  /** Starts a process, as its supervisor does. */
  boot(name: string): void {
    const process = new SimulatedProcess(name, (this.lives += 1), this.simulator);
    this.running.set(
      name,
      within(process, () => this.compose(process)),
    );
  }

  kill(name: string): void {
    const parts = this.running.get(name);
    if (!parts?.process.alive) return;
    parts.process.alive = false;
    this.simulator.note(`KILL ${parts.process.id}`);
    this.channels.leave(parts.process);
    this.links.get(parts.process)?.closeAll();
    this.links.delete(parts.process);
    // Of sagas that wait its next life says the same again, if they still do: a move may be refused while the house's
    // money is on its way to a partition.
    for (const { name: alarm, detail } of parts.alarms.list())
      if (!alarm.startsWith('saga:')) this.alarms.set(alarm, detail);
  }

  private compose(process: SimulatedProcess): RunningProcess {
    const { simulator, plan, conditions, config, reference } = this;
    const link = new SimulatedLink(simulator, process, plan, conditions);
    this.links.set(process, link);
    const databases = new SimulatedDatabases(this.server, link, simulator, process, plan, conditions);
    const { replies, views, asks } = this.channels.join(process);
    const alarms = new Alarms();
    const clock = new SystemClock();
    const options = {
      instance: process.name,
      partitions: this.topics,
      alarms,
      onFatal: (reason: string) => this.logged(`fatal ${process.id}: ${reason}`),
    };
    const embedded = plan.mode === 'embedded';
    const log = embedded
      ? new InProcessLog(options, databases)
      : new KafkaLog({ ...options, brokers: ['broker'], client: this.broker.client(process) }, databases);
    const services = new Map<string, unknown>();
    const start = ({ service, schema, sagas: begins, start: compose }: AnySimulatedService): void => {
      const database = databases.at(schema);
      const partitions = config.ledgerPartitions;
      const sagas = new Sagas({ service, database, log, replies, clock, alarms, partitions });
      const machine = { log, replies, views, asks, clock, alarms, metrics: NO_METRICS, random: simulator.random };
      services.set(
        service,
        compose({ reference, config, database, sagas, crowd: plan.crowd, dry: plan.dry, ...machine }),
      );
      if (begins) sagas.start();
    };
    const here = SERVICES.filter((one) => embedded || ownProcesses(one).includes(process.name));
    const shared = embedded || process.name === SHARED;
    for (const service of here) if (service.copies) start(service);
    // Deadlines are fired by the first process that polls them.
    const looks = shared || here.some(({ deadlines }) => deadlines);
    const timers = looks ? new Timers(databases.at('gateway'), clock) : undefined;
    timers?.handle(TIMER, ({ id, dueAt }, tx) => {
      const fails = !conditions.healed && simulator.random.chance(0.1);
      return fireDeadline(id, dueAt, tx, fails);
    });
    timers?.start();
    if (shared) {
      for (const service of SERVICES) if (!service.copies) start(service);
      log.consume({
        consumer: 'gateway.events',
        topic: TOPICS.userEvents,
        database: databases.at('gateway'),
        handle: (messages, tx) => storePushes(messages, tx),
      });
    }
    return { process, alarms, clock, log, databases, services, ...(timers ? { timers } : {}) };
  }

  /** Stores checkpoints of services for a later start. */
  takeCheckpoints(): void {
    for (const service of SERVICES)
      if (service.checkpoint) this.checkpoints.set(service.service, service.checkpoint(this.outsideView(service)));
  }

  living(what: (parts: RunningProcess) => boolean): RunningProcess[] {
    return [...this.running.values()].filter((parts) => parts.process.alive && what(parts));
  }

  /** The exchange as one service is shown it from outside. */
  outsideView({ service }: AnySimulatedService): SimulatedView<unknown> {
    const { reference, config, server, channels } = this;
    const running = this.living(({ services }) => services.has(service)).map(({ services }) => services.get(service));
    return { reference, config, server, views: channels.kept, running };
  }

  /**
   * Returns a live process of each service that stores answers, as `/api/command` queries them; undefined: none is
   * alive.
   */
  outcomeSources(): readonly (OutcomeSource | undefined)[] {
    return SERVICES.flatMap(({ service, outcome }) => {
      if (!outcome) return [];
      const [found] = this.living(({ services }) => services.has(service));
      return found
        ? { process: found.process, outcome: (commandId) => outcome(found.services.get(service), commandId) }
        : undefined;
    });
  }

  raisedAlarms(): ReadonlyMap<string, string> {
    const all = new Map(this.alarms);
    for (const { alarms } of this.running.values()) for (const { name, detail } of alarms.list()) all.set(name, detail);
    return all;
  }
}
