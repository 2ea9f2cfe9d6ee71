import { ApiError } from '@bourse/api-client';
import type { Bar, Period, QuotationItem, TradeRecord } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { serverNow } from '../../../core/server-time.js';
import { DAY_MS, printsOf, type RecordedDay } from '../model/practice/prints.js';

type Pair = Pick<QuotationItem, 'symbol' | 'legal_id' | 'currency_id' | 'price_scale' | 'number_scale'>;

/** A day that can be replayed. */
export interface OfferedDay {
  /** Its midnight (UTC). */
  readonly start: number;
  readonly bar: Bar;
}
/** How many of the newest days are offered. */
const DAYS = 60;
/** Trades of one call, and the most of a day that are read: a day with more is replayed from its candles. */
const PAGE = 100;
const TRADES_MAX = 20_000;
/** Pause after a refusal for its rate. */
const BUSY_MS = 1_000;

/** The finished days of a pair that are recorded, newest first. Simulated ones are not among them. */
export async function readDays({ symbol }: Pair): Promise<OfferedDay[]> {
  const now = await serverNow();
  const [from, to] = [now - DAYS * DAY_MS, now].map((at) => Math.floor(at / 1_000)) as [number, number];
  const answer = await api.get('/api/currency/new_timeshar', { symbol, period: '1day', from, to }, { quiet: true });
  const first = answer.simulated_before ?? 0;
  return answer.data
    .filter(
      ({ time, volume, high, low }) => time + DAY_MS <= now && time + DAY_MS > first && (volume > 0 || high > low),
    )
    .map((bar) => ({ start: bar.time, bar }))
    .reverse();
}

/** A day as it is replayed, and its minutes for the chart. */
export interface PracticeDay {
  readonly day: RecordedDay;
  readonly minutes: readonly Bar[];
}

/** Reads a day. @param progress called with the number of trades that are read so far */
export async function readDay(
  pair: Pair,
  start: number,
  signal: AbortSignal,
  progress: (trades: number) => void,
): Promise<PracticeDay> {
  const end = start + DAY_MS - 1;
  const { bars, recordedBefore } = await readBars(pair.symbol, '1min', start, end, signal);
  const from = Math.max(start, recordedBefore ?? 0);
  const trades = from < end ? await readTrades(pair, from, end, signal, progress) : [];
  return {
    day: printsOf(start, bars, trades, { priceScale: pair.price_scale, numberScale: pair.number_scale }),
    minutes: bars,
  };
}

interface StoredBars {
  readonly bars: readonly Bar[];
  readonly simulatedBefore: number | undefined;
  readonly recordedBefore: number | undefined;
}

/** Bars that open in a span, as they are stored. */
export async function readBars(
  symbol: string,
  period: Period,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<StoredBars> {
  const span = { from: Math.floor(from / 1_000), to: Math.floor(to / 1_000) };
  const options = { quiet: true, ...(signal && { signal }) };
  const answer = await api.get('/api/currency/new_timeshar', { symbol, period, ...span }, options);
  return { bars: answer.data, simulatedBefore: answer.simulated_before, recordedBefore: answer.recorded_before };
}

/** All trades of a span, oldest first; none of a span with more than a replay reads. */
async function readTrades(
  { legal_id, currency_id }: Pair,
  from: number,
  to: number,
  signal: AbortSignal,
  progress: (trades: number) => void,
): Promise<TradeRecord[]> {
  const trades = new Map<string, TradeRecord>();
  for (let next = from; trades.size <= TRADES_MAX;) {
    const fields = { legal_id, currency_id, limit: PAGE, order: 'asc' as const, from: next, to };
    const page = await patiently(() => api.get('/api/market/trades', fields, { quiet: true, signal }), signal);
    const known = trades.size;
    for (const trade of page.message.list) trades.set(trade.id, trade);
    progress(trades.size);
    const last = page.message.list.at(-1);
    if (!last || page.message.list.length < PAGE) return [...trades.values()];
    // A whole page of one moment that is known already: the moment after it is next.
    next = trades.size === known ? last.ts + 1 : last.ts;
  }
  return [];
}

/** Repeats a call that is refused for its rate. */
async function patiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 0) * 1_000 || BUSY_MS));
    }
  }
}
