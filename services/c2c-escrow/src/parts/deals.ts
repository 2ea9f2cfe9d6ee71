import type { Part } from '@bourse/settings';
import { C2cAdminController } from '../adapters/http/c2c-admin.controller.js';
import { C2cAdsController } from '../adapters/http/c2c-ads.controller.js';
import { C2cDealsController } from '../adapters/http/c2c-deals.controller.js';
import { OpenDealFigures } from '../adapters/metrics/open-deals.js';
import { DealAudit } from '../adapters/persistence/deal-audit.js';
import { DEAL_MIGRATIONS } from '../adapters/persistence/deal-migrations.js';
import { PostgresAds } from '../adapters/persistence/postgres-ads.js';
import { PostgresSealedDeals } from '../adapters/persistence/postgres-sealed-deals.js';
import { PostgresDeals } from '../adapters/persistence/postgres-deals.js';
import { AdLimits } from '../application/ad-limits.js';
import { AdRemoval } from '../application/ad-removal.js';
import { C2cAds } from '../application/c2c-ads.js';
import { C2C_SETTINGS } from '../application/c2c-settings.js';
import { C2cTakes } from '../application/c2c-takes.js';
import { DealActs } from '../application/deal-acts.js';
import { DealDeadlines } from '../application/deal-deadlines.js';
import { DealPeople, SealedPeople } from '../application/deal-facts.js';
import { DealLists } from '../application/deal-lists.js';
import { AdStore, DealStore } from '../application/deal-ports.js';
import { DealReseal, SealedDeals } from '../application/deal-reseal.js';
import { DealPushes, DealEvents } from '../application/deal-events.js';
import { DealViews } from '../application/deal-views.js';
import { DemoAds } from '../application/demo-ads.js';
import { Escrow } from '../application/escrow.js';
import { PlainCalls } from '../application/plain-calls.js';
import { ShopSellers } from '../application/shop-sellers.js';

/** C2C: ads, and deals on them. */
export const DEALS: Part = {
  controllers: [C2cAdsController, C2cDealsController, C2cAdminController],
  providers: [
    { provide: AdStore, useClass: PostgresAds },
    { provide: DealStore, useClass: PostgresDeals },
    { provide: DealPeople, useClass: SealedPeople },
    { provide: SealedDeals, useClass: PostgresSealedDeals },
    DealAudit,
    OpenDealFigures,
    DealReseal,
    Escrow,
    PlainCalls,
    DealViews,
    DealPushes,
    DealEvents,
    DealLists,
    ShopSellers,
    AdLimits,
    C2cAds,
    C2cTakes,
    DealActs,
    DealDeadlines,
    AdRemoval,
    DemoAds,
  ],
  migrations: DEAL_MIGRATIONS,
  settings: C2C_SETTINGS,
  rules: [],
  audit: [DealAudit],
};
