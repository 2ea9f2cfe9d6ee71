import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Parties } from '@bourse/messaging';
import type { Clock } from '@bourse/platform';
import type { AdStore } from '../src/deals/application/ports.js';
import { ShopSellers } from '../src/deals/application/shop-sellers.js';

const [ANN, BEN] = [1, 2];
let now = 0;
let lostRole: number[];
let isAway: boolean;
const facts = jest.fn<(ids: readonly number[]) => Promise<Map<number, object>>>();
let sellers: ShopSellers;
beforeEach(() => {
  [now, lostRole, isAway] = [1_000, [], false];
  facts.mockReset();
  facts.mockImplementation((ids) =>
    isAway
      ? Promise.reject(new Error('away'))
      : Promise.resolve(new Map(ids.map((id) => [id, { isSeller: !lostRole.includes(id) }]))),
  );
  const ads = { listShopOwners: () => Promise.resolve([ANN, BEN]) } as unknown as AdStore;
  sellers = new ShopSellers(ads, { facts } as unknown as Parties, { real: () => now } as unknown as Clock);
});

test('a lost role is known within seconds, and auth is asked once for many readers [C2C-034]', async () => {
  expect(await sellers.listFormerSellers()).toEqual([]);
  lostRole = [BEN];
  now += 5_000;
  expect(await Promise.all([sellers.listFormerSellers(), sellers.listFormerSellers()])).toEqual([[BEN], [BEN]]);
  expect(facts).toHaveBeenCalledTimes(2);
  lostRole = [];
  expect(await sellers.listFormerSellers()).toEqual([BEN]);
  now += 5_000;
  expect(await sellers.listFormerSellers()).toEqual([]);
});

test('the market uses the last answer while auth is unavailable [C2C-034]', async () => {
  isAway = true;
  expect(await sellers.listFormerSellers()).toEqual([]);
  isAway = false;
  lostRole = [ANN];
  expect(await sellers.listFormerSellers()).toEqual([ANN]);
  isAway = true;
  now += 60_000;
  expect(await sellers.listFormerSellers()).toEqual([ANN]);
});
