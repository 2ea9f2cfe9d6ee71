import { expect, test } from '@jest/globals';
import type { QuotationItem } from '@bourse/contract';
import { marketList, type MarketQuery } from './market-list.js';

const item = (symbol: string, now_price: string, change: string, is_display: 0 | 1 = 1): QuotationItem =>
  ({
    symbol,
    now_price,
    change,
    volume: '1',
    is_display,
    legal_name: symbol.split('/')[1] ?? '',
    currency_name: symbol.split('/')[0] ?? '',
  }) as QuotationItem;
const items = [
  item('BTC/USDT', '56670.02', '-1.20'),
  item('ETH/USDT', '4173.46', '2.41'),
  item('ETH/BTC', '0.073637', '10.00'),
  item('OLD/USDT', '1', '0', 0),
];
const query: MarketQuery = {
  search: '',
  quote: '',
  favouritesOnly: false,
  favourites: [],
  sortBy: 'symbol',
  descending: false,
};
const symbols = (more: Partial<MarketQuery>): string[] =>
  marketList(items, { ...query, ...more }).map(({ symbol }) => symbol);

test('hidden pairs are never listed; search, quote and favourites narrow the rest', () => {
  expect(symbols({})).toEqual(['BTC/USDT', 'ETH/BTC', 'ETH/USDT']);
  expect(symbols({ search: ' eth ' })).toEqual(['ETH/BTC', 'ETH/USDT']);
  expect(symbols({ quote: 'BTC' })).toEqual(['ETH/BTC']);
  expect(symbols({ favouritesOnly: true, favourites: ['BTC/USDT'] })).toEqual(['BTC/USDT']);
});

test('decimals sort by value, not as text', () => {
  expect(symbols({ sortBy: 'price', descending: true })).toEqual(['BTC/USDT', 'ETH/USDT', 'ETH/BTC']);
  expect(symbols({ sortBy: 'change', descending: true })).toEqual(['ETH/BTC', 'ETH/USDT', 'BTC/USDT']);
});
