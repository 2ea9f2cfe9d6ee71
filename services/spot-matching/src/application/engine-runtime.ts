import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { decode, ReferenceRowV1, SpotCancelV1, SpotModeV1, SpotPlaceV1, TOPICS, type Message, type SpotCancel, type SpotModeChange, type SpotPlace } from '@bourse/events';
import { Log, Replies, Views, type Delivery, type OwnedPartition } from '@bourse/messaging';
import { Database, StreamHeads, type Tx } from '@bourse/persistence';
import { toUnits } from '@bourse/money';
import { Alarms, Clock, Config, Metrics, Readiness } from '@bourse/platform';
import { LadderBook } from '../domain/ladder-book.js';
import { lotsOf, ticksOf, type Market } from '../domain/market.js';
import { MarketEngine } from '../domain/market-engine.js';
import { newOrder, type Order, type OrderTerms } from '../domain/order.js';
import { DepthPublisher } from './depth-publisher.js';
import { EngineBatch } from './engine-batch.js';
import { EngineReports } from './engine-reports.js';
import { LocalBooks } from './local-books.js';
import { Markets, type ListedMarket } from './markets.js';
import { numberText, orderView, priceText, SIDE_NAMES, STP_NAMES, TIF_NAMES } from './order-view.js';
import { EngineStore, type MarketRow } from './ports.js';

export const CONSUMER = 'spot.engine';
/** Messages of one group commit. */
const BATCH_MAX = 1_000;

interface Running { readonly engine: MarketEngine; readonly market: ListedMarket; modeVersion: number }

/**
 * Owns the partitions of `spot.commands`: takes what has gathered, runs it through the books, and commits orders, trades, outbox and
 * position in one transaction. Nothing leaves before. After a failed or uncertain commit all books are thrown away and loaded again.
 */
@Injectable()
export class EngineRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Engine');
  private readonly handles: { stop(): Promise<void> }[] = [];
  private readonly batchSize;
  private readonly commitTime;

  constructor(
    private readonly log: Log, private readonly markets: Markets, private readonly books: LocalBooks, private readonly store: EngineStore, @Inject(Database) private readonly database: Database,
    private readonly views: Views, private readonly replies: Replies, private readonly reports: EngineReports,
    private readonly config: Config, private readonly clock: Clock, private readonly readiness: Readiness, private readonly alarms: Alarms, metrics: Metrics,
  ) {
    this.batchSize = metrics.histogram('spot_batch_commands', 'Commands in one commit of the engine', [], [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]);
    this.commitTime = metrics.histogram('spot_commit_ms', 'Time of one commit of the engine, ms');
  }

  onApplicationBootstrap(): void {
    this.readiness.set('spot.books', false);
    for (let partition = 0; partition < this.log.partitionsOf(TOPICS.spotCommands); partition++) {
      this.handles.push(this.log.own({ consumer: CONSUMER, topic: TOPICS.spotCommands, partition, database: this.database, run: (owned) => this.run(owned) }));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.handles.map((handle) => handle.stop()));
  }

  private async run(owned: OwnedPartition): Promise<void> {
    await this.markets.ready();
    const running = await this.load(owned.partition);
    const heads = await StreamHeads.load(this.database, owned.partition);
    const depth = new DepthPublisher(this.views, () => this.clock.real());
    try {
      await this.announceModes(owned, running, heads);
      for (const { engine } of running.values()) depth.add(engine);
      this.books.set(owned.partition, { engines: running, depth });
      this.readiness.set('spot.books', this.books.owned === this.handles.length);
      for (;;) await this.step(owned, await owned.take(BATCH_MAX), running, heads, depth);
    } finally {
      this.books.delete(owned.partition);
      this.readiness.set('spot.books', false);
      depth.stop();
    }
  }

  /** Books of a partition from their open orders: the recovery point, committed together with the position. */
  private async load(partition: number): Promise<Map<string, Running>> {
    const stored = new Map((await this.store.markets(partition)).map((row) => [row.symbol, row]));
    const running = new Map<string, Running>();
    for (const market of this.markets.all()) {
      if (market.partition === partition) running.set(market.symbol, await this.open(market, stored.get(market.symbol)));
    }
    return running;
  }

  private async open(market: ListedMarket, row: MarketRow | undefined): Promise<Running> {
    const engine = new MarketEngine(market, new LadderBook(), {
      sequence: row?.sequence ?? 0, tradeSequence: row?.tradeSequence ?? 0, lastPrice: row ? ticksOf(market, row.lastPrice) : 0, mode: row?.mode ?? 'normal', at: row?.at ?? 0,
    });
    engine.restore(await this.store.openOrders(market));
    if (row && row.hash !== '' && row.hash !== engine.hash()) {
      this.alarms.raise(`book:${market.symbol}`, `the book built from its open orders is not the one that was committed at ${row.sequence}: orders were altered`);
      throw new Error(`invariant: the book of ${market.symbol} differs from the one committed at ${row.sequence}`);
    }
    return { engine, market, modeVersion: row?.modeVersion ?? 0 };
  }

  /** Modes are reference data of this service: all of them are published again at each start. */
  private async announceModes(owned: OwnedPartition, running: ReadonlyMap<string, Running>, heads: StreamHeads): Promise<void> {
    const rows = heads.stage([...running.values()].map((one) => modeRow(one)));
    await this.database.transaction(async (tx) => { await tx.emitRows(rows); await owned.advance(tx, []); });
    heads.commit();
  }

  private async step(owned: OwnedPartition, deliveries: readonly Delivery[], running: Map<string, Running>, heads: StreamHeads, depth: DepthPublisher): Promise<void> {
    const { commands, applied } = this.read(owned, deliveries);
    if (applied.length === 0) return;
    const batch = new EngineBatch({ ledgerPartitions: this.config.ledgerPartitions, userPartitions: this.log.partitionsOf(TOPICS.userEvents), partition: owned.partition });
    const startedAt = performance.now();
    depth.begin();
    await this.database.transaction(async (tx) => {
      for (const command of commands) await this.apply(tx, command, batch, running);
      batch.publishTrades();
      await this.store.write(tx, this.written(batch, running));
      await this.keepAnswers(tx, batch);
      await tx.emitRows(heads.stage(batch.emissions));
      await owned.advance(tx, applied);
    });
    heads.commit();
    this.commitTime.observe(performance.now() - startedAt);
    this.batchSize.observe(commands.length);
    for (const symbol of batch.touched) if (!depth.view(symbol, 1)) depth.add(running.get(symbol)!.engine);
    for (const view of batch.tradeViews()) this.views.publish(`trades/${view.symbol}`, view);
    depth.committed(batch.touched);
    for (const { reply, replyTo } of batch.answers) if (replyTo) this.replies.publish(replyTo, reply);
    for (const order of batch.arrivals((id) => this.reports.wants(id))) this.reports.report(order);
  }

  /** Commands in order. A row that cannot be read stops its stream: what follows it there must wait for an operator. */
  private read(owned: OwnedPartition, deliveries: readonly Delivery[]): { commands: Command[]; applied: Delivery[] } {
    const commands: Command[] = [];
    const applied: Delivery[] = [];
    const stopped = new Set<string>();
    for (const delivery of deliveries) {
      if (delivery.kind === 'command') {
        // The ledger is the only sender: a direct command is dropped and stays dropped.
        this.logger.error(`a direct ${delivery.message.type} reached ${TOPICS.spotCommands}/${owned.partition}; dropped`);
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
        if (!market) return `order ${read.body.orderId} is for pair ${read.body.pairId}, which the catalog does not have`;
        if (message.context?.held === undefined) return `order ${read.body.orderId} came without its hold`;
        try {
          return { kind: 'place', body: read.body, market, terms: termsOf(market, read.body, message.context.held) };
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
      default: return `${message.type} is no command of a book`;
    }
  }

  private async apply(tx: Tx, command: Command, batch: EngineBatch, running: Map<string, Running>): Promise<void> {
    const symbol = command.body.symbol;
    const one = running.get(symbol) ?? (await this.listed(symbol, running));
    if (!one) {
      if (command.kind === 'cancel') this.answerCancel(batch, command.body, null, null);
      return;
    }
    const { engine, market } = one;
    const now = this.clock.now();
    batch.touched.add(symbol);
    if (command.kind === 'place') {
      const order = newOrder(command.terms);
      batch.inserted.set(order, market);
      engine.place(order, now, batch.listener(market));
    } else if (command.kind === 'cancel') {
      const { orderId, userId } = command.body;
      const cancelled = engine.cancel(orderId, userId, 'user', now, batch.listener(market));
      this.answerCancel(batch, command.body, cancelled && { market, order: cancelled }, cancelled ? null : (this.doneInBatch(batch, orderId, userId) ?? await this.store.done(tx, orderId, userId)));
    } else {
      engine.setMode(command.body.mode, now);
      one.modeVersion++;
      batch.emissions.push(modeRow(one));
    }
  }

  /** A market that was listed after this partition was loaded. */
  private async listed(symbol: string, running: Map<string, Running>): Promise<Running | undefined> {
    const market = this.markets.bySymbol(symbol);
    if (!market) return undefined;
    const one = await this.open(market, undefined);
    running.set(symbol, one);
    return one;
  }

  private doneInBatch(batch: EngineBatch, orderId: string, userId: number): 'filled' | 'cancelled' | null {
    for (const orders of [batch.inserted, batch.updated]) {
      for (const order of orders.keys()) if (order.id === orderId && order.userId === userId) return order.filled === order.quantity ? 'filled' : 'cancelled';
    }
    return null;
  }

  private answerCancel(batch: EngineBatch, command: SpotCancel, done: { market: Market; order: Order } | null, state: string | null): void {
    const { commandId, replyTo, bodyHash } = command;
    const reply = done
      ? { commandId, ok: true, repeated: false, answer: { type: 'ok' as const, key: 'trade.cancelled', extra: { id: done.order.id, remaining: numberText(done.market, done.order.quantity - done.order.filled), order: orderView(done.market, done.order) } } }
      : { commandId, ok: false, repeated: false, answer: state === null ? { type: 'error' as const, key: 'common.notFound' } : { type: 'error' as const, key: 'trade.notOpen', params: { state } } };
    batch.answers.push({ commandId, reply, replyTo, bodyHash });
  }

  /** Answers of cancels whose caller named a key, in the transaction of their effect. */
  private async keepAnswers(tx: Tx, batch: EngineBatch): Promise<void> {
    const kept = batch.answers.filter(({ bodyHash }) => bodyHash !== undefined);
    if (kept.length === 0) return;
    await tx.execute(
      `insert into answers (command_id, body_hash, state, answer, until) select command_id, body_hash, 'done', answer, now() + interval '7 days'
       from unnest($1::text[], $2::text[], $3::text[]) as a(command_id, body_hash, answer)
       on conflict (command_id) do update set state = 'done', answer = excluded.answer, until = excluded.until where answers.state = 'pending'`,
      [kept.map(({ commandId }) => commandId), kept.map(({ bodyHash }) => bodyHash), kept.map(({ reply }) => JSON.stringify(reply.ok ? { kind: 'notice', key: reply.answer.key, extra: reply.answer.extra } : { kind: 'refused', key: reply.answer.key, params: reply.answer.params, options: {} }))]);
  }

  private written(batch: EngineBatch, running: ReadonlyMap<string, Running>): Parameters<EngineStore['write']>[1] {
    const markets = [...batch.touched].flatMap((symbol): MarketRow[] => {
      const one = running.get(symbol);
      if (!one) return [];
      const { sequence, tradeSequence, lastPrice, mode, at } = one.engine.state;
      return [{
        symbol, partition: one.market.partition, sequence, tradeSequence, lastPrice: priceText(one.market, lastPrice), mode, modeVersion: one.modeVersion, at,
        hash: one.engine.hash(),
      }];
    });
    return {
      inserted: [...batch.inserted].map(([order, market]) => [market, order] as const),
      updated: [...batch.updated].filter(([order]) => !batch.inserted.has(order)).map(([order, market]) => [market, order] as const),
      trades: batch.trades, markets,
    };
  }
}

type Command =
  | { readonly kind: 'place'; readonly body: SpotPlace; readonly market: ListedMarket; readonly terms: OrderTerms }
  | { readonly kind: 'cancel'; readonly body: SpotCancel }
  | { readonly kind: 'mode'; readonly body: SpotModeChange };

/** Terms of an order as the ledger passed it on; fee rates are those of this moment. @throws RangeError when a number does not fit the book. */
function termsOf(market: Market, place: SpotPlace, heldText: string): OrderTerms {
  const side = SIDE_NAMES.indexOf(place.side) as 0 | 1;
  return {
    id: place.orderId, clientOrderId: place.clientOrderId, userId: place.userId, side, type: place.orderType,
    timeInForce: TIF_NAMES.indexOf(place.timeInForce) as 0 | 1 | 2, postOnly: place.postOnly, selfTrade: STP_NAMES.indexOf(place.selfTrade) as 0 | 1 | 2,
    price: ticksOf(market, place.price), stopPrice: place.stopPrice === null ? 0 : ticksOf(market, place.stopPrice), quantity: lotsOf(market, place.quantity),
    held: toUnits(heldText, side === 0 ? market.quoteScale : market.baseScale), makerFee: market.makerFee, takerFee: market.takerFee, placedAt: place.placedAt,
  };
}

function modeRow({ engine, modeVersion }: Running): { topic: string; partition: number; message: Message } {
  const { symbol } = engine.market;
  return { topic: TOPICS.reference, partition: 0, message: ReferenceRowV1.encode({ kind: 'mode', id: symbol, version: modeVersion, row: { symbol, mode: engine.state.mode } }) };
}
