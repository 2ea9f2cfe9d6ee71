import { Injectable } from '@nestjs/common';
import { DEMO_FUND_PASSWORD, DEMO_PEOPLE, type CurrencyRow } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { Clock, Config, WrittenAmount, type Caller } from '@bourse/platform';
import type { Shop } from '../domain/shop.js';
import { AdStore } from '../../deals/application/ports.js';
import { DemoSeed } from '../../shared/application/demo-seed.js';
import { ShopAds } from './shop-ads.js';
import { ShopAdmin } from './admin.js';
import { ShopStore } from './ports.js';
import { Shops } from './shops.js';

const NAME = 'Harbour Desk';
const COIN = 'USDT';
/** Ads of the shop, in USDT and CNY. */
const OFFERS = [
  { type: 'sell', totalNumber: '5000', minNumber: '10', maxNumber: '2000', price: '6.52', way: 'bank' },
  { type: 'buy', totalNumber: '3000', minNumber: '10', maxNumber: '2000', price: '6.44', way: 'ali_pay' },
] as const;
/** The operator of the seed: no documents were checked. */
const SUPPORT = { userId: 0, accountNumber: 'demo', kind: 'operator' } as Caller;
const REASON = 'the shop of the demo install';

/** Creates shop and ads of a demo install (rules §17), step by step as its owner and support would. */
@Injectable()
export class DemoShop extends DemoSeed {
  constructor(
    private readonly store: ShopStore,
    private readonly shops: Shops,
    private readonly admin: ShopAdmin,
    private readonly shopAds: ShopAds,
    private readonly ads: AdStore,
    private readonly reference: Reference,
    clock: Clock,
    config: Config,
  ) {
    super('demo shop', config, clock);
  }

  protected async createMissing(): Promise<void> {
    const owner = DEMO_PEOPLE.find(({ isSeller }) => isSeller);
    if (!owner) return;
    const currency = this.reference.all<CurrencyRow>('currency').find(({ name }) => name === COIN);
    if (!currency) throw new Error('the catalog has not come yet');
    const password = DEMO_FUND_PASSWORD;
    if (!(await this.findShop(owner.id))) {
      const application = { name: NAME, currencyId: currency.id, level: 'verified', password } as const;
      await this.shops.apply(owner.id, application, this.createContext());
    }
    const shop = await this.findShop(owner.id);
    if (shop?.state === 'review')
      await this.admin.decide(SUPPORT, { id: shop.id, pass: true, reason: REASON }, this.createContext());
    if (!shop || shop.state === 'refused' || shop.state === 'closed') return;
    for (const { type, way, ...amounts } of OFFERS) {
      if (await this.hasAd(shop.id, type)) continue;
      const written = Object.fromEntries(
        Object.entries(amounts).map(([field, text]) => [field, new WrittenAmount(text, field, {})]),
      ) as Record<keyof typeof amounts, WrittenAmount>;
      const fields = { shopId: shop.id, type, way, coinCode: 'CNY', password, ...written } as const;
      await this.shopAds.publish({ userId: owner.id, isSeller: true } as Caller, fields, this.createContext());
    }
  }

  private async findShop(userId: number): Promise<Shop | undefined> {
    const { rows } = await this.store.list({ userId }, { page: 1, size: 1, offset: 0 });
    return rows[0];
  }
  private async hasAd(shopId: number, type: 'buy' | 'sell'): Promise<boolean> {
    const states = ['waiting', 'shelf', 'off', 'sold'] as const;
    const { rows } = await this.ads.list({ shopId, type, states }, { page: 1, size: 1, offset: 0 });
    // The ledger may still refuse it, also because the call came too late.
    if (rows[0]?.state === 'waiting') throw new Error('an ad waits for the ledger');
    return rows.length > 0;
  }
}
