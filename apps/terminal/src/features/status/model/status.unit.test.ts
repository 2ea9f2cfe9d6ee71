import { describe, expect, test } from '@jest/globals';
import { historyOf, marketsOf, placeOf, productsOf, shareOfAge, wholeOf, withAsked, type Asked } from './status.js';

const OPEN = {
  modes: { 'ETH/USDT': 'normal', 'BTC/USDT': 'normal' },
  breakers: { withdraw: 'normal', micro: 'normal', c2c: 'normal' },
  stale_pairs: [],
  database: 'ok',
  audit: 'ok',
  audit_age_ms: 4_000,
} as const;

describe('the exchange in one word [STATUS-001]', () => {
  test.each([
    ['open', {}],
    ['part', { modes: { 'ETH/USDT': 'normal', 'BTC/USDT': 'halted' } }],
    ['part', { breakers: { ...OPEN.breakers, withdraw: 'halted' } }],
    ['part', { stale_pairs: ['BTC/USDT'] }],
    ['stopped', { modes: { 'ETH/USDT': 'cancel_only', 'BTC/USDT': 'halted' } }],
    ['starting', { modes: {} }],
    ['alarm', { audit: 'alarm' }],
    ['alarm', { audit: 'alarm', modes: {} }],
    ['database', { database: 'away' }],
    ['database', { database: 'away', audit: 'alarm' }],
  ] as const)('%s with %j', (word, change) => {
    expect(wholeOf({ ...OPEN, ...change })).toBe(word);
  });

  test('a mode that the page does not know is never shown as open', () => {
    expect(wholeOf({ ...OPEN, modes: { 'BTC/USDT': 'auction' } })).toBe('stopped');
    expect(productsOf({ ...OPEN, modes: { 'BTC/USDT': 'auction', 'ETH/USDT': 'normal' } })[0]).toEqual({
      name: 'spot',
      state: 'part',
    });
  });
});

describe('products and markets [STATUS-002]', () => {
  test('spot trading comes first, withdrawals last, each with its own state', () => {
    const breakers = { withdraw: 'halted', micro: 'normal', c2c: 'cancel_only' } as const;
    expect(productsOf({ ...OPEN, breakers })).toEqual([
      { name: 'spot', state: 'normal' },
      { name: 'c2c', state: 'cancel_only' },
      { name: 'micro', state: 'normal' },
      { name: 'withdraw', state: 'halted' },
    ]);
  });

  test.each([
    ['normal', ['normal', 'normal']],
    ['part', ['normal', 'halted']],
    ['cancel_only', ['halted', 'cancel_only']],
    ['halted', ['halted', 'halted']],
  ])('spot is %s when its markets are %j', (state, [first, second]) => {
    expect(productsOf({ breakers: {}, modes: { 'A/B': first!, 'C/D': second! } })).toEqual([{ name: 'spot', state }]);
  });

  test('no market, no spot trading', () => {
    expect(productsOf({ breakers: {}, modes: {} })).toEqual([]);
  });

  test('markets are in order of name, those with an old price marked', () => {
    expect(marketsOf({ modes: OPEN.modes, stale_pairs: ['ETH/USDT'] })).toEqual([
      { symbol: 'BTC/USDT', state: 'normal', stale: false },
      { symbol: 'ETH/USDT', state: 'normal', stale: true },
    ]);
  });
});

describe('pictures [STATUS-003]', () => {
  test('times are on a line from 1 ms to 10 s, each power of ten as wide as the next', () => {
    expect([0, 1, 10, 100, 1_000, 10_000, 99_000].map(placeOf)).toEqual([0, 0, 25, 50, 75, 100, 100]);
  });

  test('an age of 5 s, the limit of prices, is in the middle', () => {
    expect([-1, 0, 5_000, 10_000, 60_000].map(shareOfAge)).toEqual([0, 0, 50, 100, 100]);
  });

  test('the last sixty questions are kept, answered or not', () => {
    let all: readonly Asked[] = [];
    for (let at = 1; at <= 61; at++) all = withAsked(all, at % 2 === 0 ? { at } : { at, tookMs: 3 });
    expect([all.length, all[0], all.at(-1)]).toEqual([60, { at: 2 }, { at: 61, tookMs: 3 }]);
  });
});

describe('the last 90 days of a product [STATUS-004]', () => {
  const at = (text: string): number => Date.parse(`${text}Z`);
  const outage = (product: string, day: string, limited: number, down: number) => ({
    product,
    day,
    limited_seconds: limited,
    down_seconds: down,
  });
  const history = {
    since: at('2026-06-21T00:00:00'),
    until: at('2026-07-01T00:00:00'),
    outages: [
      outage('spot', '2026-06-22', 60, 0),
      outage('spot', '2026-06-23', 30, 8_640),
      outage('c2c', '2026-06-24', 0, 9),
    ],
  };

  test('each day shows the state of the product, and days before the first record are unknown', () => {
    const days = historyOf(history, 'spot')?.days ?? [];
    expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([90, '2026-04-03', '2026-07-01']);
    expect(days.slice(-12).map(({ state }) => state)).toEqual([
      'unknown',
      ...['normal', 'part', 'halted'],
      ...Array.from({ length: 8 }, () => 'normal'),
    ]);
    expect(days.at(-9)).toEqual({ day: '2026-06-23', state: 'halted', limitedSeconds: 30, downSeconds: 8_640 });
  });

  test('the availability counts the time that it was stopped, and is rounded down', () => {
    expect(historyOf(history, 'spot')?.percent).toBe('99.00');
    expect(historyOf(history, 'c2c')?.percent).toBe('99.99');
    expect(historyOf(history, 'lever')?.percent).toBe('100.00');
  });

  test('there is none before the first record', () => {
    expect(historyOf({ since: null, until: null, outages: [] }, 'spot')).toBeNull();
  });
});
