import { Injectable } from '@nestjs/common';
import type { CurrencyRow, Shop as ShownShop } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Clock } from '@bourse/platform';
import type { Shop, ShopState } from '../domain/shop.js';
import { NO_STATISTICS } from '../../deals/application/ports.js';
import { toStatisticsView } from '../../deals/application/views.js';
import { MerchantBalances, ShopStore, type MerchantBalance, type ShopFigures } from './ports.js';

const DAY_MS = 86_400_000;
/** The period of a shop's statistics, days. */
const FIGURES_DAYS = 30;
const SHOP_STATUS: Readonly<Record<ShopState, 0 | 1 | 2 | 3>> = {
  ...{ waiting: 0, review: 0, open: 1, closing: 1, refused: 2, closed: 3 },
};

const NO_FIGURES: ShopFigures = { ...NO_STATISTICS, ads: 0 };

/** A shop as everybody sees it, without its ads. */
export type PublicShopView = Omit<ShownShop, 'merchant_balance' | 'lock_merchant_balance' | 'deposit'>;

/** Renders shops (api §2.7). */
@Injectable()
export class ShopViews {
  constructor(
    private readonly store: ShopStore,
    private readonly balances: MerchantBalances,
    private readonly reference: Reference,
    private readonly clock: Clock,
  ) {}

  /** For the owner, with the balance of the merchant account. @throws AskUnavailable */
  async toOwnViews(shops: readonly Shop[], userId: number): Promise<ShownShop[]> {
    const [balanceOf, figures] = await Promise.all([this.balances.findBalances(userId), this.findFigures(shops)]);
    return shops.map((shop) =>
      this.toOwnView(shop, balanceOf(shop.currencyId, this.coinScale(shop)), figures.get(shop.id)),
    );
  }

  /** For everybody; operators get the owner's facts beside it. */
  async toPublicViews(shops: readonly Shop[]): Promise<PublicShopView[]> {
    const figures = await this.findFigures(shops);
    return shops.map((shop) => toPublicView(shop, figures.get(shop.id)));
  }

  toOwnView(shop: Shop, { available, held }: MerchantBalance, figures: ShopFigures = NO_FIGURES): ShownShop {
    const scale = this.coinScale(shop);
    return {
      ...toPublicView(shop, figures),
      merchant_balance: formatUnits(available, scale),
      lock_merchant_balance: formatUnits(held, scale),
      deposit: formatUnits(shop.deposit, shop.depositScale),
    };
  }

  /** The owner's balance of the merchant account in the shop's coin. @throws AskUnavailable */
  async findBalance(shop: Shop): Promise<MerchantBalance> {
    return (await this.balances.findBalances(shop.userId))(shop.currencyId, this.coinScale(shop));
  }

  private findFigures(shops: readonly Shop[]): Promise<ReadonlyMap<number, ShopFigures>> {
    return shops.length === 0
      ? Promise.resolve(new Map())
      : this.store.listFigures(shops, this.clock.now() - FIGURES_DAYS * DAY_MS);
  }

  private coinScale({ id, currencyId }: Shop): number {
    const coin = this.reference.get<CurrencyRow>('currency', String(currencyId));
    if (!coin) throw new Error(`invariant: shop ${id} deals in ${currencyId}, which the catalog does not have`);
    return coin.scale;
  }
}

function toPublicView(shop: Shop, figures: ShopFigures = NO_FIGURES): PublicShopView {
  return {
    id: shop.id,
    name: shop.name,
    currency_id: shop.currencyId,
    currency_name: shop.currencyName,
    level: shop.level,
    status: SHOP_STATUS[shop.state],
    ...toStatisticsView(figures),
    ads: figures.ads,
  };
}
