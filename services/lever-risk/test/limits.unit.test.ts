import { describe, expect, test } from '@jest/globals';
import type { CurrencyRow, PairRow } from '@bourse/contract';
import type { MarkPrices, Reference } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { checkDraft, readDraft } from '../src/application/draft.js';
import type { SubmitBody } from '../src/application/fields.js';
import { LeverMarkets } from '../src/application/lever-markets.js';
import { HOUSE_COVER, MAX_POSITIONS } from '../src/application/lever-settings.js';
import { STATUS, type Status } from '../src/domain/position.js';
import { positionWith } from './positions.js';

const pair = (id: number, legalName: string, currencyName: string, legalId: number, currencyId: number): PairRow =>
  ({
    ...{ id, legalId, legalName, currencyId, currencyName, symbol: `${currencyName}/${legalName}` },
    ...{ priceScale: 2, numberScale: 4, openLever: true, leverShareNum: '1' },
  }) as PairRow;
const PAIRS = [
  pair(1, 'USDT', 'XRP', 3, 4),
  { ...pair(2, 'BTC', 'ETH', 1, 2), priceScale: 6 },
  pair(3, 'USDT', 'BTC', 3, 1),
];
const CURRENCIES = [
  { id: 3, name: 'USDT', scale: 8, isLever: true },
  { id: 1, name: 'BTC', scale: 8, isLever: true },
] as CurrencyRow[];
const settings = new FixedSettings();

/** The refusal of a submit at these prices; null if it is accepted. */
function refusalOf(prices: Readonly<Record<string, string>>, body: Partial<SubmitBody>): Refused | null {
  const tick = (symbol: string): unknown => prices[symbol] && { price: prices[symbol] };
  const markets = new LeverMarkets(
    {
      all: () => PAIRS,
      get: (_: string, id: string) => CURRENCIES.find((one) => String(one.id) === id),
    } as unknown as Reference,
    { latest: tick, fresh: tick } as unknown as MarkPrices,
  );
  const fields = { quoteId: 3, baseId: 4, direction: 'long', kind: 'market', multiple: 5, share: 1, ...body };
  try {
    readDraft(fields as SubmitBody, markets, settings);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

describe('the least value of a position [LEVER-095] [HARD-405]', () => {
  test('is 10 USDT at the opening price, spread included', () => {
    expect(refusalOf({ 'XRP/USDT': '9.98' }, {})).toMatchObject({
      key: 'quantity.rule',
      params: { min: '10.00000000' },
    });
    expect(refusalOf({ 'XRP/USDT': '9.99' }, {})).toBeNull(); // 10.00 with the spread
    expect(refusalOf({ 'XRP/USDT': '4.98' }, { share: 2 })?.key).toBe('quantity.rule');
    expect(refusalOf({ 'XRP/USDT': '5' }, { share: 2 })).toBeNull();
  });

  test('is converted to another quote at its mark price, rounded up', () => {
    const inBtc = { quoteId: 1, baseId: 2 };
    const refusal = refusalOf({ 'ETH/BTC': '0.011', 'BTC/USDT': '900' }, inBtc);
    expect(refusal).toMatchObject({ key: 'quantity.rule', params: { min: '0.01111112' } });
    expect(refusalOf({ 'ETH/BTC': '0.012', 'BTC/USDT': '900' }, inBtc)).toBeNull();
    expect(refusalOf({ 'ETH/BTC': '0.012' }, inBtc)?.key).toBe('market.stale');
  });

  test('is checked after the side of the target and before the stops', () => {
    const cheap = { 'XRP/USDT': '0.5' };
    const limit = { kind: 'limit', stop: '-1', price: { units: () => 60n } } as unknown as Partial<SubmitBody>;
    expect(refusalOf(cheap, limit)?.key).toBe('lever.entrustSide');
    const below = { ...limit, price: { units: () => 1n } } as unknown as Partial<SubmitBody>;
    expect(refusalOf(cheap, below)?.key).toBe('quantity.rule');
    expect(refusalOf({ 'XRP/USDT': '50' }, { stop: '-1' })?.key).toBe('lever.stopNegative');
  });
});

describe('the number of positions of a user and quote [LEVER-096] [HARD-405]', () => {
  const markets = { open: () => MARKET, fresh: () => 6_000_000n, worthOf: () => 0n } as unknown as LeverMarkets;
  const MARKET = {
    pairId: 1,
    quote: 3,
    scales: { priceScale: 2, numberScale: 6, quoteScale: 8 },
    contractLots: 10_000n,
  };
  const draft = (more: Partial<SubmitBody> = {}) =>
    readDraft(
      { quoteId: 3, baseId: 1, direction: 'long', kind: 'market', multiple: 20, share: 1, ...more } as SubmitBody,
      markets,
      settings,
    );
  const claims = (statuses: readonly Status[], more: Partial<SubmitBody> = {}, house = 10n ** 18n): string => {
    const positions = statuses.map((status, index) => positionWith({ id: String(index), status }));
    try {
      checkDraft(
        draft(more),
        { balance: 10n ** 14n, positions, house },
        new Map([[1, 6_000_000n]]),
        0n,
        HOUSE_COVER.initial,
      );
      return 'opens';
    } catch (error) {
      if (error instanceof Refused) return `${error.key} ${JSON.stringify(error.params)}`;
      throw error;
    }
  };
  const max = MAX_POSITIONS.initial;
  const many = (count: number, status: Status): Status[] => Array.from({ length: count }, () => status);

  test('is at most 100, pending and open together; closing ones do not count', () => {
    expect(max).toBe(100);
    expect(claims([...many(50, STATUS.pending), ...many(49, STATUS.open)])).toBe('opens');
    expect(claims([...many(50, STATUS.pending), ...many(50, STATUS.open)])).toBe('lever.tooMany {"max":100}');
    expect(claims([...many(99, STATUS.open), ...many(5, STATUS.closing)])).toBe('opens');
  });

  test('is checked after the stops and before the cover of the house', () => {
    const full = many(max, STATUS.pending);
    expect(claims(full, { stop: '60000.01' })).toMatch(/^lever.stopSide/);
    expect(claims(full, {}, 0n)).toMatch(/^lever.tooMany/);
    expect(claims(many(max - 1, STATUS.pending), {}, 0n)).toMatch(/^lever.houseLimit/);
  });
});
