import { Inject, Injectable } from '@nestjs/common';
import { TOPICS } from '@bourse/events';
import { Log, Replies, Views, type Delivery, type OwnedPartition } from '@bourse/messaging';
import { Database, StreamHeads } from '@bourse/persistence';
import { Alarms, Clock, Config, Metrics, Readiness } from '@bourse/platform';
import { newOrder } from '../domain/order.js';
import { BookRecovery } from './book-recovery.js';
import { CancelAnswers } from './cancel-answers.js';
import { DepthPublisher } from './depth-publisher.js';
import { EngineBatch } from './engine-batch.js';
import { EngineCommands, type EngineCommand } from './engine-commands.js';
import { EngineReports } from './engine-reports.js';
import { LocalBooks } from './local-books.js';
import { Markets } from './markets.js';
import { numberText, orderView } from './order-view.js';
import { EngineStore } from './ports.js';
import { emptyEngine, modeRow, writeOf, type RunningMarket } from './running-market.js';

/** Consumer of `spot.commands`. */
export const CONSUMER = 'spot.engine';
/** Messages of one group commit. */
const BATCH_MAX = 1_000;

/**
 * Owns the partitions of `spot.commands`: takes what has gathered, runs it through the books, and commits orders,
 * trades, outbox and position in one transaction. Nothing leaves before. After a failed or uncertain commit all books
 * are thrown away and loaded again.
 */
@Injectable()
export class EngineRuntime {
  /** Partitions that another instance has. */
  private readonly ownedElsewhere = new Set<number>();
  private readonly recovery: BookRecovery;
  private readonly commands: EngineCommands;
  private readonly cancels: CancelAnswers;
  private readonly batchSize;
  private readonly commitTime;

  constructor(
    private readonly log: Log,
    private readonly markets: Markets,
    private readonly books: LocalBooks,
    private readonly store: EngineStore,
    @Inject(Database) private readonly database: Database,
    private readonly views: Views,
    private readonly replies: Replies,
    private readonly reports: EngineReports,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
    alarms: Alarms,
    metrics: Metrics,
  ) {
    this.recovery = new BookRecovery(markets, store, alarms);
    this.commands = new EngineCommands(markets);
    this.cancels = new CancelAnswers(store, database);
    this.batchSize = metrics.histogram(
      'bourse_spot_batch_commands',
      'Commands in one commit of the engine',
      [],
      [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
    );
    this.commitTime = metrics.histogram('bourse_spot_commit_seconds', 'Time of one commit of the engine');
    readiness.set('spot.books', false);
  }

  /** Runs the books of a partition while it is owned. Throws on any failed or uncertain commit. */
  async run(owned: OwnedPartition): Promise<void> {
    this.ownedElsewhere.delete(owned.partition);
    this.reportReadiness();
    await this.markets.ready();
    await this.store.noteOneOwner([...this.markets.oneOwner]);
    const running = await this.recovery.load(owned.partition);
    const heads = await StreamHeads.load(this.database, owned.partition);
    const depth = new DepthPublisher(this.views, () => this.clock.real());
    try {
      await this.announceModes(owned, running, heads);
      for (const { engine } of running.values()) depth.add(engine);
      this.books.set(owned.partition, { engines: running, depth });
      this.reportReadiness();
      await this.serve(owned, running, heads, depth);
    } finally {
      this.books.delete(owned.partition);
      this.readiness.set('spot.books', false);
      depth.stop();
    }
  }

  /** Another instance runs these books: this one is ready to take them over, and serves calls meanwhile. */
  standBy(partition: number): void {
    this.ownedElsewhere.add(partition);
    this.reportReadiness();
  }
  private reportReadiness(): void {
    this.readiness.set(
      'spot.books',
      this.books.owned + this.ownedElsewhere.size === this.log.partitionsOf(TOPICS.spotCommands),
    );
  }

  /** Modes are reference data of this service: all of them are published again at each start. */
  private async announceModes(
    owned: OwnedPartition,
    running: ReadonlyMap<string, RunningMarket>,
    heads: StreamHeads,
  ): Promise<void> {
    const rows = heads.stage([...running.values()].map((one) => modeRow(one)));
    await this.database.transaction(async (tx) => {
      await tx.emitRows(rows);
      await owned.advance(tx, []);
    });
    heads.commit();
  }

  /** Runs what comes; while a commit is under way the next batch is matched, one ahead and no more. Ends by a throw. */
  private async serve(
    owned: OwnedPartition,
    running: Map<string, RunningMarket>,
    heads: StreamHeads,
    depth: DepthPublisher,
  ): Promise<never> {
    let taking: Promise<readonly Delivery[]> | undefined;
    let commit: { readonly done: Promise<void>; ended: boolean } = { done: Promise.resolve(), ended: true };
    try {
      for (;;) {
        const batch = this.newBatch(owned);
        do {
          taking ??= owned.take(BATCH_MAX);
          // A commit that fails ends the wait, and with it all that was matched ahead of it.
          const deliveries = await (commit.ended ? taking : Promise.race([taking, commit.done]));
          if (!deliveries) continue;
          taking = undefined;
          this.match(owned, deliveries, batch, running, depth);
        } while (batch.deliveries.length === 0 || (!commit.ended && batch.commands < BATCH_MAX));
        await commit.done;
        const started: { done: Promise<void>; ended: boolean } = { done: Promise.resolve(), ended: false };
        started.done = this.commit(owned, batch, running, heads, depth).finally(() => {
          started.ended = true;
        });
        commit = started;
      }
    } finally {
      // The commit under way ends before the books are thrown away; how it ended was either seen above or is found in
      // the database.
      await Promise.allSettled([commit.done]);
      taking?.catch(() => undefined); // no longer awaited: it rejects when ownership ends
    }
  }

  private newBatch(owned: OwnedPartition): EngineBatch {
    return new EngineBatch({
      ledgerPartitions: this.config.ledgerPartitions,
      userPartitions: this.log.partitionsOf(TOPICS.userEvents),
      partition: owned.partition,
    });
  }

  private match(
    owned: OwnedPartition,
    deliveries: readonly Delivery[],
    batch: EngineBatch,
    running: Map<string, RunningMarket>,
    depth: DepthPublisher,
  ): void {
    const { commands, applied } = this.commands.read(owned, deliveries);
    batch.deliveries.push(...applied);
    batch.commands += commands.length;
    for (const command of commands) this.apply(command, batch, running, depth);
  }

  private async commit(
    owned: OwnedPartition,
    batch: EngineBatch,
    running: ReadonlyMap<string, RunningMarket>,
    heads: StreamHeads,
    depth: DepthPublisher,
  ): Promise<void> {
    const startedAt = performance.now();
    batch.publishTrades();
    // Everything is read from the books before the first await: the next batch may run from there on.
    const write = this.store.prepare(writeOf(batch, running));
    const arrivals = batch.arrivals((id) => this.reports.wants(id));
    const rows = heads.stage(batch.emissions);
    depth.handedOver(batch.touched);
    await this.database.transaction(
      async (tx) => {
        // In this order; one that fails undoes all.
        await Promise.all([
          write(tx),
          this.cancels.answer(tx, batch),
          tx.emitRows(rows),
          owned.advance(tx, batch.deliveries),
        ]);
        // A cancel of an order that is not open must first look at its row.
      },
      { atOnce: batch.answers.every(({ reply }) => reply !== null), byKey: true },
    );
    heads.commit();
    this.commitTime.observe((performance.now() - startedAt) / 1_000);
    this.batchSize.observe(batch.commands);
    for (const view of batch.tradeViews()) this.views.publish(`trades/${view.symbol}`, view);
    depth.committed(batch.touched);
    for (const {
      command: { replyTo },
      reply,
    } of batch.answers)
      if (replyTo && reply) this.replies.publish(replyTo, reply);
    for (const order of arrivals) this.reports.report(order);
    for (const order of batch.inserted.keys()) this.reports.committed(order.id);
  }

  private apply(
    command: EngineCommand,
    batch: EngineBatch,
    running: Map<string, RunningMarket>,
    depth: DepthPublisher,
  ): void {
    const { symbol } = command.body;
    const one = running.get(symbol) ?? this.listed(symbol, running, depth);
    if (!one) {
      // No such market: no such order either. Orders of unknown pairs stop their stream before they come here.
      if (command.kind === 'cancel') batch.answers.push({ command: command.body, reply: null });
      return;
    }
    const { engine, market } = one;
    const now = this.clock.now();
    if (!batch.touched.has(symbol)) {
      batch.touched.add(symbol);
      depth.touched(symbol);
    }
    if (command.kind === 'place') {
      const order = newOrder(command.terms);
      batch.inserted.set(order, market);
      engine.place(order, now, batch.listener(market));
    } else if (command.kind === 'cancel') {
      const { orderId, userId, commandId } = command.body;
      const order = engine.cancel(orderId, userId, 'user', now, batch.listener(market));
      batch.answers.push({
        command: command.body,
        reply: order && {
          commandId,
          ok: true,
          repeated: false,
          answer: {
            type: 'ok',
            key: 'trade.cancelled',
            extra: {
              id: order.id,
              remaining: numberText(market, order.quantity - order.filled),
              order: orderView(market, order),
            },
          },
        },
      });
    } else {
      engine.setMode(command.body.mode, now);
      one.modeVersion++;
      batch.emissions.push(modeRow(one));
    }
  }

  /** A market that was listed after this partition was loaded: it has no rows yet. */
  private listed(
    symbol: string,
    running: Map<string, RunningMarket>,
    depth: DepthPublisher,
  ): RunningMarket | undefined {
    const market = this.markets.bySymbol(symbol);
    if (!market) return undefined;
    const one = { engine: emptyEngine(market, undefined), market, modeVersion: 0 };
    running.set(symbol, one);
    depth.add(one.engine);
    return one;
  }
}
