// Market data alone, on a database of its own, with a stand-in for the books.
import { afterAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type INestApplicationContext, type LoggerService } from '@nestjs/common';
import { MAKER_ID, type SpotOrder } from '@bourse/contract';
import { SpotTradesV1, TOPICS } from '@bourse/events';
import {
  Asks,
  AskUnavailable,
  InfraModule,
  serviceAsks,
  spotMatchingAsks,
  Views,
  startMessageApp,
  walletLedgerAsks,
} from '@bourse/messaging';
import { Databases, type Database } from '@bourse/persistence';
import { loadConfig, Refused } from '@bourse/platform';
import { SimulatedClock, type TestDatabases } from '@bourse/testing';
import { MarketDataModule } from '../../src/market-data.module.js';

export interface Running {
  readonly app: INestApplicationContext;
  readonly clock: SimulatedClock;
  readonly views: Views;
  readonly desk: FakeSpot;
  stop(): Promise<void>;
}

/** Spot as the house accounts see it: keeps orders, refuses those that the test wants refused. */
export class FakeSpot {
  readonly orders = new Map<string, SpotOrder>();
  refuse: (userId: number, fields: Readonly<Record<string, string>>) => string | null = () => null;
  commands = 0;
  readonly asked = new Map<number, number>();
  private next = 1;
  constructor(asks: Asks) {
    asks.handle(spotMatchingAsks.place, ({ userId, fields }) => {
      this.commands++;
      this.asked.set(userId, (this.asked.get(userId) ?? 0) + 1);
      const key = this.refuse(userId, fields);
      if (key) return Promise.reject(new Refused(key));
      const id = String(this.next++);
      const order = {
        id,
        symbol: fields['legal_id'] === '3' && fields['currency_id'] === '1' ? 'BTC/USDT' : 'other',
        type: Number(fields['type']),
        target_price: fields['target_price'] ?? '0',
        trade_amount: fields['amount'],
        status: 1,
        cancel_reason: '',
      } as SpotOrder;
      if (userId === MAKER_ID) this.orders.set(id, order);
      return Promise.resolve({ id, order });
    });
    asks.handle(spotMatchingAsks.cancel, ({ orderId }) => {
      this.commands++;
      const order = this.orders.get(orderId);
      if (!this.orders.delete(orderId) || !order) throw new Refused('common.notFound');
      return { id: orderId, remaining: '0', order };
    });
    asks.handle(spotMatchingAsks.open, () => Promise.resolve([...this.orders.values()]));
    asks.handle(serviceAsks.book('spot-matching'), () => Promise.reject(new AskUnavailable('no book is loaded')));
    asks.handle(walletLedgerAsks.balances, () =>
      Promise.resolve([
        { currency: 3, product: 'change', available: '100.00000000', held: '0' },
        { currency: 3, product: 'legal', available: '7', held: '0' },
      ]),
    );
  }
  of(symbol: string): SpotOrder[] {
    return [...this.orders.values()].filter((order) => order.symbol === symbol);
  }
}

/** One for all starts: a database is recognised by the secrets in this folder. */
const dataDir = mkdtempSync(join(tmpdir(), 'bourse-market-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

export async function start(
  database: TestDatabases,
  clock: SimulatedClock,
  env: Readonly<Record<string, string>>,
  logger: LoggerService | ('error' | 'fatal')[] = ['error', 'fatal'],
): Promise<Running> {
  const config = loadConfig({
    BOURSE_DEV: '1',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
    MAKER: 'off',
    ...env,
  });
  @Module({ imports: [InfraModule.forRoot({ config, embedded: true, clock }), MarketDataModule] })
  class Root {}
  const app = await startMessageApp(Root, logger);
  const desk = new FakeSpot(app.get(Asks));
  return {
    app,
    clock,
    views: app.get(Views),
    desk,
    stop: async () => {
      await app.close();
    },
  };
}

/** A stand-in for the books: sends trades in its own stream. */
export async function sender(app: INestApplicationContext): Promise<
  (
    symbol: string,
    pairId: number,
    trades: readonly {
      sequence: number;
      price: string;
      quantity: string;
      at: number;
      maker?: string;
      house?: true;
    }[],
    partition?: number,
  ) => Promise<void>
> {
  const database: Database = await app.get(Databases).open({ schema: 'spot', migrations: [] });
  return (symbol, pairId, trades, partition = 0) =>
    database.transaction(async (tx) => {
      tx.emit(
        TOPICS.spotEvents,
        partition,
        SpotTradesV1.encode({
          symbol,
          pairId,
          trades: trades.map(({ maker, ...trade }) => ({
            ...trade,
            takerSide: 'buy' as const,
            makerOrderId: maker ?? '999',
            takerOrderId: '998',
          })),
        }),
      );
    });
}
