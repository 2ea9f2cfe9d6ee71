import type { DepthView } from '@bourse/events';
import { serviceAsks, type AuditCheck, type Asks } from '@bourse/messaging';
import type { MarketViews } from '../../shared/application/market-views.js';
import { ASK_TIMEOUT_MS, check, POLLS_MAX, pause } from './audit-round.js';
import type { TradeFindings } from './trade-reconciliation.js';

/** Compares the depth that clients get with the book (invariant I10). */
export class DepthCheck {
  constructor(
    private readonly asks: Asks,
    private readonly markets: MarketViews,
  ) {}

  /** Compares book and depth at one sequence; a difference counts when it is seen twice. */
  async run(symbols: TradeFindings['markets']): Promise<AuditCheck> {
    const wrong: string[] = [];
    for (const [symbol, { service }] of symbols) {
      let seen = 0;
      for (let poll = 0; poll < POLLS_MAX && seen < 2; poll += 1) {
        const book = await this.asks.ask(serviceAsks.book(service), { symbol, depth: 100 }, ASK_TIMEOUT_MS);
        const view = this.markets.depthAt(symbol, book.seq);
        if (view && !sameLevels(view, book)) {
          if ((seen += 1) === 2) wrong.push(`${symbol} at sequence ${book.seq}`);
        } else if (view) break;
        await pause();
      }
    }
    return check(
      'gateway.depth',
      wrong.length > 0 ? `the depth shown is not the book: ${wrong.join(', ')}` : null,
      'the depth shown is the book',
    );
  }
}

const sameLevels = (a: DepthView, b: DepthView): boolean =>
  JSON.stringify([a.bids, a.asks]) === JSON.stringify([b.bids, b.asks]);
