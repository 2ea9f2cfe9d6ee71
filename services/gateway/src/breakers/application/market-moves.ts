import { Injectable } from '@nestjs/common';
import { Asks, serviceAsks, type MarketPartitions } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { BreakerStore, type OperatorAction } from './breakers.js';
import { Descriptions } from '../../shared/application/descriptions.js';

const SEEN_MS = 2_000;

/** The partition of each market, and moves of markets between partitions of the books (api §2.12). */
@Injectable()
export class MarketMoves {
  constructor(
    private readonly asks: Asks,
    private readonly descriptions: Descriptions,
    private readonly store: BreakerStore,
  ) {}

  /** The partition of each market, as its book last published it. */
  async where(): Promise<MarketPartitions> {
    const all = await Promise.all(
      this.descriptions.makers().map(({ service }) => this.asks.ask(serviceAsks.partitions(service), {})),
    );
    return {
      partitions: Math.max(1, ...all.map(({ partitions }) => partitions)),
      markets: all.flatMap(({ markets }) => markets),
    };
  }

  /**
   * Moves a market for an operator. Waits a little until it runs there, so that the next reader sees it. Throws
   * `common.fieldInvalid` for an unknown market or partition.
   */
  async move(
    symbol: string,
    to: number,
    who: Pick<OperatorAction, 'operatorId' | 'operator' | 'reason'>,
  ): Promise<void> {
    for (const { service } of this.descriptions.makers()) {
      const { partitions, markets } = await this.asks.ask(serviceAsks.partitions(service), {});
      const market = markets.find((one) => one.symbol === symbol);
      if (!market) continue;
      if (to >= partitions) throw new Refused('common.fieldInvalid', { field: 'partition' }, { field: 'partition' });
      await this.store.note({
        ...who,
        action: 'partition',
        target: symbol,
        before: String(market.partition),
        after: String(to),
      });
      await this.asks.ask(serviceAsks.move(service), { symbol, to });
      await this.seen(symbol, to);
      return;
    }
    throw new Refused('common.fieldInvalid', { field: 'symbol' }, { field: 'symbol' });
  }

  private async seen(symbol: string, to: number): Promise<void> {
    for (const until = Date.now() + SEEN_MS; Date.now() < until;) {
      const { markets } = await this.where();
      if (markets.some((one) => one.symbol === symbol && one.partition === to)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
