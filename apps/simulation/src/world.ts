import { Logger } from '@nestjs/common';
import { SEED_CURRENCIES, SEED_PAIRS, type PairRow } from '@bourse/contract';
import { RESULT_TOPICS, TOPICS, type FeedView, type LedgerReply, type Message } from '@bourse/events';
import { AskedLedgerAnswers, LedgerClient, replyOf, Sagas } from '@bourse/ledger-client';
import { InProcessLog, KafkaLog, Reference } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { AnswerStore, Timers, type Tx } from '@bourse/persistence';
import { MemoryServer, type MemoryTx } from '@bourse/persistence/memory';
import { Alarms, Readiness, Refused, SystemClock, type Config, type Metrics } from '@bourse/platform';
import {
  CancelOrders,
  CONSUMER,
  EngineReports,
  EngineRuntime,
  LocalBooks,
  Markets,
  PlaceOrder,
  type Checkpoint,
  type ListedMarket,
  type MarketRow,
} from '@bourse/spot-matching/simulation';
import { Currencies, HousePurses, LedgerWriter, TransferBetweenAccounts } from '@bourse/wallet-ledger/simulation';
import { SimulatedBroker } from './broker.js';
import { SimulatedHousePurseReads, SimulatedLedgerReader, SimulatedWriterStore } from './ledger-store.js';
import { Exchange, SimulatedDatabases, SimulatedLink, within, type NetworkConditions } from './network.js';
import { SimulatedEngineStore, SimulatedOrderReads, type StoredOrder } from './spot-store.js';
import { BEGINNING, SimulatedProcess, type Simulator } from './simulator.js';
import { PRODUCTS } from './products.generated.js';
import { processesOf, type Fault, type FaultPlan } from './fault-plan.js';

/** Partitions of the private events. */
const USER_PARTITIONS = 2;
const MARKETS = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC'];

/** The catalog of a simulated exchange: it does not change. */
class FixedReference extends Reference {
  private readonly pairs: readonly PairRow[];
  constructor(spotPartitions: number) {
    super();
    this.pairs = SEED_PAIRS.filter(({ symbol }) => MARKETS.includes(symbol)).map((pair, index) => ({
      ...pair,
      partition: index % spotPartitions,
      takerFee: index === 1 ? '0.25' : pair.takerFee,
    }));
  }
  all<T>(kind: 'currency' | 'pair' | 'mode' | 'setting'): readonly T[] {
    return (kind === 'pair' ? this.pairs : kind === 'currency' ? SEED_CURRENCIES : []) as readonly T[];
  }
  get<T>(kind: 'currency' | 'pair' | 'mode' | 'setting', id: string): T | undefined {
    return this.all<{ id: number }>(kind).find((row) => String(row.id) === id) as T | undefined;
  }
  onChange(): void {
    /* it never does */
  }
  ready(): Promise<void> {
    return Promise.resolve();
  }
}

const NO_METRICS = {
  counter: () => ({ inc: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  gauge: () => ({ set: () => undefined }),
} as unknown as Metrics;

/** The trace must not depend on where the sources lie, nor on their lines. */
const withoutStack = (text: unknown): string => String(text).replace(/\n\s+at .*/g, '');

/** What runs in one process. */
export interface Dependencies {
  readonly process: SimulatedProcess;
  readonly alarms: Alarms;
  readonly clock: SystemClock;
  readonly log: InProcessLog | KafkaLog;
  readonly databases: SimulatedDatabases;
  readonly books?: LocalBooks;
  readonly place?: PlaceOrder;
  readonly cancel?: CancelOrders;
  readonly transfer?: TransferBetweenAccounts;
  readonly timers?: Timers;
  /** What runs of each product here, by its service. */
  readonly products?: ReadonlyMap<string, unknown>;
  /** The stored answer of a command, as `/api/command` would ask for it. */
  stored?(commandId: string): Promise<LedgerReply | null>;
}

/** The kind of the deadlines that the simulator sets. */
export const TIMER = 'simulated';
/** A deadline that has fired. */
export interface StoredFiring {
  readonly id: string;
  readonly dueAt: number;
  readonly times: number;
}

/** One push as the gateway stores it. */
export interface StoredPush {
  readonly userId: number;
  readonly number: number;
  readonly text: string;
}

/**
 * One exchange in memory: its processes, database, broker and everything between them. The code that moves money is the
 * product's own.
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
  readonly exchange: Exchange;
  readonly broker: SimulatedBroker;
  readonly reference: Reference;
  readonly currencies: Currencies;
  readonly running = new Map<string, Dependencies>();
  /** Alarms of all processes so far, by name. */
  readonly alarms = new Map<string, string>();
  /** State of each market at one instant of the load, with what its book had read of each stream then. */
  readonly checkpoints = new Map<
    string,
    { readonly checkpoint: Checkpoint; readonly positions: ReadonlyMap<string, number> }
  >();
  /** Errors that the code has logged. */
  readonly errors: string[] = [];
  private lives = 0;
  private readonly config: Config;
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
    this.exchange = new Exchange(simulator, plan, this.conditions);
    this.broker = new SimulatedBroker(simulator, plan, this.conditions);
    this.reference = new FixedReference(plan.spotPartitions);
    this.currencies = new Currencies(this.reference);
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
    const at = BEGINNING + 10 * 365 * 86_400_000; // the feed is always fresh
    this.exchange.kept.set('feed', {
      at,
      kind: 'simulated',
      prices: Object.fromEntries(MARKETS.map((symbol) => [symbol, { price: '1', at }])),
    } satisfies FeedView);
    for (const name of processesOf(this.plan.mode)) this.boot(name);
  }

  get topics(): Readonly<Record<string, number>> {
    const { ledgerPartitions, spotPartitions } = this.plan;
    return {
      [TOPICS.ledgerCommands]: ledgerPartitions,
      [TOPICS.spotCommands]: spotPartitions,
      [TOPICS.spotEvents]: spotPartitions,
      [TOPICS.userEvents]: USER_PARTITIONS,
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
    this.exchange.leave(parts.process);
    this.links.get(parts.process)?.closeAll();
    this.links.delete(parts.process);
    for (const { name: alarm, detail } of parts.alarms.list()) this.alarms.set(alarm, detail);
  }

  private compose(process: SimulatedProcess): Dependencies {
    const { simulator, plan, conditions, config } = this;
    const link = new SimulatedLink(simulator, process, plan, conditions);
    this.links.set(process, link);
    const databases = new SimulatedDatabases(this.server, link, simulator, process, plan, conditions);
    const { replies, views, asks } = this.exchange.join(process);
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
    const runs = (what: string): boolean => embedded || process.name.startsWith(what);
    let parts: Dependencies = { process, alarms, clock, log, databases };

    if (runs('ledger')) {
      const database = databases.at('ledger');
      const reader = new SimulatedLedgerReader(database);
      asks.handle('wallet-ledger.answer', ({ commandId, bodyHash }: { commandId: string; bodyHash?: string | null }) =>
        reader.answer(commandId, bodyHash),
      );
      const writer = new LedgerWriter({
        database,
        store: new SimulatedWriterStore(database),
        replies,
        metrics: NO_METRICS,
        partitions: config.ledgerPartitions,
        context: {
          userEventPartitions: USER_PARTITIONS,
          scaleOf: (id) => this.currencies.scaleOf(id),
          nameOf: (id) => this.currencies.nameOf(id),
          isWatched: () => true,
        },
      });
      for (let partition = 0; partition < config.ledgerPartitions; partition++)
        log.own({ consumer: 'ledger.writer', topic: TOPICS.ledgerCommands, partition, database, run: writer.run });
      const ledger = new LedgerClient(log, replies, reader, clock, config);
      parts = { ...parts, transfer: new TransferBetweenAccounts(this.currencies, ledger) };
      new HousePurses(
        new SimulatedHousePurseReads(database, (id) => this.currencies.scaleOf(id) ?? 0),
        log,
        this.currencies,
        config,
      ).onApplicationBootstrap();
    }

    if (runs('spot')) {
      const database = databases.at('spot');
      const answers = new AnswerStore(database);
      const [books, reports, reads] = [new LocalBooks(), new EngineReports(), new SimulatedOrderReads(database)];
      const markets = new Markets(this.reference, books, views, clock, config);
      const runtime = new EngineRuntime(
        log,
        markets,
        books,
        new SimulatedEngineStore(database),
        database,
        views,
        replies,
        reports,
        config,
        clock,
        new Readiness(),
        alarms,
        NO_METRICS,
      );
      for (let partition = 0; partition < log.partitionsOf(TOPICS.spotCommands); partition += 1)
        log.own({
          consumer: CONSUMER,
          topic: TOPICS.spotCommands,
          partition,
          database,
          run: (owned) => runtime.run(owned),
          standby: () => runtime.standBy(partition),
        });
      const stored = new AskedLedgerAnswers(asks);
      const ledger = new LedgerClient(log, replies, stored, clock, config);
      parts = {
        ...parts,
        books,
        place: new PlaceOrder(markets, ledger, stored, answers, reports, clock),
        cancel: new CancelOrders(markets, reads, ledger, replies, answers, reports, books, clock),
        stored: async (commandId) =>
          (await asks.ask<{ commandId: string }, LedgerReply | null>('wallet-ledger.answer', { commandId })) ??
          storedReply(commandId, await answers.find(commandId)),
      };
    }

    if (!runs('ledger') || embedded) {
      // Deadlines fall due in whichever process looks first.
      const timers = new Timers(databases.at('gateway'), clock);
      timers.handle(TIMER, ({ id, dueAt }, tx) => this.fire(id, dueAt, tx));
      timers.start();
      parts = { ...parts, timers };
    }

    if (runs('views')) {
      const database = databases.at('gateway');
      const products = new Map<string, unknown>();
      for (const { service, schema, start } of PRODUCTS) {
        const own = databases.at(schema);
        const parts = { service, database: own, log, replies, clock, alarms, partitions: config.ledgerPartitions };
        const sagas = new Sagas(parts);
        products.set(service, start({ database: own, sagas, log, clock, random: simulator.random }));
        sagas.start();
      }
      parts = { ...parts, products };
      log.consume({
        consumer: 'gateway.events',
        topic: TOPICS.userEvents,
        database,
        handle: (messages, tx) => this.storePushes(messages, tx),
      });
    }
    return parts;
  }

  /** What a deadline does: it counts, in the transaction that removes it; some fail at first. */
  private fire(id: string, dueAt: number, tx: Tx): Promise<void> {
    const faulty = !this.conditions.healed && this.simulator.random.chance(0.1);
    return (tx as MemoryTx).statement('fire', async (at) => {
      if (faulty) throw new Error('this deadline fails for now');
      const times = (at.get<StoredFiring>('gateway.fired', id)?.times ?? 0) + 1;
      await at.put('gateway.fired', id, { id, dueAt, times } satisfies StoredFiring);
    });
  }

  /** Private events as the gateway numbers them: per user, in the order they come. */
  private storePushes(messages: readonly Message[], tx: Tx): Promise<void> {
    return (tx as MemoryTx).statement('number pushes', async (at) => {
      for (const { body } of messages as readonly Message<{ userId: number; event: string; payload: unknown }>[]) {
        const user = String(body.userId);
        await at.lock('gateway.user', user);
        const number = (at.get<{ number: number }>('gateway.user', user)?.number ?? 0) + 1;
        await at.put('gateway.user', user, { number });
        await at.put('gateway.push', `${user}#${number}`, {
          userId: body.userId,
          number,
          text: JSON.stringify(body),
        } satisfies StoredPush);
      }
    });
  }

  /** Lets one fault of the plan happen, and its end. */
  strike(fault: Fault): void {
    const { simulator, conditions } = this;
    simulator.note(`FAULT ${JSON.stringify(fault)}`);
    const { now } = simulator;
    switch (fault.kind) {
      case 'kill':
        if (!this.running.get(fault.process)?.process.alive) return;
        this.kill(fault.process);
        simulator.after(fault.downMs, `boot ${fault.process}`, () => {
          if (!this.running.get(fault.process)?.process.alive) this.boot(fault.process);
        });
        return;
      case 'stop': {
        const process = this.running.get(fault.process)?.process;
        if (process) process.stoppedUntil = Math.max(process.stoppedUntil, now + fault.forMs);
        return;
      }
      case 'clock':
        return this.change(fault.process, fault.forMs, (process, on) => {
          process.skew = on ? fault.byMs : 0;
        });
      case 'lag':
        return this.change(fault.process, fault.forMs, (process, on) => {
          process.slowness = on ? fault.byMs : 0;
        });
      case 'database-restart':
        this.server.restart();
        conditions.databaseDownUntil = Math.max(conditions.databaseDownUntil, now + fault.downMs);
        return;
      case 'database-slow':
        conditions.databaseSlowMs = fault.byMs;
        simulator.after(fault.forMs, 'database quick again', () => {
          conditions.databaseSlowMs = 0;
        });
        return;
      case 'broker-down':
        conditions.brokerDownUntil = Math.max(conditions.brokerDownUntil, now + fault.forMs);
        return;
      case 'replies-lost':
        conditions.repliesLostUntil = Math.max(conditions.repliesLostUntil, now + fault.forMs);
        return;
    }
  }

  private change(name: string, ms: number, set: (process: SimulatedProcess, on: boolean) => void): void {
    const process = this.running.get(name)?.process;
    if (!process) return;
    set(process, true);
    this.simulator.after(ms, `${name} as before`, () => set(process, false));
  }

  /** What the service does now and then: open orders, numbers and positions of one instant (`PostgresCheckpoints`). */
  takeCheckpoints(): void {
    const positions = new Map(
      this.server
        .rows<{ stream: string; number: number }>('spot.position')
        .map(({ stream, number }) => [stream, number]),
    );
    const orders = this.server.rows<StoredOrder>('spot.orders');
    for (const market of this.markets()) {
      const row = this.server.row<MarketRow>('spot.market', market.symbol);
      if (!row) continue;
      const state = {
        sequence: row.sequence,
        tradeSequence: row.tradeSequence,
        lastPrice: Number(toUnits(row.lastPrice, market.priceScale)),
        mode: row.mode,
        at: row.at,
      };
      this.checkpoints.set(market.symbol, {
        positions,
        checkpoint: {
          state,
          orders: orders
            .filter((order) => order.symbol === market.symbol && order.status === 1)
            .map((order) => ({ ...order }))
            .sort((a, b) => a.sequence - b.sequence),
        },
      });
    }
  }

  /** The end of all faults: what is down starts, what is stopped goes on. */
  heal(): void {
    const { conditions, simulator } = this;
    Object.assign(conditions, {
      healed: true,
      databaseDownUntil: 0,
      databaseSlowMs: 0,
      brokerDownUntil: 0,
      repliesLostUntil: 0,
    });
    for (const [name, { process }] of [...this.running]) {
      Object.assign(process, { skew: 0, slowness: 0 });
      if (!process.alive) this.boot(name);
    }
    simulator.note('HEALED');
  }

  markets(): readonly ListedMarket[] {
    return new Markets(
      this.reference,
      new LocalBooks(),
      { subscribe: () => () => undefined } as never,
      new SystemClock(),
      this.config,
    ).all();
  }

  living(what: (parts: Dependencies) => boolean): Dependencies[] {
    return [...this.running.values()].filter((parts) => parts.process.alive && what(parts));
  }

  raisedAlarms(): ReadonlyMap<string, string> {
    const all = new Map(this.alarms);
    for (const { alarms } of this.running.values()) for (const { name, detail } of alarms.list()) all.set(name, detail);
    return all;
  }
}

function storedReply(commandId: string, found: Awaited<ReturnType<AnswerStore['find']>>): LedgerReply | null {
  if (!found) return null;
  if (found.state === 'pending') throw new Refused('common.processing', {}, { type: 'pending' });
  return replyOf(commandId, found.answer);
}
