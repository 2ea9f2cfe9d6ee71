import { Injectable } from '@nestjs/common';
import { orderHold } from '@bourse/events';
import { formatUnits } from '@bourse/money';
import { BUY } from '../domain/book.js';
import { LadderBook } from '../domain/ladder-book.js';
import { MarketEngine } from '../domain/market-engine.js';
import { isWaiting } from '../domain/order.js';
import { LocalBooks } from './local-books.js';
import { Markets, type ListedMarket } from './markets.js';
import { AuditReads } from './ports.js';

export interface Check { readonly name: string; readonly ok: boolean; readonly detail: string }
/** What the hold of an open order must still contain. */
export interface NeededHold { readonly hold: string; readonly userId: number; readonly currency: number; readonly amount: string }

const TRIES = 20;
const PAUSE_MS = 25;

/** Checks this service's own rows and books (invariants I5, I7). */
@Injectable()
export class SpotAudit {
  constructor(private readonly reads: AuditReads, private readonly books: LocalBooks, private readonly markets: Markets) {}

  async run(): Promise<{ checks: Check[]; holds: NeededHold[] }> {
    const checks: Check[] = [];
    const holds: NeededHold[] = [];
    for (const market of this.markets.all()) {
      const wrong = await this.bookDiffers(market, holds);
      if (wrong !== null) checks.push({ name: `book ${market.symbol}`, ok: false, detail: wrong });
    }
    if (checks.length === 0) checks.push({ name: 'books', ok: true, detail: 'every book is the one its open orders make, and none is crossed' });
    const gaps = await this.reads.tradeGaps();
    checks.push({ name: 'trades', ok: gaps.length === 0, detail: gaps.join('; ') || 'numbered without gaps' });
    const unexplained = await this.reads.fillsUnexplained();
    checks.push({ name: 'fills', ok: unexplained.length === 0, detail: unexplained.length === 0 ? 'open orders are filled by what their trades say' : `orders ${unexplained.join(', ')} are filled by another amount than their trades say` });
    return { checks, holds };
  }

  /** Compares at one sequence; while a market moves there is none in common, so it is tried again. Null: equal. */
  private async bookDiffers(market: ListedMarket, holds: NeededHold[]): Promise<string | null> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const stored = await this.reads.book(market);
      const live = this.books.engine(market.symbol);
      if (live && (stored?.sequence ?? 0) !== live.state.sequence) { await new Promise((resolve) => setTimeout(resolve, PAUSE_MS)); continue; }
      const rebuilt = new MarketEngine(market, new LadderBook(), { sequence: stored?.sequence ?? 0, tradeSequence: 0, lastPrice: 0, mode: 'normal', at: 0 });
      try {
        rebuilt.restore(stored?.orders ?? []);
      } catch (error) {
        return (error as Error).message;
      }
      if (live && (rebuilt.hash() !== live.hash() || rebuilt.bookHash() !== live.bookHash())) {
        return `at sequence ${live.state.sequence} the book has hashes ${live.hash()} and ${live.bookHash()}, its open orders make ${rebuilt.hash()} and ${rebuilt.bookHash()}`;
      }
      const waiting = [...rebuilt.open.values()].filter(isWaiting).length;
      if (live && live.open.size !== rebuilt.open.size) return `${live.open.size} orders are open, ${rebuilt.open.size} are stored (${waiting} stops)`;
      for (const order of rebuilt.open.values()) {
        const buy = order.side === BUY;
        holds.push({ hold: orderHold(order.id), userId: order.userId, currency: buy ? market.quoteId : market.baseId, amount: formatUnits(order.holdLeft, buy ? market.quoteScale : market.baseScale) });
      }
      return null;
    }
    return null; // it moved all the time: nothing to compare, and nothing wrong
  }
}
