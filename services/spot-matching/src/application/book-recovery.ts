import type { Alarms } from '@bourse/platform';
import type { ListedMarket, Markets } from './markets.js';
import type { EngineStore, MarketRow } from './ports.js';
import { emptyEngine, type RunningMarket } from './running-market.js';

/** Rebuilds the books of a partition, and stops if they differ from the committed ones. */
export class BookRecovery {
  constructor(
    private readonly markets: Markets,
    private readonly store: EngineStore,
    private readonly alarms: Alarms,
  ) {}

  /**
   * Loads the books of a partition from their open orders: the recovery point, committed together with the position.
   */
  async load(partition: number): Promise<Map<string, RunningMarket>> {
    const stored = new Map((await this.store.markets()).map((row) => [row.symbol, row]));
    const running = new Map<string, RunningMarket>();
    for (const market of this.markets.all()) {
      const row = stored.get(market.symbol);
      if (homeOf(market, row) === partition) running.set(market.symbol, await this.open(market, row));
    }
    return running;
  }

  /**
   * Finds a market that a partition does not run: returns its book if the partition is its home (it was moved there or
   * listed recently), else the number of its home partition. Undefined: the market does not exist. Must not be called
   * for a market that leaves by a commit in progress.
   */
  async find(symbol: string, partition: number): Promise<RunningMarket | number | undefined> {
    const market = this.markets.bySymbol(symbol);
    if (!market) return undefined;
    const [row] = await this.store.markets([symbol]);
    const home = homeOf(market, row);
    return home === partition ? this.open(market, row) : home;
  }

  private async open(market: ListedMarket, row: MarketRow | undefined): Promise<RunningMarket> {
    const engine = emptyEngine(market, row);
    engine.restore(await this.store.openOrders(market));
    if (row && row.hash !== '' && row.hash !== engine.hash()) {
      this.alarms.raise(
        `book:${market.symbol}`,
        `the book built from its open orders is not the one that was committed at ${row.sequence}: orders were altered`,
      );
      throw new Error(`invariant: the book of ${market.symbol} differs from the one committed at ${row.sequence}`);
    }
    return { engine, market, modeVersion: row?.modeVersion ?? 0 };
  }
}

/** The home partition of a market: from its row, which a move changes; before its first command, from the catalog. */
const homeOf = ({ partition }: ListedMarket, row: MarketRow | undefined): number => row?.partition ?? partition;
