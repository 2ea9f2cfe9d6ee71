import { FIRST_PRICES, SEED_PAIRS, type PairRow } from '@bourse/contract';
import type { FeedView } from '@bourse/events';
import type { SimulatedHost, SimulatedSetup } from '@bourse/ledger-client';
import { formatUnits, toUnits } from '@bourse/money';
import { SystemClock, type Config } from '@bourse/platform';
import { WHOLE_RATES, type LevelRates } from '@bourse/settings';
import { ratesAt, type FeeRates } from '../application/fee-rates.js';
import { LocalBooks } from '../application/local-books.js';
import { Markets, type ListedMarket } from '../application/markets.js';

/** Markets of a simulated exchange: two that share a quote, and one between their bases. */
const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC'];
const FOREVER_MS = 10 * 365 * 86_400_000;
const TICK_MS = 1_000;
/** Steps of a 2,000th by which a price of the feed leaves the first one. */
const SWING = 6;

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

/** A price feed that is always fresh, with the first prices of the markets. */
export const simulatedFeed = (beginning: number): FeedView => feedOf(beginning + FOREVER_MS, () => 0);

/** Ticks of a feed that wanders around the first prices, the same for every process. */
export function wanderFeed(clock: SimulatedHost['clock'], views: SimulatedHost['views']): void {
  const tick = (): void => {
    const second = Math.floor(clock.now() / TICK_MS);
    const steps = (place: number): number => Math.abs(((second + 3 * place) % (4 * SWING)) - 2 * SWING) - SWING;
    views.publish('feed', feedOf(second * TICK_MS + FOREVER_MS, steps), true);
  };
  setInterval(tick, TICK_MS);
}

/** A feed whose prices are so many steps away from the first ones. */
function feedOf(at: number, steps: (place: number) => number): FeedView {
  const priceOf = (symbol: string, place: number): string => {
    const scale = SEED_PAIRS.find((pair) => pair.symbol === symbol)?.priceScale ?? 0;
    const first = toUnits(FIRST_PRICES[symbol] ?? '1', scale);
    return formatUnits(first + (BigInt(steps(place)) * first) / 2_000n, scale);
  };
  const prices = SYMBOLS.map((symbol, place) => [symbol, { price: priceOf(symbol, place), at }] as const);
  return { at, kind: 'simulated', prices: Object.fromEntries(prices) };
}

/** The markets of the catalog. */
export function marketsOf({ reference, config }: SimulatedSetup): readonly ListedMarket[] {
  const noViews = { subscribe: () => () => undefined } as never;
  // `simulatedPairs` has put each pair into an existing partition.
  const asPut = { ...config, spotPartitions: SEED_PAIRS.length } as Config;
  return new Markets(reference, new LocalBooks(), noViews, new SystemClock(), asPut).all();
}
