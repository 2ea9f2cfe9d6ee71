import { PUSH_ALERTS_MAX } from '@bourse/contract';
import { readAlerts, type PriceAlert } from './price-alerts.js';

/** The page of an alert that was stored without one. */
const MARKET = '/dealCenter';

/** The stored price alerts of this browser as the exchange takes them: the newest, each with its page. */
export const alertsOfDevice = (kept: unknown): readonly Required<PriceAlert>[] =>
  readAlerts(kept)
    .slice(-PUSH_ALERTS_MAX)
    .map(({ id, symbol, price, above, link = MARKET }) => ({ id, symbol, price, above, link }));
