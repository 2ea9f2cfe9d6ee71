import type { BookAnswer, QuotationItem, TransactionPush } from '@bourse/contract';
import { Book, comparePrices, decodePublic, Tape, type FrameLoop, type View } from '@bourse/realtime';
import { mayPass, Retries } from '@bourse/web';
import type { MarketSource } from './market-source.js';

/** The state of a pair for slow readers (React), updated four times a second. */
export interface PairSnapshot {
  readonly bestBid: string;
  readonly bestAsk: string;
  readonly lastPrice: string;
  readonly direction: -1 | 0 | 1;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

/** The last price of a market; before its first trade the pair's own, as above the chart. */
export const lastPriceOf = (
  { lastPrice }: Pick<PairSnapshot, 'lastPrice'>,
  { now_price }: Pick<QuotationItem, 'now_price'>,
): string => lastPrice || now_price;

const EMPTY: PairSnapshot = { bestBid: '', bestAsk: '', lastPrice: '', direction: 0, bids: [], asks: [] };
const CUT_MS = 250;
const TAPE_HELD = 100;
const QUIET_MS = 1_500;

/**
 * Live book and tape of one pair: subscriptions in, dirty views out. A fault in the book starts it again from a
 * snapshot.
 */
export class PairStream {
  readonly book: Book;
  /** More than a tape shows, so that one without the trades of the house has some. */
  readonly tape = new Tape(TAPE_HELD);
  private readonly bookViews = new Set<View>();
  private readonly tapeViews = new Set<View>();
  private readonly listeners = new Set<() => void>();
  private readonly closers: (() => void)[] = [];
  private readonly retries = new Retries(() => void this.readTrades());
  private current: PairSnapshot = EMPTY;
  private cutting = false;
  private loads = 0;
  private live = false;
  private lastFaultAt = 0;

  constructor(
    readonly pair: Pick<QuotationItem, 'symbol' | 'legal_id' | 'currency_id'>,
    private readonly feed: MarketSource['feed'],
    private readonly frames: FrameLoop,
    private readonly load: () => Promise<BookAnswer>,
  ) {
    this.book = new Book(pair.symbol);
  }

  open(): void {
    const { symbol } = this.pair;
    const depth = this.feed.subscribe(
      { channel: 'depth', symbol },
      {
        snapshot: (snapshot) => {
          const push = decodePublic('market_depth', snapshot);
          if (push) this.apply(push, depth.again);
        },
        event: (push) => this.apply(push, depth.again),
        reset: () => {
          this.live = false;
        },
      },
    );
    const trades = this.feed.subscribe(
      { channel: 'trades', symbol },
      {
        event: (push) => {
          if (this.tape.addPush(push)) this.markTape();
        },
        reset: () => void this.readTrades(),
      },
    );
    // A quiet market sends nothing: then the server is asked whether what we hold is still the newest.
    const quiet = setInterval(() => {
      if (this.live && this.feed.status === 'live' && this.feed.ageOf(symbol) > QUIET_MS) depth.confirm(this.book.seq);
    }, QUIET_MS / 2);
    this.closers.push(
      () => depth.close(),
      () => trades.close(),
      () => clearInterval(quiet),
    );
    void this.readTrades();
  }

  close(): void {
    this.loads += 1;
    this.retries.stop();
    for (const close of this.closers.splice(0)) close();
    for (const view of [...this.bookViews, ...this.tapeViews]) this.frames.drop(view);
  }

  showBook(view: View): () => void {
    return this.show(this.bookViews, view);
  }

  showTape(view: View): () => void {
    return this.show(this.tapeViews, view);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): PairSnapshot => this.current;

  private show(views: Set<View>, view: View): () => void {
    views.add(view);
    this.frames.mark(view);
    return () => {
      views.delete(view);
      this.frames.drop(view);
    };
  }

  private apply(push: Parameters<Book['apply']>[0], again: () => void): void {
    if (push.symbol !== this.pair.symbol) return;
    // Before the snapshot differences mean nothing; after a fault none is applied until the next snapshot.
    if (push.kind === 'diff' && !this.live) return;
    const result = this.book.apply(push);
    if (!result.ok) {
      this.live = false;
      this.book.clear();
      this.startAgain(again);
      return;
    }
    this.live = true;
    this.markBook();
  }

  /** At once, but not more than once a second: a server that disagrees with its own checksums must not be hammered. */
  private startAgain(again: () => void): void {
    const now = Date.now();
    const wait = this.lastFaultAt + 1_000 - now;
    this.lastFaultAt = now;
    if (wait <= 0) return again();
    const timer = setTimeout(again, wait);
    this.closers.push(() => clearTimeout(timer));
  }

  /** Trades, and the book until the socket's snapshot is there. */
  private async readTrades(): Promise<void> {
    const turn = (this.loads += 1);
    let answer: BookAnswer;
    try {
      answer = await this.load();
    } catch (error) {
      // The socket brings the book and what is traded from now on, this call alone what was traded before; the status
      // bar shows what is wrong.
      console.debug('book not read', error);
      if (turn === this.loads && mayPass(error)) this.retries.failed();
      return;
    }
    if (turn !== this.loads) return;
    this.retries.succeeded();
    this.tape.addRecords(answer.complete);
    this.markTape();
    if (this.live) return;
    this.book.apply({
      kind: 'full',
      symbol: answer.symbol,
      legal_id: answer.legal_id,
      currency_id: answer.currency_id,
      last_price: answer.last_price,
      proportion: answer.proportion,
      yesterday: answer.yesterday,
      today: answer.today,
      bids: answer.in,
      asks: answer.out,
      ts: answer.ts,
      seq: answer.seq,
      prev_seq: 0,
      checksum: answer.checksum,
    });
    this.markBook();
  }

  private markTape(): void {
    for (const view of this.tapeViews) this.frames.mark(view);
  }

  private markBook(): void {
    for (const view of this.bookViews) this.frames.mark(view);
    if (this.cutting) return;
    this.cutting = true;
    setTimeout(
      () => {
        this.cutting = false;
        this.cut();
      },
      this.current === EMPTY ? 0 : CUT_MS,
    );
  }

  private cut(): void {
    const { bids, asks } = this.book;
    // A market without a trade has 0: that is no price.
    const lastPrice = /[1-9]/.test(this.book.lastPrice) ? this.book.lastPrice : '';
    const before = this.current.lastPrice;
    const direction =
      before === '' || before === lastPrice ? this.current.direction : isHigher(lastPrice, before) ? 1 : -1;
    this.current = {
      bestBid: bids[0]?.[0] ?? '',
      bestAsk: asks[0]?.[0] ?? '',
      lastPrice,
      direction,
      bids: bids.map(([p, n]) => [p, n] as const),
      asks: asks.map(([p, n]) => [p, n] as const),
    };
    for (const listener of this.listeners) listener();
  }
}

/** Trades of all pairs, newest first. */
export class MarketTape {
  readonly trades: TransactionPush[] = [];
  private readonly ids = new Set<string>();

  add(trade: TransactionPush): boolean {
    const id = `${trade.symbol} ${trade.id}`;
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    this.trades.unshift(trade);
    const dropped = this.trades.length > 20 ? this.trades.pop() : undefined;
    if (dropped) this.ids.delete(`${dropped.symbol} ${dropped.id}`);
    return true;
  }
}

const isHigher = (a: string, b: string): boolean => comparePrices(a, b) > 0;
