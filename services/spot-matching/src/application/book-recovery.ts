import type { Alarms } from '@bourse/platform';
import type { ListedMarket, Markets } from './markets.js';
import type { EngineStore, MarketRow } from './ports.js';
import { emptyEngine, type RunningMarket } from './running-market.js';

/** Builds the books of a partition anew, and stops where they differ from those that were committed. */
export class BookRecovery {
  constructor(
    private readonly markets: Markets,
    private readonly store: EngineStore,
    private readonly alarms: Alarms,
  ) {}

  /** Books of a partition from their open orders: the recovery point, committed together with the position. */
  async load(partition: number): Promise<Map<string, RunningMarket>> {
    const stored = new Map((await this.store.markets(partition)).map((row) => [row.symbol, row]));
    const running = new Map<string, RunningMarket>();
    for (const market of this.markets.all()) {
      if (market.partition === partition)
        running.set(market.symbol, await this.open(market, stored.get(market.symbol)));
    }
    return running;
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
