import { CatalogId, PageOf, type Page } from '@bourse/platform';

/* Fields that several products of the wallet read, each class in the order of rules §12.9. */

export const ADDRESS_MAX = 200;
export class CoinBody {
  @CatalogId() currency!: number;
}
export class CoinListQuery {
  @CatalogId({ optional: true }) currency?: number;
  @PageOf(20) page!: Page;
}
