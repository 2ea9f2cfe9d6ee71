import { expect, test } from '@jest/globals';
import { waitsForCatalog } from '../http/catalog-gate.js';
import { Readiness } from './readiness.js';

test('calls of people are refused until the catalog was read once, and not when it is read again [EDGE-060]', () => {
  const readiness = new Readiness();
  expect(readiness.answersCalls()).toBe(true);
  readiness.demand('spot.reference');
  readiness.set('spot.books', false);
  const refused = (...urls: string[]): boolean[] => urls.map((url) => waitsForCatalog(url, readiness));
  expect(readiness.missing()).toEqual(['spot.reference', 'spot.books']);
  expect(refused('/api/coin/list?status=1', '/api/coin/trade', '/walletMiddle/address')).toEqual([true, true, true]);
  // Calls between processes, by which the catalog is read, probes, and the state of the exchange.
  expect(
    refused('/internal/ask/ledger.balances', '/internal/routes', '/readyz', '/healthz', '/metrics', '/api/status'),
  ).toEqual([false, false, false, false, false, false]);
  readiness.set('spot.reference', true);
  expect(refused('/api/coin/list')).toEqual([false]);
  readiness.set('spot.reference', false);
  expect([readiness.ready(), ...refused('/api/coin/list')]).toEqual([false, false]);
});
