import { resolve } from 'node:path';
import type { Clock, Config } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import type { MarketStore, PriceFeed } from '../../application/ports.js';
import { LiveFeed } from './live-feed.js';
import { ScriptedFeed } from './scripted-feed.js';
import { SourceFeed } from './source-feed.js';

/** The feed that `PRICE_FEED` names (rules §17). */
export function chooseFeed(
  config: Pick<Config, 'priceFeed' | 'marketDataDir'>,
  store: MarketStore,
  clock: Clock,
  settings: Settings,
): PriceFeed {
  const { priceFeed } = config;
  if (priceFeed.startsWith('live:')) return new LiveFeed(priceFeed.slice('live:'.length).split(','), clock, settings);
  if (priceFeed.startsWith('scripted:')) return new ScriptedFeed(resolve(priceFeed.slice('scripted:'.length)));
  return new SourceFeed(
    { folder: config.marketDataDir, mode: priceFeed as 'auto' | 'recorded' | 'simulated' },
    store,
    clock,
  );
}
