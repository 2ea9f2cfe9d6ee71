import { SEED_PAIRS, type PairRow } from '@bourse/contract';
import type { FeedView } from '@bourse/events';
import type { SimulatedSetup } from '@bourse/ledger-client';
import { SystemClock, type Config } from '@bourse/platform';
import { WHOLE_RATES, type LevelRates } from '@bourse/settings';
import { ratesAt, type FeeRates } from '../application/fee-rates.js';
import { LocalBooks } from '../application/local-books.js';
import { Markets, type ListedMarket } from '../application/markets.js';

/** Markets of a simulated exchange: two that share a quote, and one between their bases. */
const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC'];
const FOREVER_MS = 10 * 365 * 86_400_000;

/** The pairs, spread over the partitions; one has its own fee. */
export const simulatedPairs = (partitions: number): readonly PairRow[] =>
  SEED_PAIRS.filter(({ symbol }) => SYMBOLS.includes(symbol)).map((pair, index) => ({
    ...pair,
    partition: index % partitions,
    takerFee: index === 1 ? '0.250001' : pair.takerFee,
  }));

/** Levels by person: of three people one pays whole rates, one nothing as a taker, one odd parts of both. */
export const simulatedLevel = (userId: number): LevelRates => LEVELS[userId % LEVELS.length] ?? WHOLE_RATES;
const LEVELS: readonly LevelRates[] = [
  WHOLE_RATES,
  { makerPercent: 75, takerPercent: 0 },
  { makerPercent: 33, takerPercent: 77 },
];
export const SIMULATED_RATES: FeeRates = {
  ready: () => Promise.resolve(),
  ratesOf: (userId, market) => ratesAt(market, simulatedLevel(userId)),
};

/** A price feed that is always fresh. */
export function simulatedFeed(beginning: number): FeedView {
  const at = beginning + FOREVER_MS;
  return { at, kind: 'simulated', prices: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, { price: '1', at }])) };
}

/** The markets of the catalog. */
export function marketsOf({ reference, config }: SimulatedSetup): readonly ListedMarket[] {
  const noViews = { subscribe: () => () => undefined } as never;
  // `simulatedPairs` has put each pair into an existing partition.
  const asPut = { ...config, spotPartitions: SEED_PAIRS.length } as Config;
  return new Markets(reference, new LocalBooks(), noViews, new SystemClock(), asPut).all();
}
