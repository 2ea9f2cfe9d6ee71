import type { Part } from '@bourse/settings';
import { DealAdminController } from './http/admin.controller.js';
import { AdsController } from './http/ads.controller.js';
import { DealsController } from './http/deals.controller.js';
import { OpenDealMetrics } from './metrics/open-deals.js';
import { DealAudit } from './persistence/audit.js';
import { DEAL_MIGRATIONS } from './persistence/migrations.js';
import { PostgresAds } from './persistence/postgres-ads.js';
import { PostgresSealedDeals } from './persistence/postgres-sealed-deals.js';
import { PostgresDeals } from './persistence/postgres-deals.js';
import { AdLimits } from './application/ad-limits.js';
import { AdRemoval } from './application/ad-removal.js';
import { AdCommands } from './application/ad-commands.js';
import { C2C_SETTINGS } from './application/settings.js';
import { DealFinder } from './application/deal-finder.js';
import { DealOpening } from './application/deal-opening.js';
import { DealCommands } from './application/deal-commands.js';
import { DealDeadlines } from './application/deadlines.js';
import { DealParties, SealedDealParties } from './application/parties.js';
import { DealLists } from './application/lists.js';
import { AdStore, DealStore } from './application/ports.js';
import { DealReseal, SealedDeals } from './application/reseal.js';
import { DealPushes, DealEvents } from './application/events.js';
import { DealViews } from './application/views.js';
import { DemoAds } from './application/demo-ads.js';
import { Escrow } from './application/escrow.js';
import { ShopSellers } from './application/shop-sellers.js';

/** C2C: ads, and deals on them. */
export const DEALS: Part = {
  controllers: [AdsController, DealsController, DealAdminController],
  providers: [
    { provide: AdStore, useClass: PostgresAds },
    { provide: DealStore, useClass: PostgresDeals },
    { provide: DealParties, useClass: SealedDealParties },
    { provide: SealedDeals, useClass: PostgresSealedDeals },
    DealAudit,
    DealFinder,
    OpenDealMetrics,
    DealReseal,
    Escrow,
    DealViews,
    DealPushes,
    DealEvents,
    DealLists,
    ShopSellers,
    AdLimits,
    AdCommands,
    DealOpening,
    DealCommands,
    DealDeadlines,
    AdRemoval,
    DemoAds,
  ],
  migrations: DEAL_MIGRATIONS,
  settings: C2C_SETTINGS,
  rules: [],
  audit: [DealAudit],
  find: [DealFinder],
};
