import { expect, test } from '@jest/globals';
import { Pauses } from './pauses.js';

test('waits double up to a minute, with one order at the end of each [MARKET-025]', () => {
  const pauses = new Pauses();
  let now = 0;
  const waits: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    pauses.begin('BTC/USDT sell', 'out of BTC', now);
    const from = now;
    while (pauses.allows('BTC/USDT sell', now) === 0) now += 1_000;
    expect(pauses.allows('BTC/USDT sell', now)).toBe(1);
    waits.push(now - from);
  }
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  expect(pauses.allows('BTC/USDT buy', now)).toBe(Number.POSITIVE_INFINITY);
});

test('refusals of orders that were on their way together are one', () => {
  const pauses = new Pauses();
  for (let order = 0; order < 20; order += 1) pauses.begin('a', 'out of BTC', order);
  expect([pauses.allows('a', 4_999), pauses.allows('a', 5_000)]).toEqual([0, 1]);
});

test('a cause is reported when it begins and when nothing pauses for it any more [MARKET-025]', () => {
  const pauses = new Pauses();
  expect(pauses.begin('BTC/USDT sell', 'out of BTC', 0)).toBe(true);
  expect(pauses.begin('XRP/BTC buy', 'out of BTC', 0)).toBe(false);
  expect(pauses.begin('BTC/USDT buy', 'out of USDT', 0)).toBe(true);
  expect(pauses.causes()).toEqual(['out of BTC', 'out of USDT']);
  // Some funds came, not enough for all: everything is tried, the next wait is a short one, and nothing is reported.
  pauses.lift('BTC/USDT sell');
  expect(pauses.allows('BTC/USDT sell', 1)).toBe(Number.POSITIVE_INFINITY);
  expect(pauses.begin('BTC/USDT sell', 'out of BTC', 6_000)).toBe(false);
  expect([pauses.allows('BTC/USDT sell', 10_999), pauses.allows('BTC/USDT sell', 11_000)]).toEqual([0, 1]);
  expect(pauses.end('BTC/USDT sell')).toBeNull();
  expect(pauses.end('XRP/BTC buy')).toBe('out of BTC');
  expect(pauses.end('XRP/BTC buy')).toBeNull();
  expect(pauses.causes()).toEqual(['out of USDT']);
});
