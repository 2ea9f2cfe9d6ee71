import { Injectable } from '@nestjs/common';
import { bookChecksum, type BookAnswer, type PairRow, type TradeRecord } from '@bourse/contract';
import type { DepthView } from '@bourse/events';
import { Asks, AskUnavailable, serviceAsks, walletLedgerAsks } from '@bourse/messaging';
import { formatUnits, rescale, trimZeros } from '@bourse/money';
import { Clock, timeText } from '@bourse/platform';
import { SCALE } from '../domain/candle.js';
import type { TradeRow } from './ports.js';
import { PublishedBooks } from './published-books.js';
import { Quotations } from './quotations.js';
import { Trades } from './trades.js';

const SHOWN_TRADES = 20;
/** A published book older than this is requested again. */
const OLD_MS = 3_000;

type Levels = DepthView['bids'];
/** A trade as the lists show it. */
export function tradeRecord(pair: PairRow, trade: TradeRow): TradeRecord {
  return {
    id: `${pair.symbol}-${trade.sequence}`,
    create_time: timeText(trade.at),
    ts: trade.at,
    direction: trade.takerSide,
    house: trade.house ? 1 : 0,
    price: formatUnits(rescale(trade.price, SCALE, pair.priceScale, 'half_up'), pair.priceScale),
    number: formatUnits(rescale(trade.quantity, SCALE, pair.numberScale, 'down'), pair.numberScale),
  };
}

/** The deal page's book: published depth, last trades, and the caller's free balances. */
@Injectable()
export class Books {
  constructor(
    private readonly asks: Asks,
    private readonly published: PublishedBooks,
    private readonly trades: Trades,
    private readonly quotations: Quotations,
    private readonly clock: Clock,
  ) {}

  async book(pair: PairRow, userId: number | null, depth: number): Promise<BookAnswer> {
    const [view, balances] = await Promise.all([
      this.depth(pair),
      userId === null ? null : this.asks.ask(walletLedgerAsks.balances, { userId }),
    ]);
    const ticker = this.quotations.ticker(pair);
    const free = (currency: number): string =>
      balances?.find((row) => row.currency === currency && row.product === 'change')?.available ?? '0';
    const bids = trimmed(view?.bids ?? []);
    const asks = trimmed(view?.asks ?? []);
    const levels = (side: Levels): { price: string; number: string }[] =>
      side.slice(0, depth).map(([price, number]) => ({ price, number }));
    return {
      symbol: pair.symbol,
      legal_id: pair.legalId,
      currency_id: pair.currencyId,
      last_price: ticker.now,
      proportion: ticker.change,
      yesterday: ticker.yesterday,
      today: ticker.now,
      in: levels(bids),
      out: levels(asks),
      complete: this.trades.recent(pair.id, SHOWN_TRADES).map((trade) => tradeRecord(pair, trade)),
      user_cny: free(pair.legalId),
      user_currency: free(pair.currencyId),
      seq: view?.seq ?? 0,
      checksum: bookChecksum(bids, asks),
      ts: this.clock.now(),
    };
  }

  /**
   * The published book; asked of its owner when none came lately. An owner that cannot be reached leaves what was
   * published last.
   */
  private async depth(pair: PairRow): Promise<DepthView | null> {
    const view = this.published.get(pair.symbol);
    if (view && this.clock.real() - view.at < OLD_MS) return view;
    try {
      return await this.asks.ask(serviceAsks.book('spot-matching'), { symbol: pair.symbol, depth: 100 }, 500);
    } catch (error) {
      if (error instanceof AskUnavailable) return view ?? null;
      throw error;
    }
  }
}

const trimmed = (side: Levels): Levels => side.map(([price, number]) => [trimZeros(price), trimZeros(number)]);
