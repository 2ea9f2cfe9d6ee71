import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  bar,
  bookAnswer,
  decimalText,
  tradeRecord as tradeAnswer,
  type Bar,
  type BookAnswer,
  type PairRow,
  type TradeRecord,
} from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { Call, type CallContext, Context, message, plainJson, Raw, refuse, Refused } from '@bourse/platform';
import { BookBody, CandlesQuery, CurrentCandleBody, TradesQuery } from './fields.js';
import * as z from 'zod/mini';
import { Books, tradeRecord } from '../../application/books.js';
import { barOf, Candles } from '../../application/candles.js';
import { Catalog } from '../../application/catalog.js';
import { Pace } from '../../application/pace.js';
import { Quotations } from '../../application/quotations.js';
import { Trades } from '../../application/trades.js';
import { intervalStart } from '../../domain/period.js';

/** Levels of a side, and trades, where the call names no number. */
const DEPTH = 20;
const TRADES = 20;
/** The one call with a `code` of its own (api §1.3). */
const candles = z.object({
  type: z.enum(['ok', 'error']),
  code: z.literal([0, 1]),
  msg: z.string(),
  /** Beside `msg` where it is refused, as in every refusal. */
  message: z.optional(z.string()),
  params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  data: z.array(bar),
  /** Candles that open before this (ms) are simulated and never passed off as a market (rules §17). */
  simulated_before: z.optional(z.int()),
  /** The volume of candles that open before this (ms) is that of the recorded market: nothing of it was traded here. */
  recorded_before: z.optional(z.int()),
  key: z.optional(z.string()),
  request_id: z.string(),
});

/** Books, trades and candles (api §2.4). */
@ApiTags('market')
@Controller()
export class MarketController {
  constructor(
    private readonly catalog: Catalog,
    private readonly books: Books,
    private readonly candles: Candles,
    private readonly trades: Trades,
    private readonly quotations: Quotations,
    private readonly pace: Pace,
  ) {}

  @Call(
    { method: 'POST', path: '/api/transaction/deal', auth: 'public', rate: 'public' },
    {
      summary: 'Get book, last trades and the caller’s available balances of a pair',
      answer: message(bookAnswer),
      refuses: ['pair.delisted'],
    },
  )
  deal(@Body() fields: BookBody, @Context() context: CallContext): Promise<BookAnswer> {
    this.pace.watched();
    const pair = this.dealPair(fields);
    const depth = fields.depth ?? DEPTH;
    // The session of the points login does not belong to a trader.
    const userId =
      context.caller && context.caller.kind !== 'points' && context.caller.kind !== 'operator'
        ? context.caller.userId
        : null;
    return this.books.book(pair, userId, depth);
  }

  @Call(
    { method: 'POST', path: '/api/market/get_current', auth: 'public', rate: 'public' },
    {
      summary: 'The candle in progress',
      answer: message(
        z.extend(bar, { symbol: z.string(), period: z.string(), now_price: decimalText, change: decimalText }),
      ),
      refuses: ['pair.delisted'],
    },
  )
  async current(
    @Body() fields: CurrentCandleBody,
  ): Promise<Bar & { symbol: string; period: string; now_price: string; change: string }> {
    const { base, quote } = fields;
    const pair = this.catalog.symbol(`${base}/${quote}`);
    const { period } = fields;
    const ticker = this.quotations.ticker(pair);
    const bar = this.candles.current(pair.id, period);
    const now = Number(ticker.now);
    const shown = bar
      ? barOf(bar)
      : { time: intervalStart(period, this.candles.now()), open: now, high: now, low: now, close: now, volume: 0 };
    return { ...shown, symbol: pair.symbol, period, now_price: ticker.now, change: ticker.change };
  }

  @Call(
    { method: 'GET', path: '/api/currency/new_timeshar', auth: 'public', rate: 'public' },
    {
      summary: 'List the newest 1,500 candles in ascending order without gaps; the answer has its own code and msg',
      answer: plainJson(candles),
      refuses: ['pair.delisted'],
    },
  )
  async timeshare(@Query() fields: CandlesQuery, @Context() context: CallContext): Promise<Raw> {
    try {
      const pair = this.catalog.symbol(fields.symbol);
      const { period, from, to } = fields;
      const [bars, simulatedBefore, recordedBefore] = await Promise.all([
        this.candles.range(pair, period, from, to),
        this.candles.simulatedBefore(pair),
        this.candles.recordedBefore(pair),
      ]);
      return new Raw({
        type: 'ok',
        code: 1,
        msg: translate(context.lang, 'market.ok'),
        data: bars.map(barOf),
        ...(simulatedBefore === null ? {} : { simulated_before: simulatedBefore }),
        ...(recordedBefore === null ? {} : { recorded_before: recordedBefore }),
        request_id: context.requestId,
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const message = translate(context.lang, error.key, error.params);
      return new Raw({
        type: 'error',
        code: 0,
        msg: message,
        message,
        key: error.key,
        params: error.params,
        data: [],
        request_id: context.requestId,
      });
    }
  }

  @Call(
    { method: 'GET', path: '/api/market/trades', auth: 'public', rate: 'public' },
    {
      summary: 'Trades of one pair by time, newest first unless `order` says otherwise',
      answer: message(z.object({ list: z.array(tradeAnswer), seq: z.int() })),
      refuses: ['pair.delisted'],
    },
  )
  async list(@Query() fields: TradesQuery): Promise<{ list: TradeRecord[]; seq: number }> {
    const pair = this.catalog.pair(fields.quoteId, fields.baseId);
    const before = readBefore(fields.before, pair);
    const limit = fields.limit ?? TRADES;
    const rows = await this.trades.page(pair.id, before, limit, fields.span);
    return { list: rows.map((row) => tradeRecord(pair, row)), seq: this.trades.sequence(pair.id) };
  }

  /** Returns the pair of a body; without one (old clients send an address), the first. */
  private dealPair({ quoteId, baseId }: BookBody): PairRow {
    const first = this.catalog.pairs[0];
    if (first && quoteId === undefined && baseId === undefined) return first;
    if (quoteId === undefined) throw refuse('common.fieldRequired', 'legal_id');
    if (baseId === undefined) throw refuse('common.fieldRequired', 'currency_id');
    return this.catalog.pair(quoteId, baseId);
  }
}

/** A trade's id, `BTC/USDT-17`, or its number. */
function readBefore(text: string | undefined, pair: PairRow): number | null {
  if (text === undefined) return null;
  const prefix = `${pair.symbol}-`;
  const number = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (!/^[1-9]\d{0,14}$/.test(number))
    throw new Refused('common.fieldInvalid', { field: 'before' }, { field: 'before' });
  return Number(number);
}
