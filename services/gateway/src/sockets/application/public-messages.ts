import {
  bookChecksum,
  type DayMarketPush,
  type FlatDepthPush,
  type FullDepthPush,
  type KlinePush,
  type MatchTradePush,
  type PairRow,
  type TransactionPush,
} from '@bourse/contract';
import type { DepthView, KlineView, TickerView, TradesView } from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import { timeText, type Clock } from '@bourse/platform';
import { windowOf } from '../domain/depth-diff.js';
import type { PairStreams } from './pair-streams.js';

/** Makes the public messages of api §4 from views. `seq` and `prev` are the numbers in the message's stream. */
export class PublicMessages {
  constructor(private readonly clock: Clock) {}

  private head(pair: PairRow): { symbol: string; legal_id: number; currency_id: number } {
    return { symbol: pair.symbol, legal_id: pair.legalId, currency_id: pair.currencyId };
  }

  private depthHead(
    pair: PairRow,
    streams: PairStreams,
    lastPrice: string,
  ): { last_price: string; proportion: string; yesterday: string; today: string } {
    // A book that has never traded has no last price: then it is the pair's price, as everywhere else.
    const last = scaled(/[1-9]/.test(lastPrice) ? lastPrice : (streams.ticker?.nowPrice ?? lastPrice), pair.priceScale);
    return {
      last_price: last,
      proportion: streams.ticker?.change ?? '0.00',
      yesterday: streams.ticker?.yesterday ?? last,
      today: streams.ticker?.today ?? last,
    };
  }

  /** A message of the depth stream: the whole window, or its changes. */
  depth(
    pair: PairRow,
    streams: PairStreams,
    kind: 'snapshot' | 'diff',
    b: string[],
    a: string[],
    seq: number,
    prev: number,
  ): FlatDepthPush {
    const sent = streams.sent!;
    return {
      ...this.head(pair),
      kind,
      ...this.depthHead(pair, streams, sent.lastPrice),
      b,
      a,
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
      checksum: bookChecksum(sent.window.bids, sent.window.asks),
    };
  }

  /** The depth of the default broadcast. */
  fullDepth(pair: PairRow, streams: PairStreams, view: DepthView, seq: number, prev: number): FullDepthPush {
    const window = windowOf(view.bids, view.asks);
    const level = ([price, number]: readonly [string, string]): { price: string; number: string } => ({
      price,
      number,
    });
    return {
      ...this.head(pair),
      kind: 'full',
      ...this.depthHead(pair, streams, view.lastPrice),
      bids: window.bids.map(level),
      asks: window.asks.map(level),
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
      checksum: bookChecksum(window.bids, window.asks),
    };
  }

  /** The day's figures of a pair. */
  ticker(pair: PairRow, view: TickerView, seq: number, prev: number): DayMarketPush {
    return {
      ...this.head(pair),
      legal_name: pair.legalName,
      currency_name: pair.currencyName,
      change: view.change,
      now_price: view.nowPrice,
      volume: view.volume,
      high: view.high,
      low: view.low,
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
    };
  }

  /** A candle of one period. */
  kline(pair: PairRow, view: KlineView, seq: number, prev: number): KlinePush {
    const { period, time, open, high, low, close, volume } = view;
    return {
      ...this.head(pair),
      // Market data sends candles only in the periods of the contract.
      period: period as KlinePush['period'],
      time,
      open,
      high,
      low,
      close,
      volume,
      final: view.final ? 1 : 0,
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
    };
  }

  /** A trade, for the trades of a pair. */
  trade(pair: PairRow, trade: TradesView['trades'][number], seq: number, prev: number): MatchTradePush {
    return {
      ...this.head(pair),
      id: `${pair.symbol}-${trade.seq}`,
      price: scaled(trade.price, pair.priceScale),
      amount: scaled(trade.quantity, pair.numberScale),
      ts: trade.at,
      direction: trade.takerSide,
      house: trade.house ? 1 : 0,
      seq,
      prev_seq: prev,
    };
  }

  /** A trade, for the transactions of all pairs. */
  transaction(pair: PairRow, trade: TradesView['trades'][number], seq: number, prev: number): TransactionPush {
    return {
      ...this.head(pair),
      legal_name: pair.legalName,
      currency_name: pair.currencyName,
      id: `${pair.symbol}-${trade.seq}`,
      price: scaled(trade.price, pair.priceScale),
      number: scaled(trade.quantity, pair.numberScale),
      total: total(trade.price, trade.quantity, pair),
      direction: trade.takerSide,
      type: trade.takerSide === 'buy' ? 'in' : 'out',
      create_time: timeText(trade.at),
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
    };
  }
}

/** Scale of displayed totals. */
const TOTAL_SCALE = 8;
const scaled = (text: string, scale: number): string =>
  text === '' ? formatUnits(0n, scale) : formatUnits(toUnits(text, scale), scale);
/** Price × quantity, rounded down like the fill. */
function total(price: string, quantity: string, { priceScale, numberScale }: PairRow): string {
  const product = toUnits(price, priceScale) * toUnits(quantity, numberScale);
  const over = priceScale + numberScale - TOTAL_SCALE;
  return formatUnits(over > 0 ? product / 10n ** BigInt(over) : product * 10n ** BigInt(-over), TOTAL_SCALE);
}
