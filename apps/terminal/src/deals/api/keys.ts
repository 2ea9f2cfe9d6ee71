import { keys } from '@bourse/api-client';
import type { Ad, CoinCode, Way } from '@bourse/contract';

/** The source of a market's ads: everybody, or shops. */
export type MarketPath = '/api/c2c_deal_platform' | '/api/legal/ads';
/** The filter of a market. The type is the ad's: a buyer reads `sell` ads. */
export interface MarketFilter {
  readonly type: Ad['type'];
  readonly currency_id: number;
  readonly coin_code?: CoinCode | undefined;
  readonly way?: Way | undefined;
  /** Shops only: C2C ads are sifted here. */
  readonly money?: string | undefined;
}
/** Which of a list of deals: those that run, those that ended well, those that were cancelled. */
export type Stage = 'running' | 'done' | 'cancelled';

const all = [...keys.user, 'deals'] as const;
const lists = [...all, 'list'] as const;
/** All that is read of deals and of one's ads; ads of the market are everybody's. */
export const dealKeys = {
  all,
  lists,
  deal: (id: string) => [...all, 'deal', id] as const,
  chat: (id: string) => [...all, 'chat', id] as const,
  appeal: (id: string) => [...all, 'appeal', id] as const,
  list: (path: string, fields: object) => [...lists, path, fields] as const,
  ads: ['ads'] as const,
  market: (path: MarketPath, filter: MarketFilter) => ['ads', path, filter] as const,
};

/** `is_sure` of the lists; `0|3` are the unfinished ones (rules §6). */
export const SURE_OF = { running: '0|3', done: '1', cancelled: '2' } as const satisfies Record<Stage, string>;
