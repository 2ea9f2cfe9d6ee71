import type { QuotationItem } from '@bourse/contract';
import { compareDecimals, compareUnits, multiply, toUnits } from '@bourse/money';
import type { Ticker } from '@bourse/realtime';

export type SortBy = 'symbol' | 'price' | 'change' | 'volume';
export interface MarketQuery {
  search: string;
  quote: string;
  favouritesOnly: boolean;
  favourites: readonly string[];
  sortBy: SortBy;
  descending: boolean;
  /** The value of one unit of each quote currency, by its id, in one common currency. */
  rates: ReadonlyMap<number, string>;
}

/** A quotation with the live figures of its pair; the turnover comes with the list alone. */
export const withTicker = (item: QuotationItem, ticker: Ticker | undefined): QuotationItem =>
  ticker
    ? {
        ...item,
        now_price: ticker.price,
        change: ticker.change,
        high: ticker.high,
        low: ticker.low,
        volume: ticker.volume,
      }
    : item;

/** The lists of movers, in the order of the page. */
export const MOVERS = ['gainers', 'losers', 'topVolume'] as const;
export type MoverLists = Readonly<Record<(typeof MOVERS)[number], readonly QuotationItem[]>>;

/** Decimals of a turnover in a comparison. */
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
        return compareUnits(worth(a), worth(b));
      case 'symbol':
        return a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0;
    }
  };
  return listed.sort((a, b) => (query.descending ? -order(a, b) : order(a, b)));
}

/**
 * The pairs that rose most, fell most and were traded most within 24 hours. A list is shorter than `count` where fewer
 * pairs rose, fell or were traded.
 */
export function moversOf(items: readonly QuotationItem[], rates: MarketQuery['rates'], count: number): MoverLists {
  const first = (sortBy: SortBy, descending: boolean, belongs: (item: QuotationItem) => boolean): QuotationItem[] =>
    marketList(items, { search: '', quote: '', favouritesOnly: false, favourites: [], sortBy, descending, rates })
      .filter(belongs)
      .slice(0, count);
  return {
    gainers: first('change', true, ({ change }) => compareDecimals(change, '0') > 0),
    losers: first('change', false, ({ change }) => compareDecimals(change, '0') < 0),
    topVolume: first('volume', true, ({ quote_volume: volume }) => compareDecimals(volume, '0') > 0),
  };
}
