import { Injectable, Logger } from '@nestjs/common';
import type { PairRow } from '@bourse/contract';
import { bodiesOf, SpotTradesV1, type Message } from '@bourse/events';
import { toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, type Span } from '@bourse/platform';
import { addFills, EMPTY_SERIES, SCALE, type Candle, type Changed, type Series } from '../domain/candle.js';
import { DayCount } from '../domain/day-count.js';
import { DayWindow, type DayFigures } from '../domain/day-window.js';
import { DAY, intervalStart, PERIODS, type Period } from '../domain/period.js';
import { nextOf } from '../domain/trade-order.js';
import { Catalog } from './catalog.js';
import { MarketStore, type FilledTrade, type TradeRow } from './ports.js';

/** Newest trades kept in memory for the books. */
const RECENT = 100;
/** How long a trade waits for earlier ones; longer than a partition of the log is unavailable. */
const AHEAD_MS_MAX = 120_000;

/** Pause before the state of a pair is read again after a read that failed. */
const READ_AGAIN_MS = 1_000;

const NONE_AHEAD = { trades: [], waitedMs: 0 } as const;

interface PairState {
  series: Series;
  readonly day: DayWindow;
  readonly today: DayCount;
  recent: readonly TradeRow[];
  figures?: { readonly second: number; readonly value: DayFigures | null } | undefined;
}
/** The additions of a commit to a pair. */
interface Commit {
  readonly series: Series;
  readonly rows: readonly TradeRow[];
  readonly changed: Changed;
}
export interface TradesListener {
  (pair: PairRow, trades: readonly FilledTrade[], changed: Changed): void;
}

/**
 * Stores own trades once, adds them to the candles of all periods in the same transaction, and keeps them in memory as
 * committed. A partition of the log gives a pair's trades in match order and drops repeats; those of a pair that was
 * moved come from two, and wait for earlier ones. Where the tables show that memory is not as committed (a commit whose
 * answer was lost, one that a crash undid), the whole state of the pair is read again from them.
 */
@Injectable()
export class Trades {
  private readonly logger = new Logger('Trades');
  private readonly states = new Map<number, PairState>();
  /** The series that an open transaction has added so far, by pair: a batch may come in several parts. */
  private readonly pending = new WeakMap<Tx, Map<number, Series>>();
  private readonly listeners: TradesListener[] = [];
  /** Pairs whose state is being read again, each with the commits since that began. */
  private readonly reading = new Map<number, Commit[]>();
  private stopped = false;

  constructor(
    private readonly store: MarketStore,
    private readonly catalog: Catalog,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Reads the committed state, before the first batch. */
  async load(): Promise<void> {
    const now = this.clock.now();
    for (const { id } of this.catalog.pairs) this.states.set(id, await this.read(id, now));
  }

  /** From here on no state is read again. */
  stop(): void {
    this.stopped = true;
  }

  private async read(pairId: number, now: number, tx?: Tx): Promise<PairState> {
    const from = intervalStart('1min', now - DAY);
    const day = new DayWindow();
    day.startAfter(await this.store.closeBefore(pairId, '1min', from, tx));
    for (const candle of await this.store.historyMinutes(pairId, from)) day.add(candle, false);
    for (const candle of await this.store.ownMinutes(pairId, from, tx)) day.add(candle, true);
    const series = await this.store.series(pairId, tx);
    const before = await this.store.sequenceBefore(pairId, intervalStart('1day', now), tx);
    return {
      series,
      day,
      today: DayCount.startingAt(now, before, series.sequence),
      recent: await this.store.trades(pairId, null, RECENT, undefined, tx),
    };
  }

  /**
   * Called after each commit with the trades it added and the bars they changed; after the state was read again with no
   * trades and the bars that may have changed.
   */
  onTrades(listener: TradesListener): void {
    this.listeners.push(listener);
  }

  /**
   * Stores a batch of the log. A message that cannot be read throws, and becomes a dead letter after some tries: this
   * is a view, no money moves here.
   */
  async take(messages: readonly Message[], tx: Tx): Promise<void> {
    const byPair = new Map<number, FilledTrade[]>();
    for (const { pairId, trades } of bodiesOf(SpotTradesV1, messages))
      byPair.set(pairId, [...(byPair.get(pairId) ?? []), ...trades]);
    // In the order of their ids: two partitions that lock the same pairs do not wait for one another.
    for (const [pairId, trades] of [...byPair].sort(([a], [b]) => a - b)) await this.add(tx, pairId, trades);
  }

  private async add(tx: Tx, pairId: number, trades: readonly FilledTrade[]): Promise<void> {
    const pair = this.catalog.pairs.find(({ id }) => id === pairId);
    if (!pair) throw new Error(`trades of unknown pair ${pairId}`);
    const pending = this.pending.get(tx) ?? new Map<number, Series>();
    const waiting = this.config.spotPartitions > 1 ? await this.store.takeAhead(tx, pairId) : NONE_AHEAD;
    let series = pending.get(pairId) ?? this.states.get(pairId)?.series ?? EMPTY_SERIES;
    if (trades[0]!.sequence !== series.sequence + 1) {
      const known = series.sequence;
      series = await this.store.series(pairId, tx);
      if (series.sequence !== known) tx.afterCommit(() => this.readAgain(pair));
    }
    const { next: following, ahead } = nextOf(series.sequence, [...waiting.trades, ...trades]);
    const mayCome = this.config.spotPartitions > 1 && waiting.waitedMs < AHEAD_MS_MAX;
    if (ahead.length > 0 && mayCome) await this.store.keepAhead(tx, pairId, ahead, waiting.waitedMs);
    const fresh = mayCome ? following : [...following, ...ahead];
    if (fresh.length === 0) return;
    if (!mayCome && ahead.length > 0)
      this.logger.warn(
        `${pair.symbol}: trades ${series.sequence + following.length + 1} to ${ahead[0]!.sequence - 1} are missing`,
      );
    const rows = fresh.map((trade): TradeRow => ({
      sequence: trade.sequence,
      price: toUnits(trade.price, SCALE),
      quantity: toUnits(trade.quantity, SCALE),
      takerSide: trade.takerSide,
      at: trade.at,
      house: trade.house === true,
      // The books of a production install make no such trade; if one arrives, it enters no figure.
      counted: !trade.house || this.config.dev,
    }));
    const { series: next, changed } = addFills(series, rows);
    await this.store.addTrades(tx, pairId, rows, changed);
    this.pending.set(tx, pending.set(pairId, next));
    tx.afterCommit(() => this.committed(pair, fresh, { series: next, rows, changed }));
  }

  private committed(pair: PairRow, trades: readonly FilledTrade[], commit: Commit): void {
    const state = this.states.get(pair.id) ?? {
      series: EMPTY_SERIES,
      day: new DayWindow(),
      today: DayCount.startingAt(this.clock.now(), 0, 0),
      recent: [],
    };
    this.states.set(pair.id, state);
    // The callbacks of two partitions' commits may come in either order.
    if (commit.series.sequence <= state.series.sequence) this.readAgain(pair);
    const reading = this.reading.get(pair.id);
    if (reading) {
      reading.push(commit);
      state.series = commit.series;
    } else addTo(state, commit);
    for (const listener of this.listeners) listener(pair, trades, commit.changed);
  }

  /** Reads the whole state of a pair from the tables, and adds the commits that come meanwhile. */
  private readAgain(pair: PairRow): void {
    if (this.reading.has(pair.id)) return;
    const meanwhile: Commit[] = [];
    this.reading.set(pair.id, meanwhile);
    const bars = this.bars(pair.id);
    void this.readSnapshot(pair, bars)
      .then((found) => {
        this.reading.delete(pair.id);
        if (!found) return;
        const { state, changed } = found;
        this.states.set(pair.id, state);
        const added = meanwhile.filter(({ series }) => series.sequence > state.series.sequence);
        for (const commit of added) addTo(state, commit);
        // The candles of these commits come last: they are newer than those that were read.
        for (const one of [changed, ...added.map((commit) => commit.changed)])
          for (const listener of this.listeners) listener(pair, [], one);
      })
      .catch((error: unknown) => this.logger.error(`${pair.symbol}: trades were not read again`, error));
  }

  /** The state as committed, with the candles from the bars in memory on; null: the service ends. */
  private async readSnapshot(
    pair: PairRow,
    bars: Readonly<Partial<Record<Period, Candle>>>,
  ): Promise<{ readonly state: PairState; readonly changed: Changed } | null> {
    while (!this.stopped) {
      try {
        return await this.store.inSnapshot(async (tx) => {
          const state = await this.read(pair.id, this.clock.now(), tx);
          const changed = {} as Record<Period, Candle[]>;
          for (const period of PERIODS) {
            const to = state.series.bars[period]?.time;
            const from = bars[period]?.time ?? to;
            const isKnown = from !== undefined && to !== undefined;
            changed[period] = isKnown ? await this.store.candles(pair.id, period, from, to, tx) : [];
          }
          return { state, changed };
        });
      } catch (error) {
        this.logger.warn(`${pair.symbol}: trades are read again: ${(error as Error).message}`);
        await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS).unref());
      }
    }
    return null;
  }

  /** Newest first. */
  recent(pairId: number, limit: number): readonly TradeRow[] {
    return this.states.get(pairId)?.recent.slice(0, limit) ?? [];
  }
  sequence(pairId: number): number {
    return this.states.get(pairId)?.series.sequence ?? 0;
  }
  lastTrade(pairId: number): TradeRow | undefined {
    return this.states.get(pairId)?.recent.find(({ counted }) => counted);
  }
  /** Figures of the last 24 hours; null when nothing was ever recorded or traded. */
  day(pairId: number): DayFigures | null {
    const state = this.states.get(pairId);
    if (!state) return null;
    const now = this.clock.now();
    const second = Math.floor(now / 1_000);
    if (state.figures?.second !== second) state.figures = { second, value: state.day.figures(now) };
    return state.figures.value;
  }
  /** Number of trades since midnight (UTC). */
  today(pairId: number): number {
    return this.states.get(pairId)?.today.count(this.clock.now()) ?? 0;
  }
  bars(pairId: number): Readonly<Partial<Record<Period, Candle>>> {
    return this.states.get(pairId)?.series.bars ?? {};
  }
  close(pairId: number): bigint | null {
    return this.states.get(pairId)?.series.close ?? null;
  }

  async page(
    pairId: number,
    before: number | null,
    limit: number,
    span: Span = { order: 'desc' },
  ): Promise<readonly TradeRow[]> {
    const recent = this.states.get(pairId)?.recent ?? [];
    const isNewest = before === null && span.from === undefined && span.to === undefined && span.order === 'desc';
    if (isNewest && limit <= RECENT) return recent.slice(0, limit);
    return this.store.trades(pairId, before, limit, span);
  }
}

function addTo(state: PairState, { series, rows, changed }: Commit): void {
  state.series = series;
  state.figures = undefined;
  for (const minute of changed['1min']) state.day.add(minute, true);
  for (const { sequence, at } of rows) state.today.add(sequence, at);
  state.recent = [...[...rows].reverse(), ...state.recent].slice(0, RECENT);
}
