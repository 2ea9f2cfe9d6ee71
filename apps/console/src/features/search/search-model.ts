import type { MessageOf } from '@bourse/contract';
import { addressOf, type ScreenName } from '../../paths.js';

export type FoundThing = MessageOf<'GET /api/admin/search'>['found'][number];

/** The fewest characters of a search. */
export const SEARCH_MIN = 3;

/** Orders have no page; they are found in lists of their owner. */
const PRODUCTS = { order: 'spot', position: 'lever', contract: 'micro' } as const;
/** Lists that are narrowed to one thing. */
const LISTS = { withdrawal: 'withdrawals', deposit: 'deposits', deal: 'deals' } as const satisfies Record<
  string,
  ScreenName
>;

/** The address in the console that shows a found thing. */
export function wayTo({ kind, id, user_id: userId }: FoundThing): string {
  switch (kind) {
    case 'user':
      return addressOf('user', id);
    case 'appeal':
      return addressOf('appeal', id);
    case 'withdrawal':
    case 'deposit':
    case 'deal':
      return `${addressOf(LISTS[kind])}?id=${id}`;
    case 'order':
    case 'position':
    case 'contract':
      return `${addressOf('orders')}?product=${PRODUCTS[kind]}&user_id=${userId}`;
  }
}
