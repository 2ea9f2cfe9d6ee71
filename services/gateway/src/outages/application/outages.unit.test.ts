import { describe, expect, test } from '@jest/globals';
import type { Clock } from '@bourse/platform';
import type { Breakers } from '../../breakers/application/breakers.js';
import type { Descriptions } from '../../shared/application/descriptions.js';
import type { MarketViews } from '../../shared/application/market-views.js';
import { closuresOf, Outages, secondsByDay, type Outage, type OutageStore } from './outages.js';

const NOBODY: ReadonlySet<string> = new Set();

describe('how products are closed [STATUS-020]', () => {
  test.each([
    ['open', { 'A/B': 'normal', 'C/D': 'normal' }, {}],
    ['in part', { 'A/B': 'normal', 'C/D': 'halted' }, { spot: 'limited' }],
    ['but for cancels', { 'A/B': 'cancel_only', 'C/D': 'halted' }, { spot: 'limited' }],
    ['as a whole', { 'A/B': 'halted', 'C/D': 'halted' }, { spot: 'down' }],
  ])('spot is closed as its markets are: %s', (_how, markets, closures) => {
    expect(Object.fromEntries(closuresOf(markets, { c2c: 'normal' }, NOBODY))).toEqual(closures);
  });

  test('another product is closed by its breaker, and is down while its service does not answer', () => {
    const markets = { 'A/B': 'normal' };
    const products = { c2c: 'cancel_only', lever: 'halted', micro: 'normal', withdraw: 'normal' };
    expect(Object.fromEntries(closuresOf(markets, products, new Set(['micro', 'c2c'])))).toEqual({
      c2c: 'down',
      lever: 'down',
      micro: 'down',
    });
    expect(closuresOf(markets, products, NOBODY).get('c2c')).toBe('limited');
  });
});

test('a time over midnight (UTC) is divided between its days [STATUS-020]', () => {
  const at = (text: string): number => Date.parse(`${text}Z`);
  expect(secondsByDay(at('2026-01-30T23:59:30'), at('2026-02-01T00:00:10'))).toEqual([
    { day: '2026-01-30', seconds: 30 },
    { day: '2026-01-31', seconds: 86_400 },
    { day: '2026-02-01', seconds: 10 },
  ]);
  expect(secondsByDay(5_000, 5_000)).toEqual([]);
});

describe('records of a gateway [STATUS-021]', () => {
  const NOW = Date.parse('2026-06-30T12:00:00.400Z');
  const DAY = '2026-06-30';

  /** What a gateway would add for the time since `from`, and the first day that it keeps. */
  async function recorded(
    from: number,
    { markets = { 'A/B': 'normal' }, missing = [] }: { markets?: Record<string, string>; missing?: string[] } = {},
  ): Promise<{ outages: readonly Outage[]; firstDay: string } | undefined> {
    let added: { outages: readonly Outage[]; firstDay: string } | undefined;
    const store: OutageStore = {
      record: async ({ firstDay, outagesOf }) => {
        added = { outages: outagesOf(from), firstDay };
      },
      read: async () => ({ span: { from, to: NOW }, outages: added?.outages ?? [] }),
    };
    const gateway = new Outages(
      store,
      { modes: () => markets } as unknown as MarketViews,
      { products: () => ({ c2c: 'halted', lever: 'normal' }) } as unknown as Breakers,
      { silentProducts: () => NOBODY },
      { missing: () => missing } as unknown as Descriptions,
      { real: () => NOW } as Clock,
    );
    expect(gateway.history()).toEqual({ span: null, outages: [] });
    await gateway.observe();
    expect(gateway.history().outages).toEqual(added?.outages ?? []);
    return added;
  }
  const second = Math.floor(NOW / 1_000) * 1_000;

  test('the closed products of the time since the last record, in whole seconds', async () => {
    expect(await recorded(second - 40_000)).toEqual({
      outages: [{ product: 'c2c', day: DAY, limitedSeconds: 0, downSeconds: 40 }],
      firstDay: '2026-04-02',
    });
  });

  test('every product was down while nothing was recorded for more than 90 s', async () => {
    const { outages } = (await recorded(second - 91_000)) ?? { outages: [] };
    expect(outages.map(({ product, downSeconds }) => [product, downSeconds])).toEqual([
      ['spot', 91],
      ['c2c', 91],
      ['lever', 91],
    ]);
  });

  test('days before the 90 that are kept are left out', async () => {
    const { outages } = (await recorded(second - 200 * 86_400_000)) ?? { outages: [] };
    expect(outages).toHaveLength(3 * 90);
    expect(outages[0]?.day).toBe('2026-04-02');
  });

  test.each([
    ['the markets', { markets: {} }],
    ['a service', { missing: ['lever-risk'] }],
  ])('nothing before it knows %s', async (_what, lacking) => {
    expect(await recorded(second - 40_000, lacking)).toBeUndefined();
  });
});
