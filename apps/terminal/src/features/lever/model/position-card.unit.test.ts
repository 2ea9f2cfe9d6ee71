import { describe, expect, test } from '@jest/globals';
import { cardOf } from './position-card.js';
import { LEVER_PAIR, leverRow } from './lever-samples.js';

const PAIR = { ...LEVER_PAIR, feed: 'live' as const };
const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('the picture of a position', () => {
  test('an open long with a profit shows its return, opening and mark price [LEVERUI-055]', () => {
    expect(cardOf(leverRow({}), PAIR, NOW_MS)).toEqual({
      symbol: 'BTC/USDT',
      isLong: true,
      multiple: 20,
      roi: '▲ +31.30%',
      direction: 1,
      openPrice: '60,060.00',
      price: '61,000.00',
      isClosed: false,
      time: '2026-01-02 03:04 UTC',
      feed: 'live',
    });
  });

  test('a closed short with a loss shows the time of its close [LEVERUI-055]', () => {
    const row = leverRow({ type: 2, status: 3, profits: '-94', handle_time: '2026-01-01 12:34:56' });
    expect(cardOf(row, PAIR, NOW_MS)).toMatchObject({
      isLong: false,
      roi: '▼ -31.30%',
      direction: -1,
      isClosed: true,
      time: '2026-01-01 12:34 UTC',
    });
  });

  test.each([0, 4] as const)('a position of status %s has none [LEVERUI-055]', (status) => {
    expect(cardOf(leverRow({ status }), PAIR, NOW_MS)).toBeNull();
  });

  test('a simulated market is named as such [LEVERUI-055]', () => {
    expect(cardOf(leverRow({}), { ...PAIR, feed: 'simulated' }, NOW_MS)?.feed).toBe('simulated');
  });
});
