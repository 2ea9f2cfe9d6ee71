import { expect, test } from '@jest/globals';
import type { Shop } from '../domain/shop.js';
import { toShopDecidedNotice } from './notices.js';

test('a decision on a shop notifies its owner, a refusal with the reason [NOTICE-033]', () => {
  const shop = { id: 3, userId: 7, name: 'Harbour Desk' } as Shop;
  const notice = { userId: 7, id: 'shop:3:decided', link: '/myLegalShops', at: 1_000 };
  expect(toShopDecidedNotice(shop, true, '', 1_000)).toEqual({
    ...notice,
    kind: 'shopPassed',
    params: { shop: 'Harbour Desk' },
  });
  expect(toShopDecidedNotice(shop, false, 'a blurred picture', 1_000)).toEqual({
    ...notice,
    kind: 'shopRejected',
    params: { shop: 'Harbour Desk', reason: 'a blurred picture' },
  });
});
