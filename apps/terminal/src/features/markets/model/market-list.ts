import type { QuotationItem } from '@bourse/contract';
import { compareDecimals } from '@bourse/money';

export type SortBy = 'symbol' | 'price' | 'change' | 'volume';
export interface MarketQuery {
  search: string;
  quote: string;
  favouritesOnly: boolean;
  favourites: readonly string[];
  sortBy: SortBy;
  descending: boolean;
}

/**
 * Pairs to list: shown ones of a quote currency (empty: all) that match the search, in the chosen order. Decimals are
 * compared exactly.
 */
export function marketList(items: readonly QuotationItem[], query: MarketQuery): QuotationItem[] {
  const wanted = query.search.trim().toLowerCase();
  const listed = items.filter(
    (item) =>
      item.is_display === 1 &&
      (query.quote === '' || item.legal_name === query.quote) &&
      (!query.favouritesOnly || query.favourites.includes(item.symbol)) &&
      (wanted === '' || item.symbol.toLowerCase().includes(wanted)),
  );
  const order = (a: QuotationItem, b: QuotationItem): number => {
    switch (query.sortBy) {
      case 'price':
        return compareDecimals(a.now_price, b.now_price);
      case 'change':
        return compareDecimals(a.change, b.change);
      case 'volume':
        return compareDecimals(a.volume, b.volume);
      case 'symbol':
        return a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0;
    }
  };
  return listed.sort((a, b) => (query.descending ? -order(a, b) : order(a, b)));
}
