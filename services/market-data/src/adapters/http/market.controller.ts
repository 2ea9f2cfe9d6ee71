import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Bar, BookAnswer, PairRow, TradeRecord } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import {
  Call,
  Context,
  Fields,
  present,
  Raw,
  readInteger,
  readOptionalInteger,
  readText,
  Refused,
  type CallContext,
  type FieldRecord,
} from '@bourse/platform';
import { Books, tradeRecord } from '../../application/books.js';
import { barOf, Candles } from '../../application/candles.js';
import { Catalog } from '../../application/catalog.js';
import { Pace } from '../../application/pace.js';
import { Quotations } from '../../application/quotations.js';
import { Trades } from '../../application/trades.js';
import { intervalStart, periodOf, type Period } from '../../domain/period.js';

const DEPTH = { default: 20, min: 8, max: 100 };
const TRADES = { default: 20, max: 100 };
/** Times with more digits are milliseconds (api §2.4). */
const SECONDS_DIGITS_MAX = 11;

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

  @ApiOperation({ summary: 'Book, last trades and the caller’s free balances of one pair' })
  @Call({ method: 'POST', path: '/api/transaction/deal', auth: 'public', rate: 'public' })
  deal(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<BookAnswer> {
    this.pace.watched();
    const pair = this.dealPair(fields);
    const depth = readOptionalInteger(fields, 'depth', 'common.fieldInvalid', DEPTH) ?? DEPTH.default;
    // The session of the points login belongs to somebody else than a trader.
    const userId =
      context.caller && context.caller.kind !== 'points' && context.caller.kind !== 'operator'
        ? context.caller.userId
        : null;
    return this.books.book(pair, userId, depth);
  }

  @ApiOperation({ summary: 'The candle in progress' })
  @Call({ method: 'POST', path: '/api/market/get_current', auth: 'public', rate: 'public' })
  async current(
    @Fields() fields: FieldRecord,
  ): Promise<Bar & { symbol: string; period: string; now_price: string; change: string }> {
    const base = readText(fields, 'base_currency');
    const quote = readText(fields, 'quote_currency');
    const pair = this.catalog.symbol(`${base}/${quote}`);
    const period = readPeriod(fields);
    const ticker = this.quotations.ticker(pair);
    const bar = this.candles.current(pair.id, period);
    const now = Number(ticker.now);
    const shown = bar
      ? barOf(bar)
      : { time: intervalStart(period, this.candles.now()), open: now, high: now, low: now, close: now, volume: 0 };
    return { ...shown, symbol: pair.symbol, period, now_price: ticker.now, change: ticker.change };
  }

  @ApiOperation({
    summary: 'Candles, rising and without holes, the newest 1,500; answers with code and msg of its own',
  })
  @Call({ method: 'GET', path: '/api/currency/new_timeshar', auth: 'public', rate: 'public' })
  async timeshare(@Fields() fields: FieldRecord, @Context() context: CallContext): Promise<Raw> {
    try {
      const pair = this.catalog.symbol(readText(fields, 'symbol'));
      const period = readPeriod(fields);
      const from = readTime(fields, 'from');
      const to = readTime(fields, 'to');
      const [bars, simulatedBefore] = await Promise.all([
        this.candles.range(pair, period, from, to),
        this.candles.simulatedBefore(pair),
      ]);
      return new Raw({
        type: 'ok',
        code: 1,
        msg: translate(context.lang, 'market.ok'),
        data: bars.map(barOf),
        // A simulated price is never passed off as a market (rules §17): charts mark what opens before this, ms.
        ...(simulatedBefore === null ? {} : { simulated_before: simulatedBefore }),
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

  @ApiOperation({ summary: 'Trades of one pair, newest first' })
  @Call({ method: 'GET', path: '/api/market/trades', auth: 'public', rate: 'public' })
  async list(@Fields() fields: FieldRecord): Promise<{ list: TradeRecord[]; seq: number }> {
    const pair = this.catalog.pair(readInteger(fields, 'legal_id'), readInteger(fields, 'currency_id'));
    const before = readBefore(fields, pair);
    const limit =
      readOptionalInteger(fields, 'limit', 'common.fieldInvalid', { min: 1, max: TRADES.max }) ?? TRADES.default;
    const rows = await this.trades.page(pair.id, before, limit);
    return { list: rows.map((row) => tradeRecord(pair, row)), seq: this.trades.sequence(pair.id) };
  }

  /** Who names no pair (old clients send an address) gets the first one. */
  private dealPair(fields: FieldRecord): PairRow {
    const first = this.catalog.pairs[0];
    if (first && present(fields, 'legal_id') === undefined && present(fields, 'currency_id') === undefined)
      return first;
    return this.catalog.pair(readInteger(fields, 'legal_id'), readInteger(fields, 'currency_id'));
  }
}

function readPeriod(fields: FieldRecord): Period {
  const period = periodOf(readText(fields, 'period'));
  if (!period) throw new Refused('common.fieldInvalid', { field: 'period' }, { field: 'period' });
  return period;
}

/** Unix seconds, or milliseconds when it has more than 11 digits; as milliseconds. */
function readTime(fields: FieldRecord, name: string): number {
  const value = readInteger(fields, name, 'common.fieldInvalid', { max: LATEST_MS });
  return String(value).length > SECONDS_DIGITS_MAX ? value : value * 1_000;
}
/** The end of what a date can hold. */
const LATEST_MS = 8_640_000_000_000_000;

/** A trade's id, `BTC/USDT-17`, or its number. */
function readBefore(fields: FieldRecord, pair: PairRow): number | null {
  const text = present(fields, 'before');
  if (text === undefined) return null;
  const prefix = `${pair.symbol}-`;
  const number = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (!/^[1-9]\d{0,14}$/.test(number))
    throw new Refused('common.fieldInvalid', { field: 'before' }, { field: 'before' });
  return Number(number);
}
