import { CatalogId, PageOf, type Page } from '@bourse/platform';

/*
 * Fields of the wallet's calls (api §2.2, §2.12, §2.13, §3), each class in the order of rules §12.9. Fields that are
 * checked after the coin or its networks are `late`.
 */

export const ADDRESS_MAX = 200;
export class CoinBody {
  @CatalogId() currency!: number;
}
export class CoinListQuery {
  @CatalogId({ optional: true }) currency?: number;
  @PageOf(20) page!: Page;
}
