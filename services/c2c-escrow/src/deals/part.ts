import type { Part } from '@bourse/settings';
import { C2cAdminController } from './http/admin.controller.js';
import { C2cAdsController } from './http/ads.controller.js';
import { C2cDealsController } from './http/deals.controller.js';
import { OpenDealFigures } from './metrics/open-deals.js';
import { DealAudit } from './persistence/audit.js';
import { DEAL_MIGRATIONS } from './persistence/migrations.js';
import { PostgresAds } from './persistence/postgres-ads.js';
import { PostgresSealedDeals } from './persistence/postgres-sealed-deals.js';
import { PostgresDeals } from './persistence/postgres-deals.js';
import { AdLimits } from './application/ad-limits.js';
import { AdRemoval } from './application/ad-removal.js';
import { C2cAds } from './application/ads.js';
import { C2C_SETTINGS } from './application/settings.js';
import { C2cTakes } from './application/takes.js';
import { DealActs } from './application/deal-acts.js';
import { DealDeadlines } from './application/deadlines.js';
import { DealPeople, SealedPeople } from './application/facts.js';
import { DealLists } from './application/lists.js';
import { AdStore, DealStore } from './application/ports.js';
import { DealReseal, SealedDeals } from './application/reseal.js';
import { DealPushes, DealEvents } from './application/events.js';
import { DealViews } from './application/views.js';
import { DemoAds } from './application/demo-ads.js';
import { Escrow } from './application/escrow.js';
import { PlainCalls } from '../shared/application/plain-calls.js';
import { ShopSellers } from './application/shop-sellers.js';

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
