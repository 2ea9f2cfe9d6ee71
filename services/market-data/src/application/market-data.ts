import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Config, Readiness } from '@bourse/platform';
import { Candles } from './candles.js';
import { Catalog } from './catalog.js';
import { Feed } from './feed.js';
import { Maker } from './maker.js';
import { Quotations } from './quotations.js';
import { Taker } from './taker.js';
import { Trades } from './trades.js';

/** Starts and stops the parts of market-data in their order. */
@Injectable()
export class MarketData implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly catalog: Catalog,
    private readonly feed: Feed,
    private readonly candles: Candles,
    private readonly trades: Trades,
    private readonly quotations: Quotations,
    private readonly maker: Maker,
    private readonly taker: Taker,
    private readonly config: Config,
    private readonly readiness: Readiness,
  ) {}

  async onModuleInit(): Promise<void> {
    this.readiness.set('market-data', false);
    // The catalog first: all services wait for it.
    await this.catalog.publish();
    await this.feed.start();
    await this.candles.settleHistory();
    await this.trades.load();
    this.feed.run();
    this.quotations.run();
    this.readiness.set('market-data', true);
  }

  onApplicationBootstrap(): void {
    if (!this.config.maker) return;
    this.maker.start();
    this.taker.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.taker.stop();
    this.maker.stop();
    this.quotations.stop();
    await this.feed.stop();
  }
}
