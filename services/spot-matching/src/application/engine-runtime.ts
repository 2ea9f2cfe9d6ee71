import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  decode,
  ReferenceRowV1,
  SpotCancelV1,
  SpotModeV1,
  SpotPlaceV1,
  TOPICS,
  type LedgerReply,
  type Message,
  type SpotCancel,
  type SpotModeChange,
  type SpotPlace,
} from '@bourse/events';
import { replyOf } from '@bourse/ledger-client';
import { Log, Replies, Views, type Delivery, type OwnedPartition } from '@bourse/messaging';
import { Database, StreamHeads, type Tx } from '@bourse/persistence';
import { Alarms, answerFromText, answerOf, Clock, Config, keptText, Metrics, Readiness } from '@bourse/platform';
import { LadderBook } from '../domain/ladder-book.js';
import { ticksOf, type Market } from '../domain/market.js';
import { MarketEngine } from '../domain/market-engine.js';
import { newOrder, type OrderTerms } from '../domain/order.js';
import { DepthPublisher } from './depth-publisher.js';
import { EngineBatch } from './engine-batch.js';
import { EngineReports } from './engine-reports.js';
import { LocalBooks } from './local-books.js';
import { Markets, type ListedMarket } from './markets.js';
import { termsOf } from './order-messages.js';
import { numberText, orderView, priceText } from './order-view.js';
import { EngineStore, type EngineWrite, type MarketRow } from './ports.js';

export const CONSUMER = 'spot.engine';
/** Answers of cancels are given again for this long. */
const ANSWER_DAYS = 7;
/** Messages of one group commit. */
const BATCH_MAX = 1_000;

interface Running {
  readonly engine: MarketEngine;
  readonly market: ListedMarket;
  modeVersion: number;
}

/**
 * Owns the partitions of `spot.commands`: takes what has gathered, runs it through the books, and commits orders,
 * trades, outbox and position in one transaction. Nothing leaves before. After a failed or uncertain commit all books
 * are thrown away and loaded again.
 */
@Injectable()
export class EngineRuntime {
  private readonly logger = new Logger('Engine');
  /** Partitions that another instance has. */
  private readonly standing = new Set<number>();
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
    private readonly alarms: Alarms,
    metrics: Metrics,
  ) {
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
    this.standing.delete(owned.partition);
    this.tellReady();
    await this.markets.ready();
    await this.store.noteOneOwner([...this.markets.oneOwner]);
    const running = await this.load(owned.partition);
    const heads = await StreamHeads.load(this.database, owned.partition);
    const depth = new DepthPublisher(this.views, () => this.clock.real());
    try {
      await this.announceModes(owned, running, heads);
      for (const { engine } of running.values()) depth.add(engine);
      this.books.set(owned.partition, { engines: running, depth });
      this.tellReady();
      await this.serve(owned, running, heads, depth);
    } finally {
      this.books.delete(owned.partition);
      this.readiness.set('spot.books', false);
      depth.stop();
    }
  }

  /** Another instance runs these books: this one is ready to take them over, and serves calls meanwhile. */
  standBy(partition: number): void {
    this.standing.add(partition);
    this.tellReady();
  }
  private tellReady(): void {
    this.readiness.set(
      'spot.books',
      this.books.owned + this.standing.size === this.log.partitionsOf(TOPICS.spotCommands),
    );
  }

  /** Books of a partition from their open orders: the recovery point, committed together with the position. */
  private async load(partition: number): Promise<Map<string, Running>> {
    const stored = new Map((await this.store.markets(partition)).map((row) => [row.symbol, row]));
    const running = new Map<string, Running>();
    for (const market of this.markets.all()) {
      if (market.partition === partition)
        running.set(market.symbol, await this.open(market, stored.get(market.symbol)));
    }
    return running;
  }

  private async open(market: ListedMarket, row: MarketRow | undefined): Promise<Running> {
    const engine = emptyEngine(market, row);
    engine.restore(await this.store.openOrders(market));
    if (row && row.hash !== '' && row.hash !== engine.hash()) {
      this.alarms.raise(
        `book:${market.symbol}`,
        `the book built from its open orders is not the one that was committed at ${row.sequence}: orders were altered`,
      );
      throw new Error(`invariant: the book of ${market.symbol} differs from the one committed at ${row.sequence}`);
    }
    return { engine, market, modeVersion: row?.modeVersion ?? 0 };
  }

  /** Modes are reference data of this service: all of them are published again at each start. */
  private async announceModes(
    owned: OwnedPartition,
    running: ReadonlyMap<string, Running>,
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
    running: Map<string, Running>,
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
      taking?.catch(() => undefined); // nobody waits for it any more: it rejects when ownership ends
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
    running: Map<string, Running>,
    depth: DepthPublisher,
  ): void {
    const { commands, applied } = this.read(owned, deliveries);
    batch.deliveries.push(...applied);
    batch.commands += commands.length;
    for (const command of commands) this.apply(command, batch, running, depth);
  }

  private async commit(
    owned: OwnedPartition,
    batch: EngineBatch,
    running: ReadonlyMap<string, Running>,
    heads: StreamHeads,
    depth: DepthPublisher,
  ): Promise<void> {
    const startedAt = performance.now();
    batch.publishTrades();
    // Everything is read from the books before the first await: the next batch may run from there on.
    const write = this.store.prepare(this.written(batch, running));
    const arrivals = batch.arrivals((id) => this.reports.wants(id));
    const rows = heads.stage(batch.emissions);
    depth.handedOver(batch.touched);
    await this.database.transaction(
      async (tx) => {
        // In this order; one that fails undoes all.
        await Promise.all([
          write(tx),
          this.answerCancels(tx, batch),
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

  /** Commands in order. A row that cannot be read stops its stream: what follows it there must wait for an operator. */
  private read(owned: OwnedPartition, deliveries: readonly Delivery[]): { commands: Command[]; applied: Delivery[] } {
    const commands: Command[] = [];
    const applied: Delivery[] = [];
    const stopped = new Set<string>();
    for (const delivery of deliveries) {
      if (delivery.kind === 'command') {
        // The ledger is the only sender: a direct command is dropped and stays dropped.
        this.logger.error(
          `a direct ${delivery.message.type} reached ${TOPICS.spotCommands}/${owned.partition}; dropped`,
        );
        applied.push(delivery);
        continue;
      }
      const { stream, number } = delivery.row;
      if (stopped.has(stream)) continue;
      const parsed = delivery.messages.map((message) => this.parse(message));
      const bad = parsed.find((one) => typeof one === 'string');
      if (bad !== undefined) {
        stopped.add(stream);
        owned.stopStream(stream, number, bad);
        continue;
      }
      commands.push(...(parsed as Command[]));
      applied.push(delivery);
    }
    return { commands, applied };
  }

  private parse(message: Message): Command | string {
    switch (message.type) {
      case SpotPlaceV1.name: {
        const read = decode(SpotPlaceV1, message);
        if (!read.ok) return read.error;
        const market = this.markets.byPair(read.body.pairId);
        if (!market)
          return `order ${read.body.orderId} is for pair ${read.body.pairId}, which the catalog does not have`;
        if (message.context?.held === undefined) return `order ${read.body.orderId} came without its hold`;
        try {
          return {
            kind: 'place',
            body: read.body,
            market,
            terms: termsOf(market, read.body, message.context.held, market),
          };
        } catch (error) {
          return `order ${read.body.orderId}: ${(error as Error).message}`;
        }
      }
      case SpotCancelV1.name: {
        const read = decode(SpotCancelV1, message);
        return read.ok ? { kind: 'cancel', body: read.body } : read.error;
      }
      case SpotModeV1.name: {
        const read = decode(SpotModeV1, message);
        return read.ok ? { kind: 'mode', body: read.body } : read.error;
      }
      default:
        return `${message.type} is no command of a book`;
    }
  }

  private apply(command: Command, batch: EngineBatch, running: Map<string, Running>, depth: DepthPublisher): void {
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
  private listed(symbol: string, running: Map<string, Running>, depth: DepthPublisher): Running | undefined {
    const market = this.markets.bySymbol(symbol);
    if (!market) return undefined;
    const one = { engine: emptyEngine(market, undefined), market, modeVersion: 0 };
    running.set(symbol, one);
    depth.add(one.engine);
    return one;
  }

  /**
   * Cancels of orders that are not open are answered by their stored state; answers whose caller named a key are kept
   * with their effect.
   */
  private async answerCancels(tx: Tx, batch: EngineBatch): Promise<void> {
    const open = batch.answers.filter(({ reply }) => reply === null);
    const done =
      open.length === 0
        ? new Map<string, string>()
        : await this.store.done(
            tx,
            open.map(({ command }) => command),
          );
    for (const answer of open) {
      const { commandId, orderId } = answer.command;
      const state = done.get(orderId);
      answer.reply = {
        commandId,
        ok: false,
        repeated: false,
        answer:
          state === undefined
            ? { type: 'error', key: 'common.notFound' }
            : { type: 'error', key: 'trade.notOpen', params: { state } },
      };
    }
    // The log may bring a cancel twice: the first one's answer is the answer to both.
    const first = new Map<string, (typeof batch.answers)[number]>();
    for (const answer of batch.answers) {
      const known = first.get(answer.command.commandId);
      if (known) answer.reply = known.reply;
      else first.set(answer.command.commandId, answer);
    }
    const kept = [...first.values()].filter(({ command }) => command.bodyHash !== undefined);
    if (kept.length === 0) return;
    const stood = await this.database.tables.answers.recordAll(
      tx,
      kept.map(({ command, reply }) => ({
        commandId: command.commandId,
        bodyHash: command.bodyHash ?? null,
        answer: keptText(answerOf(answerIn(reply))),
      })),
      ANSWER_DAYS,
    );
    for (const answer of batch.answers) {
      const before = stood.get(answer.command.commandId);
      if (before !== undefined) answer.reply = replyOf(answer.command.commandId, answerFromText(before));
    }
  }

  private written(batch: EngineBatch, running: ReadonlyMap<string, Running>): EngineWrite {
    const markets = [...batch.touched].flatMap((symbol): MarketRow[] => {
      const one = running.get(symbol);
      if (!one) return [];
      const { sequence, tradeSequence, lastPrice, mode, at } = one.engine.state;
      return [
        {
          symbol,
          partition: one.market.partition,
          sequence,
          tradeSequence,
          lastPrice: priceText(one.market, lastPrice),
          mode,
          modeVersion: one.modeVersion,
          at,
          hash: one.engine.hash(),
        },
      ];
    });
    return {
      inserted: [...batch.inserted].map(([order, market]) => [market, order] as const),
      updated: [...batch.updated]
        .filter(([order]) => !batch.inserted.has(order))
        .map(([order, market]) => [market, order] as const),
      trades: batch.trades,
      markets,
    };
  }
}

type Command =
  | { readonly kind: 'place'; readonly body: SpotPlace; readonly market: ListedMarket; readonly terms: OrderTerms }
  | { readonly kind: 'cancel'; readonly body: SpotCancel }
  | { readonly kind: 'mode'; readonly body: SpotModeChange };

function emptyEngine(market: Market, row: MarketRow | undefined): MarketEngine {
  return new MarketEngine(market, new LadderBook(), {
    sequence: row?.sequence ?? 0,
    tradeSequence: row?.tradeSequence ?? 0,
    lastPrice: row ? ticksOf(market, row.lastPrice) : 0,
    mode: row?.mode ?? 'normal',
    at: row?.at ?? 0,
  });
}

/** What a cancel was told. */
function answerIn(reply: LedgerReply | null): LedgerReply['answer'] {
  if (!reply) throw new Error('invariant: a cancel is kept before it is answered');
  return reply.answer;
}

function modeRow({ engine, modeVersion }: Running): { topic: string; partition: number; message: Message } {
  const { symbol } = engine.market;
  return {
    topic: TOPICS.reference,
    partition: 0,
    message: ReferenceRowV1.encode({
      kind: 'mode',
      id: symbol,
      version: modeVersion,
      row: { symbol, mode: engine.state.mode },
    }),
  };
}
