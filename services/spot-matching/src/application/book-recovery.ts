import type { Alarms } from '@bourse/platform';
import type { ListedMarket, Markets } from './markets.js';
import type { EngineStore, MarketRow } from './ports.js';
import { emptyEngine, type RunningMarket } from './running-market.js';

/** Builds the books of a partition again, and stops where they differ from those that were committed. */
export class BookRecovery {
  constructor(
    private readonly markets: Markets,
    private readonly store: EngineStore,
    private readonly alarms: Alarms,
  ) {}

  /** Books of a partition from their open orders: the recovery point, committed together with the position. */
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
   * A market that a partition does not run: its book when it is at home there all the same, moved there or listed
   * lately; else the partition where it is at home. Undefined: there is no such market. Not for a market that is
   * leaving by a commit under way.
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

/** The partition that runs a market: as its row says, which a move changes; before its first command, as listed. */
const homeOf = ({ partition }: ListedMarket, row: MarketRow | undefined): number => row?.partition ?? partition;
