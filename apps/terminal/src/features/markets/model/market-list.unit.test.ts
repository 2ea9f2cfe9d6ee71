import { expect, test } from '@jest/globals';
import type { QuotationItem } from '@bourse/contract';
import { marketList, moversOf, withTicker, type MarketQuery } from './market-list.js';

/** Turnover in the quote currency: the small one of ETH/BTC has the highest value. */
const VOLUMES: Readonly<Record<string, string>> = { 'BTC/USDT': '900', 'ETH/USDT': '1000.5', 'ETH/BTC': '0.5' };
const item = (symbol: string, now_price: string, change: string, is_display: 0 | 1 = 1): QuotationItem =>
  ({
    symbol,
    now_price,
    change,
    volume: '1',
    quote_volume: VOLUMES[symbol] ?? '0',
    legal_id: symbol.endsWith('/BTC') ? 1 : 3,
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
  rates: new Map([
    [1, '400000'],
    [3, '7'],
  ]),
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

test('volume sorts by the value of the turnover, not by amounts of different coins [MARKETS-001]', () => {
  expect(symbols({ sortBy: 'volume', descending: true })).toEqual(['ETH/BTC', 'ETH/USDT', 'BTC/USDT']);
});

test('movers list what rose, fell and traded most, without unchanged, untraded or hidden pairs [MARKETS-002]', () => {
  const more = [...items, item('LTC/USDT', '80', '0.00'), item('XRP/USDT', '0.5', '-10.5')];
  const names = (count: number) =>
    Object.values(moversOf(more, query.rates, count)).map((list) => list.map(({ symbol }) => symbol));
  expect(names(2)).toEqual([
    ['ETH/BTC', 'ETH/USDT'],
    ['XRP/USDT', 'BTC/USDT'],
    ['ETH/BTC', 'ETH/USDT'],
  ]);
  expect(names(5)).toEqual([
    ['ETH/BTC', 'ETH/USDT'],
    ['XRP/USDT', 'BTC/USDT'],
    ['ETH/BTC', 'ETH/USDT', 'BTC/USDT'],
  ]);
});

test('lists are ordered by the live figures of a pair, with its listed turnover [MARKETS-004]', () => {
  const ticker = {
    symbol: 'BTC/USDT',
    price: '60000',
    change: '12.5',
    volume: '9',
    high: '61000',
    low: '1',
    ts: 2,
    seq: 1,
  };
  const live = items.map((listed) => withTicker(listed, listed.symbol === ticker.symbol ? ticker : undefined));
  expect(marketList(live, { ...query, sortBy: 'change', descending: true })[0]).toMatchObject({
    symbol: 'BTC/USDT',
    now_price: '60000',
    change: '12.5',
    high: '61000',
    low: '1',
    volume: '9',
    quote_volume: '900',
  });
  expect(live[1]).toBe(items[1]);
});
