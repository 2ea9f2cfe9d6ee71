import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  AuditLoop,
  AuditPace,
  Views,
  type AuditCheck,
  type AuditedHold,
  type AuditFlow,
  type AuditRound,
  type MovedSums,
  type TradedSums,
  type TradeSpan,
} from '@bourse/messaging';
import { Alarms } from '@bourse/platform';
import { BUY, RollingHash } from '@bourse/matching';
import { LocalBooks } from './local-books.js';
import { Markets, type ListedMarket } from './markets.js';
import { AuditReads, type AuditedMarket, type AuditedOrder, type AuditSnapshot } from './ports.js';

/**
 * Open orders that a round may read. Unused ones are saved up to three times as many, so that a market with more orders
 * is read whole within a minute.
 */
const ROWS_A_ROUND = 40_000;
const ROWS_SAVED = 3 * ROWS_A_ROUND;
const ROWS_AT_ONCE = 1_000;
const POLLS_MAX = 3;
const POLL_INTERVAL_MS = 200;

/**
 * Checks this service's own rows and books (invariants I5, I7, I8), in one snapshot. Each book is represented by the
 * hash that its engine stored with its last commit: the open orders must produce the same hash.
 */
@Injectable()
export class SpotAudit implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: AuditLoop<AuditRound>;
  /** Sequence of each market when its open orders were last read and right. */
  private readonly verified = new Map<
    string,
    { readonly sequence: number; readonly print: string; readonly round: number }
  >();
  /** The last trade of each market that was checked against its orders. */
  private readonly checkedTrades = new Map<string, number>();
  private ordersAfter = '0';
  private rounds = 0;
  private rows = 0;

  constructor(
    private readonly reads: AuditReads,
    private readonly books: LocalBooks,
    private readonly markets: Markets,
    alarms: Alarms,
    views: Views,
  ) {
    this.loop = new AuditLoop({ service: 'spot-matching', alarms, views, round: () => this.round() });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }
  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** A round that begins now. */
  run(): Promise<AuditRound> {
    return this.loop.now();
  }

  holdDigests(): Promise<readonly string[]> {
    return this.reads.holdDigests(this.markets.all());
  }
  holdLines(buckets: readonly number[]): Promise<{ lines: readonly AuditedHold[]; flow: AuditFlow }> {
    return this.reads.holdLines(this.markets.all(), buckets);
  }
  trades(span: TradeSpan): Promise<{ moved: readonly MovedSums[]; traded: readonly TradedSums[] }> {
    const market = this.markets.bySymbol(span.symbol);
    return market ? this.reads.trades(market, span) : Promise.resolve({ moved: [], traded: [] });
  }

  private async round(): Promise<AuditRound> {
    await this.markets.ready();
    this.rounds += 1;
    const listed = this.markets.all();
    const round = await this.reads.inSnapshot(async (snapshot) => {
      const flow = await snapshot.flow();
      const stored = await snapshot.markets();
      const wrong = await this.booksDiffer(snapshot, listed, stored);
      const checks = [
        ...wrong.checks,
        await this.tradesWrong(snapshot, stored),
        await this.ordersWrong(snapshot, listed),
      ];
      return { checks, flow, stored, suspects: wrong.suspects };
    });
    const books = await this.nameFirst(round.suspects);
    return {
      checks: [...books, ...round.checks],
      flow: round.flow,
      tails: Object.fromEntries(round.stored.map(({ symbol, tradeSequence }) => [symbol, tradeSequence])),
    };
  }

  /** Compares the open orders of as many markets with their books as a round may read. */
  private async booksDiffer(
    snapshot: AuditSnapshot,
    listed: readonly ListedMarket[],
    stored: readonly AuditedMarket[],
  ): Promise<{ checks: AuditCheck[]; suspects: { market: ListedMarket; fault: string }[] }> {
    const suspects: { market: ListedMarket; fault: string }[] = [];
    const pace = new AuditPace();
    const due = [...stored].sort(
      (a, b) => (this.verified.get(a.symbol)?.round ?? 0) - (this.verified.get(b.symbol)?.round ?? 0),
    );
    this.rows = Math.min(ROWS_SAVED, this.rows + ROWS_A_ROUND);
    for (const state of due) {
      const market = listed.find(({ symbol }) => symbol === state.symbol);
      if (!market) continue;
      const known = this.verified.get(state.symbol);
      const { print, count } = await snapshot.openPrint(state.symbol);
      if (known?.sequence === state.sequence && known.print === print) {
        this.verified.set(state.symbol, { ...known, round: this.rounds });
        continue;
      }
      // A market that was never correct is always read. The one that waited longest comes first, and one that needs
      // more rows than are left waits for them.
      if (known && count > this.rows && this.rows < ROWS_SAVED) break;
      this.rows -= count;
      const fault = await this.bookOf(snapshot, market, state, pace);
      if (fault !== null) {
        this.verified.delete(state.symbol);
        suspects.push({ market, fault });
        continue;
      }
      this.verified.set(state.symbol, { sequence: state.sequence, print, round: this.rounds });
    }
    return {
      checks:
        suspects.length === 0 ? [good('books', 'every book is the one its open orders make, and none is crossed')] : [],
      suspects,
    };
  }

  /** Folds the open orders of a market into the hash of its book, in pieces, so that calls are answered in between. */
  private async bookOf(
    snapshot: AuditSnapshot,
    market: ListedMarket,
    state: AuditedMarket,
    pace: AuditPace,
  ): Promise<string | null> {
    const hash = new RollingHash();
    let [bid, ask] = [0, Infinity];
    for (let after = -1; ;) {
      const rows = await snapshot.openOrders(market, after, ROWS_AT_ONCE);
      for (const row of rows) {
        after = row.sequence;
        if (row.waiting) continue;
        hash.toggle(row.side, row.price, row.sequence, row.quantity - row.filled);
        if (row.side === BUY) bid = Math.max(bid, row.price);
        else ask = Math.min(ask, row.price);
      }
      if (rows.length < ROWS_AT_ONCE) break;
      await pace.rest();
    }
    if (bid >= ask) return `the book is crossed: ${bid} ticks bid, ${ask} asked`;
    // An empty hash is in rows from before it was stored with each commit.
    if (state.hash !== '' && hash.text() !== state.hash)
      return `at sequence ${state.sequence} the book has hash ${state.hash}, its open orders make ${hash.text()}`;
    return null;
  }

  /**
   * Names the first order whose row differs from the book in memory. Engines run ahead of their commits, so a
   * difference counts when it occurs twice in the same way.
   */
  private async nameFirst(
    suspects: readonly { readonly market: ListedMarket; readonly fault: string }[],
  ): Promise<AuditCheck[]> {
    const checks: AuditCheck[] = [];
    for (const { market, fault } of suspects) {
      let known: Map<string, string> | undefined;
      for (let poll = 0; poll < POLLS_MAX; poll += 1) {
        if (poll > 0) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
        const now = await this.differences(market);
        const before: ReadonlyMap<string, string> | undefined = known;
        known = before ? new Map([...now].filter(([id, text]) => before.get(id) === text)) : now;
      }
      const [first] = known ?? [];
      checks.push({
        name: `book ${market.symbol}`,
        ok: false,
        detail: first ? `order ${first[0]}: ${first[1]}; ${fault}` : fault,
      });
    }
    return checks;
  }

  private async differences(market: ListedMarket): Promise<Map<string, string>> {
    const engine = this.books.engine(market.symbol);
    const found = new Map<string, string>();
    if (!engine) return found;
    const rows = await this.reads.inSnapshot(async (snapshot) => {
      const all: AuditedOrder[] = [];
      for (let after = -1; ;) {
        const piece = await snapshot.openOrders(market, after, ROWS_AT_ONCE);
        all.push(...piece);
        if (piece.length < ROWS_AT_ONCE) return all;
        after = piece.at(-1)!.sequence;
      }
    });
    for (const row of rows) {
      const order = engine.open.get(row.id);
      if (!order) found.set(row.id, 'its row is open, its book does not have it');
      else if (
        order.price !== row.price ||
        order.quantity !== row.quantity ||
        order.filled !== row.filled ||
        order.side !== row.side ||
        order.sequence !== row.sequence
      ) {
        found.set(
          row.id,
          `its row says ${row.quantity - row.filled} of ${row.quantity} lots at ${row.price} ticks, its book ` +
            `${order.quantity - order.filled} of ${order.quantity} at ${order.price}`,
        );
      }
    }
    const stored = new Set(rows.map(({ id }) => id));
    for (const id of engine.open.keys()) if (!stored.has(id)) found.set(id, 'its book has it, no open row does');
    return found;
  }

  /**
   * Checks new trades: numbered without gaps, none worse than the limits of its orders, and the filled amounts of open
   * orders equal to their trades.
   */
  private async tradesWrong(snapshot: AuditSnapshot, stored: readonly AuditedMarket[]): Promise<AuditCheck> {
    const faults: string[] = [];
    for (const { symbol, tradeSequence } of stored) {
      const from = this.checkedTrades.get(symbol) ?? 0;
      const fault = await snapshot.newTradesWrong(symbol, from, tradeSequence);
      if (fault === null) this.checkedTrades.set(symbol, tradeSequence);
      else {
        this.checkedTrades.delete(symbol);
        faults.push(fault);
      }
    }
    const unexplained = await snapshot.fillsUnexplained();
    if (unexplained.length > 0)
      faults.push(`orders ${unexplained.join(', ')} are filled by another amount than their trades say`);
    return faults.length === 0
      ? good('trades', 'numbered without gaps, none worse than a limit, and open orders are filled by them')
      : { name: 'trades', ok: false, detail: faults.join('; ') };
  }

  /**
   * Checks for impossible states and wrong holds of open orders; each round checks a part of all orders, in rotation.
   */
  private async ordersWrong(snapshot: AuditSnapshot, listed: readonly ListedMarket[]): Promise<AuditCheck> {
    const { fault, last } = await snapshot.statesWrong(this.ordersAfter);
    this.ordersAfter = last ?? '0';
    const detail = fault ?? (await snapshot.needsWrong(listed));
    return detail === null
      ? good('orders', 'every order is in a state it can be in, and holds what it needs')
      : { name: 'orders', ok: false, detail };
  }
}

const good = (name: string, detail: string): AuditCheck => ({ name, ok: true, detail });
