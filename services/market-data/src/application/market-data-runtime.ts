import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { HouseView } from '@bourse/events';
import { Views } from '@bourse/messaging';
import { Config, Readiness } from '@bourse/platform';
import { Candles } from './candles.js';
import { Catalog } from './catalog.js';
import { Feed } from './feed.js';
import { FeedAlarms } from './feed-alarms.js';
import { Maker } from './maker.js';
import { NoiseTrader } from './noise-trader.js';
import { Pace } from './pace.js';
import { Quotations } from './quotations.js';
import { Taker } from './taker.js';
import { TickRecorder } from './tick-recorder.js';
import { Trades } from './trades.js';

/** Starts and stops the parts of market-data in their order. */
@Injectable()
export class MarketDataRuntime implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly catalog: Catalog,
    private readonly feed: Feed,
    private readonly feedAlarms: FeedAlarms,
    private readonly candles: Candles,
    private readonly trades: Trades,
    private readonly quotations: Quotations,
    private readonly maker: Maker,
    private readonly taker: Taker,
    private readonly noise: NoiseTrader,
    private readonly pace: Pace,
    private readonly ticks: TickRecorder,
    private readonly views: Views,
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
    this.feedAlarms.start();
    this.feed.run();
    this.quotations.run();
    this.readiness.set('market-data', true);
  }

  onApplicationBootstrap(): void {
    this.ticks.start();
    // It is public whether the house quotes. With each price, because what is kept may be lost.
    const announce = (): void => this.views.publish('house', { maker: this.config.maker } satisfies HouseView, true);
    announce();
    this.feed.onTick(announce);
    if (this.config.maker) this.maker.start();
    if (this.config.taker) {
      this.taker.start();
      this.noise.start();
      this.pace.start();
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.ticks.stop();
    this.pace.stop();
    this.noise.stop();
    this.taker.stop();
    this.maker.stop();
    this.quotations.stop();
    this.trades.stop();
    await this.feed.stop();
  }
}
