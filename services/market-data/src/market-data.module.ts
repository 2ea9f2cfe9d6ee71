import { Module } from '@nestjs/common';
import { ReferenceModule } from '@bourse/messaging';
import { Clock, Config } from '@bourse/platform';
import { Settings, SettingsModule, SPOT_FEE_LEVELS } from '@bourse/settings';
import { chooseFeed } from './adapters/feed/choose-feed.js';
import { CatalogAdminController } from './adapters/http/catalog-admin.controller.js';
import { CatalogController } from './adapters/http/catalog.controller.js';
import { MarketController } from './adapters/http/market.controller.js';
import { TicksController } from './adapters/http/ticks.controller.js';
import { MarketAsksController } from './adapters/messaging/asks.controller.js';
import { TradesController } from './adapters/messaging/trades.controller.js';
import { CurrencyList, PairList } from './adapters/persistence/catalog-lists.js';
import { MarketDatabase, MarketDatabaseModule } from './adapters/persistence/market-database.js';
import { PostgresTickStore } from './adapters/persistence/postgres-tick-store.js';
import { PostgresMarketStore } from './adapters/persistence/postgres-market-store.js';
import { MarketAudit } from './application/audit.js';
import { Books } from './application/books.js';
import { Candles } from './application/candles.js';
import { Catalog } from './application/catalog.js';
import { DailyCloses } from './application/day-closes.js';
import { Feed } from './application/feed.js';
import { FeedAlarms } from './application/feed-alarms.js';
import { FEED_FENCE } from './application/feed-settings.js';
import { Maker } from './application/maker.js';
import { MarketDataRuntime } from './application/market-data-runtime.js';
import { HouseOrders } from './application/house-orders.js';
import { MarketStore, PriceFeed } from './application/ports.js';
import { NoiseTrader } from './application/noise-trader.js';
import { Pace } from './application/pace.js';
import { PublishedBooks } from './application/published-books.js';
import { FIAT_RATES, ReferenceRates } from './application/reference-rates.js';
import { Quotations } from './application/quotations.js';
import { TickAudit } from './application/tick-audit.js';
import { TickDays } from './application/tick-days.js';
import { TickRecorder } from './application/tick-recorder.js';
import { TickStore } from './application/tick-store.js';
import { Taker } from './application/taker.js';
import { Trades } from './application/trades.js';

/** Name of the service. */
export const SERVICE = 'market-data';

const reference = ReferenceModule.forSchema(MarketDatabase, 'market', [MarketDatabaseModule]);

/** Catalog, price feed, quotations, trades, candles, and the house accounts that quote and take (schema `market`). */
@Module({
  imports: [
    MarketDatabaseModule,
    reference,
    SettingsModule.forService({
      service: SERVICE,
      database: MarketDatabase,
      imports: [MarketDatabaseModule, reference],
      settings: [...FIAT_RATES.values(), FEED_FENCE, SPOT_FEE_LEVELS],
    }),
  ],
  controllers: [
    CatalogController,
    CatalogAdminController,
    MarketController,
    MarketAsksController,
    TicksController,
    TradesController,
  ],
  providers: [
    { provide: MarketStore, useClass: PostgresMarketStore },
    { provide: TickStore, useClass: PostgresTickStore },
    HouseOrders,
    { provide: PriceFeed, inject: [Config, MarketStore, Clock, Settings], useFactory: chooseFeed },
    Catalog,
    CurrencyList,
    PairList,
    Feed,
    FeedAlarms,
    Trades,
    Candles,
    DailyCloses,
    PublishedBooks,
    Quotations,
    ReferenceRates,
    Books,
    Maker,
    Pace,
    Taker,
    NoiseTrader,
    TickRecorder,
    TickDays,
    MarketDataRuntime,
    TickAudit,
    MarketAudit,
  ],
})
export class MarketDataModule {}
