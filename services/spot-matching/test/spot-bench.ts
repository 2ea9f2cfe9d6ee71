import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { SEED_CURRENCIES, SEED_PAIRS, type SpotOrder } from '@bourse/contract';
import { ReferenceRowV1, TOPICS, type FeedView } from '@bourse/events';
import {
  Asks,
  InfraModule,
  Log,
  Replies,
  serviceAsks,
  Views,
  startMessageApp,
  type Ask,
  type AuditedHold,
} from '@bourse/messaging';
import { Databases } from '@bourse/persistence';
import type { Market } from '@bourse/matching';
import { loadConfig, readFields, Readiness, Refused, type Notice } from '@bourse/platform';
import { eventually, LedgerState, FakeLedger, testDatabases, type TestDatabases } from '@bourse/testing';
import { AmendOrders } from '../src/application/amend-orders.js';
import { CancelOrders } from '../src/application/cancel-orders.js';
import { EngineProgress } from '../src/application/engine-progress.js';
import { LocalBooks } from '../src/application/local-books.js';
import { AmendOrderBody, OcoBody, PlaceOrderBody } from '../src/application/order-fields.js';
import { Markets, type Mark } from '../src/application/markets.js';
import { OrderLists } from '../src/application/order-lists.js';
import { OrderReads } from '../src/application/ports.js';
import { PlaceOrder, type CommandContext } from '../src/application/place-order.js';
import { SpotMatchingModule } from '../src/index.js';
import { MIGRATIONS } from '../src/adapters/persistence/migrations.js';

export const BTC = 1,
  USDT = 3;
export type Fields = Readonly<Record<string, string>>;

/**
 * The service over a real PostgreSQL, with a stand-in for the ledger; can be stopped and started again on the same
 * data.
 */
export class SpotBench {
  app!: INestApplicationContext;
  ledger!: FakeLedger;
  readonly state = new LedgerState();
  private people = 0;
  /** Price of the feed, also after a restart. */
  price = '1';
  private readonly dir = mkdtempSync(join(tmpdir(), 'bourse-spot-'));
  private constructor(
    readonly test: TestDatabases,
    private readonly ledgerPartitions: number,
    private readonly spotPartitions: number,
  ) {}

  static async create(ledgerPartitions = 1, spotPartitions = 1): Promise<SpotBench> {
    const bench = new SpotBench(
      await testDatabases({ shape: { schema: 'spot', migrations: MIGRATIONS } }),
      ledgerPartitions,
      spotPartitions,
    );
    await bench.start();
    return bench;
  }

  async start(): Promise<void> {
    const config = loadConfig({
      BOURSE_DEV: '1',
      DATABASE_URL: this.test.url,
      DATA_DIR: this.dir,
      LEDGER_PARTITIONS: String(this.ledgerPartitions),
      SPOT_PARTITIONS: String(this.spotPartitions),
    });
    @Module({ imports: [InfraModule.forRoot({ config, embedded: true }), SpotMatchingModule] })
    class Root {}
    this.app = await startMessageApp(Root, ['error', 'fatal']);
    const databases = this.app.get(Databases);
    this.ledger = new FakeLedger(this.state, this.app.get(Log), this.app.get(Replies), this.app.get(Asks), databases);
    await this.ledger.start();
    const market = await databases.open({ schema: 'market', migrations: [] });
    await market.transaction(async (tx) => {
      for (const row of SEED_CURRENCIES)
        tx.emit(
          TOPICS.reference,
          0,
          ReferenceRowV1.encode({ kind: 'currency', id: String(row.id), version: 1, row: { ...row } }),
        );
      for (const row of SEED_PAIRS)
        tx.emit(
          TOPICS.reference,
          0,
          ReferenceRowV1.encode({ kind: 'pair', id: String(row.id), version: 1, row: { ...row } }),
        );
    });
    this.feed(3_600_000);
    await eventually(() => this.app.get(Readiness).ready(), 20_000);
    await eventually(() => this.app.get(LocalBooks).engine('BTC/USDT'), 20_000);
    await eventually(async () => (await this.app.get(Views).kept('depth/BTC/USDT')) !== null, 20_000);
  }

  /** Publishes prices of the feed with a time this many milliseconds after now (before now if negative). */
  feed(aheadMs: number): void {
    const { price } = this;
    const at = Date.now() + aheadMs;
    this.app.get(Views).publish(
      'feed',
      {
        at,
        kind: 'simulated',
        prices: Object.fromEntries(SEED_PAIRS.map(({ symbol }) => [symbol, { price, at }])),
      } satisfies FeedView,
      true,
    );
  }

  /** Publishes a price of every pair, as old as that, and waits until the service knows it. */
  async mark(price: string, ageMs = 0): Promise<void> {
    this.price = price;
    this.feed(-ageMs);
    const markets = this.app.get(Markets);
    const known = (): Mark | null => markets.mark(markets.byPair(1) as Market);
    await eventually(() => (ageMs > 5_000 ? known() === null : known()?.ticks === Math.round(Number(price) * 100)));
  }

  async stop(): Promise<void> {
    await this.app.close();
  }
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
  async end(): Promise<void> {
    await this.stop();
    await this.test.end();
    rmSync(this.dir, { recursive: true, force: true });
  }

  context(key?: string, bodyHash = 'hash'): CommandContext {
    return {
      commandId: key ?? randomUUID(),
      hasKey: key !== undefined,
      bodyHash: key === undefined ? null : bodyHash,
      validUntil: Date.now() + 4_000,
    };
  }
  /** Creates a person with money, so that tests do not affect each other. */
  person(usdt = '100000', btc = '2'): number {
    this.people += 1;
    const id = 300_000 + this.people;
    this.state.give(id, USDT, usdt);
    this.state.give(id, BTC, btc);
    return id;
  }
  /** Moves the last price to a price, by a trade of two new people. */
  async tradeAt(price: string): Promise<void> {
    const [buyer, seller] = [this.person(), this.person()];
    const bid = await this.buy(buyer, price, '0.001');
    await this.sell(seller, price, '0.001');
    await eventually(async () => (await this.order(buyer, bid.id)).status === 2);
  }
  place(userId: number, fields: Fields, context = this.context()): Promise<Notice> {
    return this.app
      .get(PlaceOrder)
      .execute(
        userId,
        readFields(PlaceOrderBody, { legal_id: String(USDT), currency_id: String(BTC), ...fields }),
        context,
      );
  }
  buy(userId: number, price: string, amount: string, more: Fields = {}): Promise<SpotOrder> {
    return this.placed(userId, { type: '1', target_price: price, amount, ...more });
  }
  sell(userId: number, price: string, amount: string, more: Fields = {}): Promise<SpotOrder> {
    return this.placed(userId, { type: '2', target_price: price, amount, ...more });
  }
  /** Places an order and returns it as its engine has committed it. */
  async placed(userId: number, fields: Fields): Promise<SpotOrder> {
    const { id } = (await this.place(userId, fields)).extra['order'] as SpotOrder;
    await eventually(() => this.app.get(OrderReads).byId(userId, id), 20_000);
    return this.order(userId, id);
  }
  pair(userId: number, fields: Fields, context = this.context()): Promise<Notice> {
    const body = readFields(OcoBody, { legal_id: String(USDT), currency_id: String(BTC), ...fields });
    return this.app.get(PlaceOrder).pair(userId, body, context);
  }
  /** Places a pair and returns its legs as their engine has committed them. */
  async pairPlaced(userId: number, fields: Fields): Promise<readonly [limit: SpotOrder, stop: SpotOrder]> {
    const { id, link_id: stopId } = (await this.pair(userId, fields)).extra['order'] as SpotOrder;
    await eventually(() => this.app.get(OrderReads).byId(userId, stopId), 20_000);
    return [await this.order(userId, id), await this.order(userId, stopId)];
  }
  cancel(userId: number, id: string, context = this.context()): Promise<Notice> {
    return this.app.get(CancelOrders).one(userId, { id }, context);
  }
  amend(userId: number, fields: Fields, context = this.context()): Promise<Notice> {
    return this.app.get(AmendOrders).execute(userId, readFields(AmendOrderBody, fields), context);
  }
  order(userId: number, id: string): Promise<SpotOrder> {
    return this.app.get(OrderLists).order(userId, { id });
  }
  get lists(): OrderLists {
    return this.app.get(OrderLists);
  }
  ask<Q, A>(ask: Ask<Q, A>, question: NoInfer<Q>): Promise<A> {
    return this.app.get(Asks).ask(ask, question, 5_000);
  }
  /** All holds that open orders need. */
  async neededHolds(): Promise<readonly AuditedHold[]> {
    const buckets = Array.from({ length: 256 }, (_, bucket) => bucket);
    const answer = await this.ask(serviceAsks.auditHolds('spot-matching'), { prefix: 'order', buckets });
    if (!('lines' in answer)) throw new Error('the lines of some buckets are answered by lines');
    return answer.lines;
  }
  /** Checks that the books match the stored rows and that the ledger holds what open orders need. @throws Error */
  async explained(): Promise<void> {
    await this.quiet();
    const audit = await this.ask(serviceAsks.audit('spot-matching'), {});
    const lines = await this.neededHolds();
    const wrong = audit.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
    const held = this.state.holds();
    for (const { hold, amount } of lines) if (held.get(hold) !== amount) wrong.push(`${hold} needs ${amount}`);
    if (held.size !== lines.length) wrong.push(`${held.size} holds for ${lines.length} orders`);
    if (wrong.length > 0 || this.ledger.faults.length > 0)
      throw new Error([...wrong, ...this.ledger.faults.map(String)].join('\n'));
  }
  /** Waits until the engine has committed what it has answered, and the ledger has applied all of its commands. */
  async quiet(): Promise<void> {
    await this.app.get(EngineProgress).waitForCommit();
    await eventually(async () => {
      const [row] = await this.test.query<{ behind: string }>(
        `select count(*) as behind
          from spot.stream s
          left
          join ledger.position p on p.stream = s.name and p.consumer = 'ledger.writer'
          where s.name like '%>ledger.commands/%' and coalesce(p.number, 0) < s.next - 1`,
      );
      return row?.behind === '0';
    });
  }
}

/** Key, params and field of a refused call; the answer of one that was accepted. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { key, params, options } = error;
    return { key, params, field: options.field };
  }
}
