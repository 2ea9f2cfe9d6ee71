import type { QuotationItem } from '@bourse/contract';
import type { Freshness } from './freshness.js';

/** Why orders cannot be sent now. `stale` and `reconnecting` stop only those that depend on the price of the moment. */
export type MarketBlock = 'halted' | 'cancelOnly' | 'reconnecting' | 'stale';

export function marketBlock(
  mode: QuotationItem['mode'],
  connected: boolean,
  freshness: Freshness,
): MarketBlock | undefined {
  if (mode === 'halted') return 'halted';
  if (mode === 'cancel_only') return 'cancelOnly';
  if (!connected) return 'reconnecting';
  return freshness === 'dead' ? 'stale' : undefined;
}

/** Whether a block stops every order, whatever its price. */
export const stopsAll = (block: MarketBlock | undefined): boolean => block === 'halted' || block === 'cancelOnly';
