import type { ApiError } from './errors.js';

/** The client's reaction to refusals (api §1.4). Pure, so that every code is tested without a screen. */
export type Reaction = 'toast' | 'askFundPassword' | 'paymentSettings' | 'identity' | 'signOut' | 'none';

/**
 * `not`, `996` and HTTP 401 ask for the fund password; `997` and `555` go to the payment settings; `998` to identity;
 * `999` ends the session.
 */
export function reactionTo({ status, type }: Pick<ApiError, 'status' | 'type'>): Reaction {
  if (type === '999') return 'signOut';
  if (type === 'not' || type === '996' || status === 401) return 'askFundPassword';
  if (type === '997' || type === '555') return 'paymentSettings';
  if (type === '998') return 'identity';
  return 'toast';
}
