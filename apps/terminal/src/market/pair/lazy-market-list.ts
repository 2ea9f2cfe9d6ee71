import { lazyScreen } from '@bourse/web';

/** The list of markets, loaded when a screen shows it or a dialog opens it. */
export const MarketList = lazyScreen(async () => ({ default: (await import('./market-list.js')).MarketList }));
