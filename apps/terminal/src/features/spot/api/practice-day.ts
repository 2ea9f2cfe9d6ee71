import { ApiError } from '@bourse/api-client';
import type { Bar, Period, QuotationItem } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { serverNow } from '../../../core/server-time.js';
import { DAY_MS, printsOf, type RecordedDay } from '../model/practice/prints.js';
import { PAGE, readAllTrades } from '../model/practice/trade-pages.js';

type Pair = Pick<QuotationItem, 'symbol' | 'legal_id' | 'currency_id' | 'price_scale' | 'number_scale'>;

/** A day that can be replayed. */
export interface OfferedDay {
  /** Its midnight (UTC). */
  readonly start: number;
  readonly bar: Bar;
}
/** How many of the newest days are offered. */
const DAYS = 60;
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
  const { legal_id, currency_id } = pair;
  const page = { legal_id, currency_id, limit: PAGE, order: 'asc' as const, to: end };
  const readPage = (next: number) =>
    patiently(
      async () => (await api.get('/api/market/trades', { ...page, from: next }, { quiet: true, signal })).message.list,
      signal,
    );
  const trades = from < end ? await readAllTrades(from, readPage, progress) : [];
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
