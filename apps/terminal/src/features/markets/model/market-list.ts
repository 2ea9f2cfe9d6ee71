import type { QuotationItem } from '@bourse/contract';
import { compareDecimals, multiply, toUnits } from '@bourse/money';

export type SortBy = 'symbol' | 'price' | 'change' | 'volume';
export interface MarketQuery {
  search: string;
  quote: string;
  favouritesOnly: boolean;
  favourites: readonly string[];
  sortBy: SortBy;
  descending: boolean;
  /** What one unit of a quote currency is worth in a currency that all have, by its id. */
  rates: ReadonlyMap<number, string>;
}

/** Decimals of a turnover while it is compared. */
const SCALE = 18;

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
  // Amounts of different coins cannot be compared, and neither can turnovers in different quote currencies.
  const worth = (item: QuotationItem): bigint =>
    multiply(
      toUnits(item.quote_volume, SCALE),
      SCALE,
      toUnits(query.rates.get(item.legal_id) ?? '1', SCALE),
      SCALE,
      SCALE,
      'down',
    );
  const order = (a: QuotationItem, b: QuotationItem): number => {
    switch (query.sortBy) {
      case 'price':
        return compareDecimals(a.now_price, b.now_price);
      case 'change':
        return compareDecimals(a.change, b.change);
      case 'volume':
        return Number(worth(a) - worth(b) > 0n) - Number(worth(a) - worth(b) < 0n);
      case 'symbol':
        return a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0;
    }
  };
  return listed.sort((a, b) => (query.descending ? -order(a, b) : order(a, b)));
}
