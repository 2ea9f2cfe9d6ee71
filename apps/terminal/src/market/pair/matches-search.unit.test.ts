import { expect, test } from '@jest/globals';
import { matchesSearch } from './matches-search.js';

const ORDER = 'BTC/USDT Buy Limit 27,910.00';

test('an order is found by its pair, side, kind and price, in any order of the words [SPOTVIEW-025]', () => {
  for (const search of ['btc', 'buy BTC', '  limit buy ', '27910', '27,910.00', '/usdt 279'])
    expect([search, matchesSearch(ORDER, search)]).toEqual([search, true]);
});

test('an order that lacks one word of the search is not found [SPOTVIEW-025]', () => {
  for (const search of ['sell', 'btc sell', '27911', 'eth'])
    expect([search, matchesSearch(ORDER, search)]).toEqual([search, false]);
});
