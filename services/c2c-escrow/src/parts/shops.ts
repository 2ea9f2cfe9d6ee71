import type { Part } from '@bourse/settings';
import { ShopAdminController } from '../adapters/http/shop-admin.controller.js';
import { ShopAdsController } from '../adapters/http/shop-ads.controller.js';
import { ShopsController } from '../adapters/http/shops.controller.js';
import { LedgerMerchantBalances } from '../adapters/messaging/ledger-merchant-balances.js';
import { MarkedCoinPrices } from '../adapters/messaging/marked-coin-prices.js';
import { PostgresShops } from '../adapters/persistence/postgres-shops.js';
import { ShopAudit } from '../adapters/persistence/shop-audit.js';
import { SHOP_MIGRATIONS } from '../adapters/persistence/shop-migrations.js';
import { DemoShop } from '../application/demo-shop.js';
import { ShopAds } from '../application/shop-ads.js';
import { ShopCatalog } from '../application/shop-catalog.js';
import { ShopClosing } from '../application/shop-closing.js';
import { ShopDesk } from '../application/shop-desk.js';
import { CoinPrices, MerchantBalances, ShopStore } from '../application/shop-ports.js';
import { SHOP_RULES, SHOP_SETTINGS } from '../application/shop-settings.js';
import { ShopViews } from '../application/shop-views.js';
import { Shops } from '../application/shops.js';

/** Fiat shops: applications, their money and ads, and what support says of them. */
export const SHOPS: Part = {
  controllers: [ShopsController, ShopAdsController, ShopAdminController],
  providers: [
    { provide: ShopStore, useClass: PostgresShops },
    { provide: MerchantBalances, useClass: LedgerMerchantBalances },
    { provide: CoinPrices, useClass: MarkedCoinPrices },
    ShopAudit,
    ShopCatalog,
    ShopViews,
    Shops,
    ShopClosing,
    ShopDesk,
    ShopAds,
    DemoShop,
  ],
  migrations: SHOP_MIGRATIONS,
  settings: SHOP_SETTINGS,
  rules: SHOP_RULES,
  audit: [ShopAudit],
  work: [ShopDesk],
};
