import { Inject, Injectable } from '@nestjs/common';
import { HOUSE_ACCOUNTS } from '@bourse/contract';
import { SpotAdoptV1, TOPICS } from '@bourse/events';
import { Log, Replies, Views, type Delivery, type OwnedPartition } from '@bourse/messaging';
import { Database, StreamHeads } from '@bourse/persistence';
import { Alarms, Clock, Config, Metrics, RandomIds, Readiness } from '@bourse/platform';
import { newOrder, numberText, orderView } from '@bourse/matching';
import { amendAnswer, amendRefusal } from './amend-answers.js';
import { BookRecovery } from './book-recovery.js';
import { CancelAnswers, replyToDone } from './cancel-answers.js';
import { CommitPace } from './commit-pace.js';
import { DepthPublisher } from './depth-publisher.js';
import { EngineBatch, type EngineAnswer } from './engine-batch.js';
import { EngineCommands, type EngineCommand } from './engine-commands.js';
import { EngineProgress } from './engine-progress.js';
import { EngineReports } from './engine-reports.js';
import { FeeRates } from './fee-rates.js';
import { LocalBooks } from './local-books.js';
import { Markets } from './markets.js';
import { passedOn } from './passed-on.js';
import { EngineStore } from './ports.js';
import { modeRow, writeOf, type RunningMarket } from './running-market.js';

/** Consumer of `spot.commands`. */
export const CONSUMER = 'spot.engine';
/** Messages of one group commit. */
const BATCH_MAX = 1_000;
/** Commands of a batch up to which calls are answered before its commit: a start reads them again in one take. */
const AHEAD_MAX = BATCH_MAX / 2;

/** How long before its execution a command can be dated; a restart takes less. */
const DATED_BACK_MS_MAX = 60_000;

/** The books of a partition while it is owned. */
interface OwnedBooks {
  readonly owned: OwnedPartition;
  readonly running: Map<string, RunningMarket>;
  readonly heads: StreamHeads;
  readonly depth: DepthPublisher;
  /** Markets that leave with a batch that is not committed yet, and the partitions that they go to. */
  readonly leaving: Map<string, number>;
}
/** A commit that was begun. */
interface Commit {
  done: Promise<void>;
  ended: boolean;
  readonly batch?: EngineBatch;
}

/**
 * Owns the partitions of `spot.commands`: takes what has gathered, runs it through the books, and commits orders,
 * trades, outbox and position in one transaction. After a failed or uncertain commit all books are thrown away and
 * loaded again. Nothing leaves before the commit, except answers to calls where one durable stream brings all commands:
 * a crash reads the same rows in the same order, and the books do the same with them (decision 0243). A market is at
 * home in one partition, by its row: a move changes the row with its batch, and what comes for the market afterwards is
 * passed on to where it went (decision 0132).
 */
@Injectable()
export class EngineRuntime {
  /** Partitions that another instance has. */
  private readonly ownedElsewhere = new Set<number>();
  private readonly recovery: BookRecovery;
  private readonly commands: EngineCommands;
  private readonly cancels: CancelAnswers;
  private readonly ids = new RandomIds();
  /** Whether one stream brings all commands, so that calls can be answered ahead of the commit. */
  private readonly answersAhead: boolean;
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
    private readonly progress: EngineProgress,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
    private readonly rates: FeeRates,
    alarms: Alarms,
    metrics: Metrics,
  ) {
    this.answersAhead = !log.shared && config.ledgerPartitions === 1 && log.partitionsOf(TOPICS.spotCommands) === 1;
    this.recovery = new BookRecovery(markets, store, alarms);
    this.commands = new EngineCommands(markets, rates);
    this.cancels = new CancelAnswers(store, database, () => clock.now());
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
    await this.rates.ready();
    await this.store.noteOneOwner([...this.markets.oneOwner]);
    const running = await this.recovery.load(owned.partition);
    const heads = await StreamHeads.load(this.database, owned.partition);
    const depth = new DepthPublisher(this.views, () => this.clock.real(), owned.partition);
    try {
      await this.announceModes(owned, running, heads);
      for (const { engine } of running.values()) depth.add(engine);
      this.books.set(owned.partition, { engines: running, depth });
      this.reportReadiness();
      await this.serve({ owned, running, heads, depth, leaving: new Map() });
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
  private async serve(books: OwnedBooks): Promise<never> {
    const { owned } = books;
    const pace = new CommitPace();
    this.progress.hurry = () => pace.hurry();
    let taking: Promise<readonly Delivery[]> | undefined;
    let commit: Commit = { done: Promise.resolve(), ended: true };
    try {
      for (;;) {
        const batch = this.newBatch(owned);
        const isDue = (): boolean =>
          batch.deliveries.length > 0 &&
          (batch.commands >= BATCH_MAX || (commit.ended && pace.isOver(batch.isAwaited)));
        while (!isDue()) {
          taking ??= owned.take(BATCH_MAX);
          // A commit that fails ends the wait, and with it all that was matched ahead of it.
          const deliveries = await Promise.race([
            taking,
            ...(commit.ended ? [] : [commit.done]),
            ...(commit.ended && batch.deliveries.length > 0 ? [pace.waitForRest(batch.isAwaited)] : []),
          ]);
          if (!deliveries) continue;
          taking = undefined;
          const { commands, applied } = this.commands.read(owned, deliveries);
          const homes = await this.find(books, commands, commit);
          this.match(books, commands, batch, homes);
          batch.deliveries.push(...applied);
          if (!this.answersAhead) continue;
          for (const delivery of applied) if (delivery.kind === 'row') batch.lastRow = delivery.row.number;
          // One that is committed at once is answered by its commit.
          if (isDue() || batch.commands > AHEAD_MAX) continue;
          await this.answerAhead(batch, commit.ended ? undefined : commit.batch);
        }
        await commit.done;
        pace.noteBegin();
        const startedAt = performance.now();
        const started: Commit = { done: Promise.resolve(), ended: false, batch };
        started.done = this.commit(books, batch).finally(() => {
          started.ended = true;
          if (this.answersAhead) pace.noteEnd(performance.now() - startedAt);
        });
        // It is awaited below, and may fail before that.
        started.done.catch(() => undefined);
        commit = started;
      }
    } finally {
      // The commit under way ends before the books are thrown away; how it ended was either seen above or is found in
      // the database.
      await Promise.allSettled([commit.done]);
      taking?.catch(() => undefined); // no longer awaited: it rejects when ownership ends
    }
  }

  /**
   * Answers calls whose commands ran in a batch that is not committed yet and move no money: orders that rest, and
   * changes of orders that ended before. What frees or moves money is answered by the commit, behind which an order
   * placed next may use it (api §2.3).
   */
  private async answerAhead(batch: EngineBatch, committing: EngineBatch | undefined): Promise<void> {
    const answered = new Set<number>();
    for (const [order, market] of batch.arrivals((id) => this.reports.wants(id))) {
      if (order.status !== 1 || order.filled > 0) {
        batch.isAwaited = true;
        continue;
      }
      answered.add(order.userId);
      this.reports.keepAnswered(order);
      this.reports.report(orderView(market, order));
    }
    const unknown: EngineAnswer[] = [];
    for (const answer of batch.answers) {
      const { orderId, bodyHash } = answer.command;
      if (answer.isSent) continue;
      const isEnding = batch.ended.has(orderId) || committing?.ended.has(orderId) === true;
      if (answer.reply === null && bodyHash === undefined && !answer.release && !isEnding) unknown.push(answer);
      else batch.isAwaited = true;
    }
    if (unknown.length > 0) {
      // No batch ahead knows these orders, so their rows are final.
      const states = await this.store.done(
        this.database,
        unknown.map(({ command }) => command),
      );
      for (const answer of unknown) {
        const { commandId, orderId, replyTo } = answer.command;
        answer.reply = replyToDone(commandId, states.get(orderId));
        answer.isSent = true;
        if (replyTo) this.replies.publish(replyTo, answer.reply);
      }
    }
    this.progress.noteAnswered(batch.lastRow, answered);
  }

  private newBatch(owned: OwnedPartition): EngineBatch {
    return new EngineBatch({
      ledgerPartitions: this.config.ledgerPartitions,
      userPartitions: this.log.partitionsOf(TOPICS.userEvents),
      partition: owned.partition,
      newId: () => this.ids.next(),
    });
  }

  /**
   * Opens the markets of these commands that belong here and do not run yet, and returns where the others are. One
   * that leaves with a batch that is not committed yet is at home where it goes.
   */
  private async find(
    { owned, running, depth, leaving }: OwnedBooks,
    commands: readonly EngineCommand[],
    commit: Commit,
  ): Promise<ReadonlyMap<string, number>> {
    const homes = new Map<string, number>();
    for (const { kind, body } of commands) {
      const { symbol } = body;
      if (running.has(symbol) || homes.has(symbol)) continue;
      // It may have come back already, by commits behind the one under way here.
      if (kind === 'adopt' && leaving.has(symbol)) await commit.done;
      const to = leaving.get(symbol);
      const found = to ?? (await this.recovery.find(symbol, owned.partition));
      if (typeof found === 'number') homes.set(symbol, found);
      else if (found) {
        running.set(symbol, found);
        depth.add(found.engine);
      }
    }
    return homes;
  }

  private match(
    books: OwnedBooks,
    commands: readonly EngineCommand[],
    batch: EngineBatch,
    homes: ReadonlyMap<string, number>,
  ): void {
    batch.commands += commands.length;
    for (const command of commands) {
      const applied = command.trace === undefined ? undefined : batch.inTrace(command.trace, command.kind);
      this.apply(command, books, batch, homes);
      applied?.();
    }
  }

  private async commit({ owned, running, heads, depth, leaving }: OwnedBooks, batch: EngineBatch): Promise<void> {
    const startedAt = performance.now();
    batch.publishTrades();
    // Everything is read from the books before the first await: the next batch may run from there on.
    const write = this.store.prepare(writeOf(batch, running));
    const arrivals = batch.arrivals((id) => this.reports.wants(id)).map(([order, market]) => orderView(market, order));
    const rows = heads.stage(batch.emissions);
    depth.handedOver(batch.touched);
    const save = (): Promise<void> =>
      this.database.transaction(
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
    await (batch.spans ? batch.spans.step('postgresql transaction', { kind: 'client' }, save) : save());
    batch.spans?.end();
    heads.commit();
    for (const symbol of batch.moved.keys()) {
      leaving.delete(symbol);
      depth.remove(symbol);
    }
    this.commitTime.observe((performance.now() - startedAt) / 1_000);
    this.batchSize.observe(batch.commands);
    for (const view of batch.tradeViews()) this.views.publish(`trades/${view.symbol}`, view);
    depth.committed([...batch.touched].filter((symbol) => !batch.moved.has(symbol)));
    for (const {
      command: { replyTo },
      reply,
      isSent,
    } of batch.answers)
      if (replyTo && reply && !isSent) this.replies.publish(replyTo, reply);
    for (const order of arrivals) this.reports.report(order);
    for (const order of batch.inserted.keys()) this.reports.committed(order.id);
    for (const [order, market] of batch.ended.values())
      if (!HOUSE_ACCOUNTS.has(order.userId)) this.reports.noteDone({ ...order, pairId: market.pairId });
    this.progress.noteCommitted(batch.lastRow);
  }

  private apply(
    command: EngineCommand,
    books: OwnedBooks,
    batch: EngineBatch,
    homes: ReadonlyMap<string, number>,
  ): void {
    // Its market was looked for when it was read.
    if (command.kind === 'adopt') return;
    const { running, depth, leaving } = books;
    const { symbol } = command.body;
    const one = running.get(symbol);
    const elsewhere = leaving.get(symbol) ?? homes.get(symbol);
    if (!one && elsewhere !== undefined) {
      batch.emissions.push({ topic: TOPICS.spotCommands, partition: elsewhere, message: passedOn(command.message) });
      return;
    }
    if (!one) {
      // No such market: no such order either. Orders of unknown pairs stop their stream before they come here.
      if (command.kind === 'cancel') batch.answers.push({ command: command.body, reply: null });
      if (command.kind === 'amend')
        batch.answers.push({ command: command.body, reply: null, ...releaseIfRefused(command, batch) });
      return;
    }
    if (command.kind === 'move' && !this.canGo(books, command.body.to)) return;
    const { engine, market } = one;
    const now = this.timeOf(command);
    if (!batch.touched.has(symbol)) {
      batch.touched.add(symbol);
      depth.touched(symbol);
    }
    if (command.kind === 'place') {
      const order = newOrder(command.terms);
      batch.inserted.set(order, market);
      if (command.stopLeg) {
        const stop = newOrder(command.stopLeg);
        batch.inserted.set(stop, market);
        engine.placePair(order, stop, now, batch.listener(market));
      } else engine.place(order, now, batch.listener(market));
    } else if (command.kind === 'cancel') {
      const { orderId, userId, commandId } = command.body;
      const order = engine.cancel(orderId, userId, 'user', now, batch.listener(market));
      batch.answers.push({
        command: command.body,
        ...(this.log.partitionsOf(TOPICS.spotCommands) > 1 ? { again: command.message } : {}),
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
    } else if (command.kind === 'trigger') {
      const { orderId, userId } = command.body;
      engine.trigger(orderId, userId, command.mark, now, batch.listener(market));
    } else if (command.kind === 'amend') {
      this.amend(command, one, now, batch);
    } else if (command.kind === 'mode') {
      engine.setMode(command.body.mode, now);
      one.modeVersion++;
      batch.emissions.push(modeRow(one));
    } else {
      const { to } = command.body;
      running.delete(symbol);
      leaving.set(symbol, to);
      batch.moved.set(symbol, { market: one, to });
      const adopt = SpotAdoptV1.encode({ symbol });
      batch.emissions.push({ topic: TOPICS.spotCommands, partition: to, message: adopt });
    }
  }

  /**
   * Business time of a command, ms: that of its row, so that what is read again after a crash has the same times. A row
   * that has waited long is dated not long ago.
   */
  private timeOf({ message }: EngineCommand): number {
    const now = this.clock.now();
    return Math.max(message.context?.at ?? now, now - DATED_BACK_MS_MAX);
  }

  private amend(
    command: EngineCommand & { kind: 'amend' },
    { engine, market }: RunningMarket,
    now: number,
    batch: EngineBatch,
  ): void {
    const { orderId, userId, commandId } = command.body;
    const before = engine.open.get(orderId)?.sequence;
    const done = engine.amend(orderId, userId, command.amend, now, batch.listener(market));
    if (done === null) {
      const again = this.log.partitionsOf(TOPICS.spotCommands) > 1 ? { again: command.message } : {};
      batch.answers.push({ command: command.body, ...again, ...releaseIfRefused(command, batch), reply: null });
      return;
    }
    const isRefused = typeof done === 'string';
    if (isRefused && command.amend.held > 0n) batch.emissions.push(batch.releaseOf(command.body));
    const order = isRefused ? engine.open.get(orderId) : done;
    if (!order) throw new Error(`invariant: order ${orderId} was refused an amend and is not open`);
    const answer = isRefused
      ? amendRefusal(market, order, done)
      : amendAnswer(market, order, order.sequence === before);
    batch.answers.push({ command: command.body, reply: { commandId, ok: !isRefused, repeated: false, answer } });
  }

  /** A market goes to another partition that there is. */
  private canGo({ owned }: OwnedBooks, to: number): boolean {
    return to !== owned.partition && to < this.log.partitionsOf(TOPICS.spotCommands);
  }
}

/** The release of an amend's own hold, which is emitted only when the amend is refused. */
const releaseIfRefused = (
  { body, amend }: EngineCommand & { kind: 'amend' },
  batch: EngineBatch,
): Pick<EngineAnswer, 'release'> => (amend.held > 0n ? { release: batch.releaseOf(body) } : {});
