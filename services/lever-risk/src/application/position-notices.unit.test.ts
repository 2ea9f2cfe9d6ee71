import { describe, expect, test } from '@jest/globals';
import { CLOSED_BY, STATUS, type ClosedBy, type Position } from '../domain/position.js';
import type { LeverMarket } from './lever-markets.js';
import { closedNotice, openedNotice } from './position-notices.js';

const MARKET = { symbol: 'BTC/USDT', quoteName: 'USDT' } as LeverMarket;
const QUOTE_SCALE = 8;
const closed = (closedBy: ClosedBy, closeProfits: bigint): Position =>
  ({
    id: '42',
    userId: 7,
    status: STATUS.closed,
    scales: { priceScale: 2, numberScale: 6, quoteScale: QUOTE_SCALE },
    closedBy,
    closeProfits,
    price: 6_000_050n,
    handledAt: 2_000,
    changedAt: 1_000,
  }) as Position;

describe('the owner of a position is notified', () => {
  test.each([
    ['risk', CLOSED_BY.liquidation, -1_250_000_000n, 'positionRisk', '-12.5 USDT'],
    ['its stop-loss', CLOSED_BY.stop, -50_000_000n, 'positionStop', '-0.5 USDT'],
    ['its take-profit', CLOSED_BY.target, 300_000_000n, 'positionTarget', '+3 USDT'],
    ['the loss of another', CLOSED_BY.cover, 300_000_000n, 'positionCover', '+3 USDT'],
    ['its stop-loss at no loss', CLOSED_BY.stop, 0n, 'positionStop', '0 USDT'],
  ])('closed by %s [NOTICE-030]', (_, by, profits, kind, profit) => {
    expect(closedNotice(closed(by, profits), MARKET, QUOTE_SCALE)).toEqual({
      userId: 7,
      id: 'lever:42:closed',
      kind,
      params: { symbol: 'BTC/USDT', profit },
      link: '/leverList',
      at: 2_000,
    });
  });

  test('not of a close of their own [NOTICE-030]', () => {
    const notified = Object.values(CLOSED_BY).filter(
      (by) => closedNotice(closed(by, 1n), MARKET, QUOTE_SCALE) !== null,
    );
    expect(notified.sort()).toEqual([CLOSED_BY.liquidation, CLOSED_BY.stop, CLOSED_BY.target, CLOSED_BY.cover].sort());
  });

  test('of a trigger order that has opened [NOTICE-030]', () => {
    expect(openedNotice(closed(CLOSED_BY.stop, 0n), MARKET)).toEqual({
      userId: 7,
      id: 'lever:42:opened',
      kind: 'positionOpened',
      params: { symbol: 'BTC/USDT', price: '60000.50 USDT' },
      link: '/leverList',
      at: 1_000,
    });
  });
});
