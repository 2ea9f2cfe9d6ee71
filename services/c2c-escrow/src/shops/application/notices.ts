import type { TypedNotice } from '@bourse/events';
import type { Shop } from '../domain/shop.js';

/** Personal notice to the owner that a shop was decided. */
export const toShopDecidedNotice = (
  { id, userId, name }: Shop,
  pass: boolean,
  reason: string,
  at: number,
): TypedNotice => {
  const about = { userId, id: `shop:${id}:decided`, link: '/myLegalShops', at };
  return pass
    ? { ...about, kind: 'shopPassed', params: { shop: name } }
    : { ...about, kind: 'shopRejected', params: { shop: name, reason } };
};
