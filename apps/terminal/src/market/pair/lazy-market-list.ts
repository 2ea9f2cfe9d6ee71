import { lazyScreen } from '@bourse/web';

/** The list of markets, loaded where it stands beside the chart or when it is opened. */
export const MarketList = lazyScreen(async () => ({ default: (await import('./market-list.js')).MarketList }));
