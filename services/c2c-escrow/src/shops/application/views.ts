import { Injectable } from '@nestjs/common';
import type { CurrencyRow, Shop as ShownShop } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Clock } from '@bourse/platform';
import type { Shop, ShopState } from '../domain/shop.js';
import { NO_STATISTICS } from '../../deals/application/ports.js';
import { shownFigures } from '../../deals/application/views.js';
import { MerchantBalances, ShopStore, type Purse, type ShopFigures } from './ports.js';

const DAY_MS = 86_400_000;
/** Deals of so many days count for a shop. */
export const FIGURES_DAYS = 30;
export const SHOP_STATUS: Readonly<Record<ShopState, 0 | 1 | 2 | 3>> = {
  ...{ waiting: 0, review: 0, open: 1, closing: 1, refused: 2, closed: 3 },
};

const NO_FIGURES: ShopFigures = { ...NO_STATISTICS, ads: 0 };

/** A shop as everybody sees it, but for its ads. */
export type OpenView = Omit<ShownShop, 'merchant_balance' | 'lock_merchant_balance' | 'deposit'>;

/** Shops as those who may see them do (api §2.7). */
@Injectable()
export class ShopViews {
  constructor(
    private readonly store: ShopStore,
    private readonly balances: MerchantBalances,
    private readonly reference: Reference,
    private readonly clock: Clock,
  ) {}

  /** As its owner sees it, with what is in the merchant account. Throws `AskUnavailable`. */
  async own(shops: readonly Shop[], userId: number): Promise<ShownShop[]> {
    const [purse, figures] = await Promise.all([this.balances.of(userId), this.figures(shops)]);
    return shops.map((shop) => this.shown(shop, purse(shop.currencyId, this.scale(shop)), figures.get(shop.id)));
  }

  /** As everybody sees it, and operators beside what they know of its owner. */
  async open(shops: readonly Shop[]): Promise<OpenView[]> {
    const figures = await this.figures(shops);
    return shops.map((shop) => openView(shop, figures.get(shop.id)));
  }

  shown(shop: Shop, { available, held }: Purse, figures: ShopFigures = NO_FIGURES): ShownShop {
    const scale = this.scale(shop);
    return {
      ...openView(shop, figures),
      merchant_balance: formatUnits(available, scale),
      lock_merchant_balance: formatUnits(held, scale),
      deposit: formatUnits(shop.deposit, shop.depositScale),
    };
  }

  /** What its owner has in the merchant account in the shop's coin. Throws `AskUnavailable`. */
  async purse(shop: Shop): Promise<Purse> {
    return (await this.balances.of(shop.userId))(shop.currencyId, this.scale(shop));
  }

  private figures(shops: readonly Shop[]): Promise<ReadonlyMap<number, ShopFigures>> {
    return shops.length === 0
      ? Promise.resolve(new Map())
      : this.store.figures(shops, this.clock.now() - FIGURES_DAYS * DAY_MS);
  }

  private scale({ id, currencyId }: Shop): number {
    const coin = this.reference.get<CurrencyRow>('currency', String(currencyId));
    if (!coin) throw new Error(`invariant: shop ${id} deals in ${currencyId}, which the catalog does not have`);
    return coin.scale;
  }
}

function openView(shop: Shop, figures: ShopFigures = NO_FIGURES): OpenView {
  return {
    id: shop.id,
    name: shop.name,
    currency_id: shop.currencyId,
    currency_name: shop.currencyName,
    level: shop.level,
    status: SHOP_STATUS[shop.state],
    ...shownFigures(figures),
    ads: figures.ads,
  };
}
