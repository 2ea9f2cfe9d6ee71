import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Ad as ShownAd } from '@bourse/contract';
import { FundGate } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import { Notice, WrittenAmount } from '@bourse/platform';
import type { AdCommands, Offer } from '../src/deals/application/ad-commands.js';
import type { DealOpening } from '../src/deals/application/deal-opening.js';
import type { DealLists } from '../src/deals/application/lists.js';
import type { AdFilter, DealFilter } from '../src/deals/application/ports.js';
import { ShopAds, type ShopOffer } from '../src/shops/application/shop-ads.js';
import { BTC, createContext, toKey, seller, SELLER, ShopWorld, USDT } from './shop-world.js';

const usdt = (text: string): bigint => toUnits(text, 8);
const FIRST = { page: 1, size: 10, offset: 0 };
let world: ShopWorld;
let ads: ShopAds;
/** Offers and filters that C2C got. */
let offers: Offer[];
let filters: (AdFilter | DealFilter)[];
/** The last arguments of these lists: the reader of deals, the viewer of ads. */
let readers: unknown[];
beforeEach(async () => {
  world = new ShopWorld();
  world.give('legal', USDT, '3000');
  await world.start();
  offers = [];
  filters = [];
  readers = [];
  const adCommands = {
    publish: async (_user: number, _context: object, offer: () => Promise<Offer>) => {
      offers.push(await offer());
      return new Notice('c2c.published');
    },
  } as unknown as AdCommands;
  const listed = (filter: AdFilter | DealFilter, _page: object, reader?: object) => {
    filters.push(filter);
    readers.push(reader);
    return Promise.resolve({ data: [] as ShownAd[], total: 0 });
  };
  const lists = { listMarket: listed, listAds: listed, listDeals: listed } as unknown as DealLists;
  const fund = new FundGate(() => Promise.resolve({ ok: true }));
  const { shops, store, views, catalog } = world;
  ads = new ShopAds(shops, store, views, catalog, adCommands, {} as DealOpening, lists, fund);
});
afterEach(() => world.stop());

const written = (text: string | undefined, key: string): WrittenAmount => new WrittenAmount(text, key, { key });
function offer(
  fields: Partial<Record<'total' | 'min' | 'max' | 'price', string>> = {},
  more: Partial<ShopOffer> = {},
): ShopOffer {
  const { total = '1000', min = '10', max = '600', price = '6.50' } = fields;
  return {
    shopId: world.rows()[0]!.id,
    totalNumber: written(total, 'legal.numberRequired'),
    minNumber: written(min, 'legal.minRequired'),
    maxNumber: written(max, 'legal.maxRequired'),
    price: written(price, 'c2c.priceRequired'),
    ...{ way: 'bank', coinCode: 'JPY', type: 'sell', password: 'fund66' },
    ...more,
  };
}
const send = (given: ShopOffer, caller = seller()): Promise<unknown> =>
  toKey(ads.publish(caller, given, createContext()));
async function open(fields: Parameters<ShopWorld['apply']>[0] = {}): Promise<number> {
  await world.apply(fields);
  const { id } = world.rows()[0]!;
  await world.decide(id, true);
  return id;
}

describe('an ad of a shop', () => {
  test('has the coin and level of its shop, and is paid from the merchant account [SHOP-010]', async () => {
    const shopId = await open();
    expect(await send(offer())).toBe('c2c.published');
    expect(offers).toEqual([
      {
        ...{ kind: 'shop', type: 'sell', ownerAccount: 'merchant', shopId, level: 'verified' },
        ...{ currencyId: USDT, currencyName: 'USDT', scale: 8, coinCode: 'JPY', fiatScale: 0 },
        ...{ price: 650n, way: 'bank', total: usdt('1000'), min: usdt('10'), max: usdt('600'), limitMinutes: 1_440 },
      },
    ]);
  });

  test('is refused field by field in order, each refusal with its limit, the password last [SHOP-004]', async () => {
    await open();
    const none = { password: undefined };
    for (const [given, key] of [
      [offer({ total: '', min: '', max: '', price: '' }, none), 'legal.numberRequired'],
      [offer({ min: '', max: '', price: '' }, none), 'legal.minRequired'],
      [offer({ max: '', price: '' }, none), 'legal.maxRequired'],
      [offer({ max: '9', price: '' }, none), 'legal.maxBelowMin'],
      [offer({ total: '9000', max: '5000.01', price: '' }, none), 'legal.aboveMax'],
      [offer({ total: '9', price: '' }, none), 'legal.aboveSurplus'],
      [offer({ price: '' }, none), 'c2c.priceRequired'],
      [offer({}, none), 'fund.required'],
    ] as const)
      expect(await send(given)).toBe(key);
    expect(offers).toEqual([]);
  });

  test('of another coin is limited by its value, and needs a fresh price [SHOP-004]', async () => {
    await open({ currencyId: BTC });
    expect(await send(offer({ total: '1', min: '0.01', max: '0.10000001' }))).toBe('legal.aboveMax');
    expect(await send(offer({ total: '1', min: '0.01', max: '0.1' }))).toBe('c2c.published');
    world.price = null;
    expect(await send(offer({ total: '1', min: '0.01', max: '0.1' }))).toBe('market.stale');
  });

  test('is published only by the owner of an open shop [SHOP-007]', async () => {
    await world.apply();
    expect(await send(offer())).toBe('legal.notOpen');
    await world.decide(world.rows()[0]!.id, true);
    expect(await send(offer(), seller(100_001))).toBe('common.notFound');
    expect(await send(offer(), seller(undefined, false))).toBe('common.noPermission');
  });
});

test('is listed for its owner, and on the public page of an open shop [SHOP-010]', async () => {
  await world.apply();
  const { id: shopId, userId: ownerId } = world.rows()[0]!;
  expect(await toKey(ads.findPage(shopId, undefined))).toBe('common.notFound');
  await world.decide(shopId, true);
  expect(await ads.findPage(shopId, undefined)).toMatchObject({ id: shopId, name: 'Harbour Desk', ads: [] });
  await ads.listOwnAds(seller(), shopId, 'sell', FIRST);
  await ads.listOwnDeals(seller(), { shopId, states: ['paid'] }, FIRST, 'jp');
  expect(filters).toEqual([
    { kind: 'shop', shopId },
    { kind: 'shop', shopId, type: 'sell', states: ['shelf', 'off', 'sold'] },
    { kind: 'shop', shopId, ownerId, type: undefined, states: ['paid'] },
  ]);
  for (const list of [
    ads.listOwnAds(seller(100_001), shopId, undefined, FIRST),
    ads.listOwnDeals(seller(100_001), { shopId }, FIRST, 'en'),
  ])
    expect(await toKey(list)).toBe('common.notFound');
});

test('lists its deals in the language of the call, whatever language the owner has stored [SHOP-032]', async () => {
  const shopId = await open();
  await ads.listOwnDeals({ ...seller(), lang: 'en' }, { shopId }, FIRST, 'jp');
  expect(readers.at(-1)).toMatchObject({ userId: SELLER, lang: 'jp' });
});
