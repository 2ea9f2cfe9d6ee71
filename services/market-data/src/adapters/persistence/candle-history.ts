import type { MarketStore } from '../../application/ports.js';
import type { Candle } from '../../domain/candle.js';
import { MINUTE, type Period } from '../../domain/period.js';
import { upsertCandles } from './candle-rows.js';
import type { MarketDatabase } from './market-database.js';
import { packCandles, unpackCandles } from './packed-candles.js';

interface Chunk {
  readonly first: number;
  readonly last: number;
}

const CHUNK_BARS = 1_500;
/** Chunks of history kept unpacked: enough for the charts of several clients. */
const UNPACKED_MAX = 48;
/** Answers of few bars that are kept as well: auditors ask for the same ones of all pairs again and again. */
const ANSWERS_MAX = 1_024;
const ANSWER_BARS_MAX = 64;
/** Row of `meta` that is there once the history is stored. */
const HISTORY_DONE = 'history';

/** Candles from before the first start: stored once, in compressed chunks, and never changed. */
export class CandleHistory {
  private readonly chunks = new Map<string, Chunk[]>();
  private readonly unpacked = new Map<string, Candle[]>();
  private readonly answers = new Map<string, readonly Candle[]>();
  private listed: Promise<void> | undefined;
  /** Times of pairs by the statement that reads them. */
  private readonly times = new Map<string, Promise<ReadonlyMap<number, number>>>();

  constructor(private readonly database: MarketDatabase) {}

  /** True until the history is stored. */
  async missing(): Promise<boolean> {
    return (await this.database.query('select 1 from meta where name = $1', [HISTORY_DONE])).length === 0;
  }

  /** Stores the history, and the candles that the first start interrupts: all or nothing. */
  async store(pairs: Parameters<MarketStore['storeHistory']>[0]): Promise<void> {
    // Packed before the transaction begins, which then holds its connection for a moment only.
    const chunks: { pairId: number; period: Period; first: number; last: number; packed: Buffer }[] = [];
    for (const { pairId, done } of pairs) {
      for (const [period, bars] of done) {
        for (let from = 0; from < bars.length; from += CHUNK_BARS) {
          const chunk = bars.slice(from, from + CHUNK_BARS);
          chunks.push({
            pairId,
            period,
            first: chunk[0]!.time,
            last: chunk.at(-1)!.time,
            packed: await packCandles(chunk),
          });
        }
      }
    }
    await this.database.transaction(async (tx) => {
      await tx.execute(
        `insert into history (pair_id, period, first_at, last_at, bars)
         select pair_id, period, to_timestamp(first / 1000.0), to_timestamp(last / 1000.0), bars
         from unnest($1::integer[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[]) as c(pair_id, period, first,
           last, bars)`,
        [
          chunks.map(({ pairId }) => pairId),
          chunks.map(({ period }) => period),
          chunks.map(({ first }) => first),
          chunks.map(({ last }) => last),
          chunks.map(({ packed }) => packed),
        ],
      );
      for (const { pairId, open } of pairs)
        await upsertCandles(
          tx,
          pairId,
          [...open].map(([period, bar]) => ({ period, bar })),
        );
      for (const { pairId, simulatedBefore } of pairs)
        if (simulatedBefore !== null)
          await tx.execute('insert into simulated_history (pair_id, ends_at) values ($1, to_timestamp($2 / 1000.0))', [
            pairId,
            simulatedBefore,
          ]);
      await tx.execute(`insert into meta (name, value) values ($1, 'stored')`, [HISTORY_DONE]);
    });
    this.times.clear();
    this.answers.clear();
    this.listed = undefined;
  }

  /** Before this moment, at which trading began here, the candles of a pair are history, ms; null: there is none. */
  recordedBefore(pairId: number): Promise<number | null> {
    return this.timeOf(
      pairId,
      `select pair_id, (extract(epoch from max(last_at)) * 1000)::bigint + ${MINUTE} as ends
       from history where period = '1min' group by pair_id`,
    );
  }

  /** Before this moment the candles of a pair are simulated, ms; null: none is. */
  simulatedBefore(pairId: number): Promise<number | null> {
    return this.timeOf(
      pairId,
      'select pair_id, (extract(epoch from ends_at) * 1000)::bigint as ends from simulated_history',
    );
  }

  /** The time of a pair by a statement that is read once for all pairs, and once more after a failure. */
  private async timeOf(pairId: number, statement: string): Promise<number | null> {
    const times =
      this.times.get(statement) ??
      this.database
        .query<{ pair_id: number; ends: string }>(statement)
        .then((rows) => new Map(rows.map(({ pair_id, ends }) => [pair_id, Number(ends)])));
    this.times.set(statement, times);
    try {
      return (await times).get(pairId) ?? null;
    } catch (error) {
      this.times.delete(statement);
      throw error;
    }
  }

  /** Candles that open in [from, to], rising. */
  async candles(pairId: number, period: Period, from: number, to: number): Promise<readonly Candle[]> {
    const chunks = await this.chunksOf(pairId, period);
    const end = chunks.at(-1)?.last ?? 0;
    if (from > end) return [];
    return this.kept(`${pairId}/${period}/${from}/${Math.min(to, end)}`, async () => {
      const bars: Candle[] = [];
      for (const chunk of chunks) {
        if (chunk.last < from || chunk.first > to) continue;
        for (const bar of await this.unpack(pairId, period, chunk))
          if (bar.time >= from && bar.time <= to) bars.push(bar);
      }
      return bars;
    });
  }

  /** Close of the newest candle that opens before `time`; null when there is none. */
  async closeBefore(pairId: number, period: Period, time: number): Promise<bigint | null> {
    const chunks = await this.chunksOf(pairId, period);
    const chunk = chunks.findLast(({ first }) => first < time);
    if (!chunk) return null;
    const [bar] = await this.kept(`${pairId}/${period}/before/${Math.min(time, chunk.last + 1)}`, async () => {
      const before = (await this.unpack(pairId, period, chunk)).findLast((one) => one.time < time);
      return before ? [before] : [];
    });
    return bar?.close ?? null;
  }

  /** The answer of this name: history never changes, so a short one is read once. */
  private async kept(name: string, read: () => Promise<readonly Candle[]>): Promise<readonly Candle[]> {
    const known = this.answers.get(name);
    if (known) return known;
    const bars = await read();
    if (bars.length > ANSWER_BARS_MAX) return bars;
    this.answers.set(name, bars);
    if (this.answers.size > ANSWERS_MAX) this.answers.delete(this.answers.keys().next().value!);
    return bars;
  }

  /** Close of the newest minute; null without a history. */
  async lastClose(pairId: number): Promise<bigint | null> {
    const chunk = (await this.chunksOf(pairId, '1min')).at(-1);
    return chunk ? ((await this.unpack(pairId, '1min', chunk)).at(-1)?.close ?? null) : null;
  }

  private async chunksOf(pairId: number, period: Period): Promise<readonly Chunk[]> {
    this.listed ??= this.listChunks();
    try {
      await this.listed;
    } catch (error) {
      this.listed = undefined;
      throw error;
    }
    return this.chunks.get(`${pairId}/${period}`) ?? [];
  }

  /** The history never changes after the first start, so its list is read once. */
  private async listChunks(): Promise<void> {
    const rows = await this.database.query<{ pair_id: number; period: string; first: string; last: string }>(
      `select pair_id, period, (extract(epoch from first_at) * 1000)::bigint as first,
          (extract(epoch from last_at) * 1000)::bigint as last
        from history
        order by pair_id, period, first_at`,
    );
    this.chunks.clear();
    for (const { pair_id, period, first, last } of rows) {
      const key = `${pair_id}/${period}`;
      this.chunks.set(key, [...(this.chunks.get(key) ?? []), { first: Number(first), last: Number(last) }]);
    }
  }

  private async unpack(pairId: number, period: Period, chunk: Chunk): Promise<Candle[]> {
    const key = `${pairId}/${period}/${chunk.first}`;
    let bars = this.unpacked.get(key);
    if (bars) this.unpacked.delete(key);
    else {
      const [row] = await this.database.query<{ bars: Buffer }>(
        'select bars from history where pair_id = $1 and period = $2 and first_at = to_timestamp($3 / 1000.0)',
        [pairId, period, chunk.first],
      );
      if (!row) throw new Error(`invariant: history ${key} was listed and is not there`);
      bars = unpackCandles(row.bars);
    }
    this.unpacked.set(key, bars);
    if (this.unpacked.size > UNPACKED_MAX) this.unpacked.delete(this.unpacked.keys().next().value!);
    return bars;
  }
}
