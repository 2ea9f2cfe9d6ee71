import type { Part } from '@bourse/settings';
import { ShopAdminController } from './http/admin.controller.js';
import { ShopAdsController } from './http/ads.controller.js';
import { ShopsController } from './http/shops.controller.js';
import { LedgerMerchantBalances } from './messaging/ledger-merchant-balances.js';
import { PostgresShops } from './persistence/postgres-shops.js';
import { ShopAudit } from './persistence/audit.js';
import { SHOP_MIGRATIONS } from './persistence/migrations.js';
import { DemoShop } from './application/demo-shop.js';
import { ShopAds } from './application/shop-ads.js';
import { ShopCatalog } from './application/catalog.js';
import { ShopClosing } from './application/closing.js';
import { ShopAdmin } from './application/admin.js';
import { MerchantBalances, ShopStore } from './application/ports.js';
import { SHOP_RULES, SHOP_SETTINGS } from './application/settings.js';
import { ShopViews } from './application/views.js';
import { Shops } from './application/shops.js';

/** Fiat shops: applications, transfers, ads, and decisions of support. */
export const SHOPS: Part = {
  controllers: [ShopsController, ShopAdsController, ShopAdminController],
  providers: [
    { provide: ShopStore, useClass: PostgresShops },
    { provide: MerchantBalances, useClass: LedgerMerchantBalances },
    ShopAudit,
    ShopCatalog,
    ShopViews,
    Shops,
    ShopClosing,
    ShopAdmin,
    ShopAds,
    DemoShop,
  ],
  migrations: SHOP_MIGRATIONS,
  settings: SHOP_SETTINGS,
  rules: SHOP_RULES,
  audit: [ShopAudit],
  work: [ShopAdmin],
};
