import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLoop, AuditPace, Views, type AuditRound, type TradedSums, type TradeSpan } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { extend, fold, quiet, SCALE, type Candle } from '../domain/candle.js';
import { intervalStart, nextStart, PERIODS, type Period } from '../domain/period.js';
import { Catalog } from './catalog.js';
import { MarketStore, type CandleSpan, type TradeRow } from './ports.js';
import { TickAudit } from './tick-audit.js';

/**
 * The most trades folded again in one round, of all pairs together; the next round continues, and after the last pair
 * the walk begins again.
 */
const TRADES_A_ROUND = 20_000;
/** The most trades of one piece, which is compared in all periods by three statements. */
const TRADES_AT_ONCE = 2_500;
const UNIT = 10n ** BigInt(SCALE);
type Coarser = Exclude<Period, '1min'>;
/** Which bars a bar is the fold of. */
const FINER: Readonly<Record<Coarser, Period>> = {
  '5min': '1min',
  '15min': '5min',
  '30min': '15min',
  '60min': '30min',
  '1day': '60min',
  '1week': '1day',
  '1mon': '1day',
};

const COARSER = PERIODS.filter((period): period is Coarser => period !== '1min');

/** The span in which bars of a period are read: its own, and those of the bars that are the fold of it. */
function widest(period: Period, spanOf: (period: Period) => CandleSpan): CandleSpan {
  const spans = [period, ...COARSER.filter((one) => FINER[one] === period)].map(spanOf);
  return {
    period,
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  };
}

/**
 * The position of the walk over a pair's own trades: the last one folded, its minute as far as it goes, and the close
 * before.
 */
interface Walk {
  sequence: number;
  bar: Candle | null;
  close: bigint | null;
}

/**
 * Folds own trades again and compares with the stored candles (invariant I10): the newest in each round, and all of
 * them over and over. Beside them the newest recorded prices.
 */
@Injectable()
export class MarketAudit implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: AuditLoop<AuditRound>;
  private readonly tails = new Map<number, Walk>();
  private readonly walks = new Map<number, Walk>();
  /** Opening times of the first minutes with a trade, which never change. */
  private readonly firstMinutes = new Map<number, number>();

  constructor(
    private readonly store: MarketStore,
    private readonly catalog: Catalog,
    private readonly ticks: TickAudit,
    alarms: Alarms,
    views: Views,
  ) {
    this.loop = new AuditLoop({ service: 'market-data', alarms, views, round: () => this.round() });
  }

  /** A round that begins now. */
  now(): Promise<AuditRound> {
    return this.loop.now();
  }

  /** Sums the trades of a market, for the comparison with the services that made and settled them. */
  async traded({ symbol, from, to }: TradeSpan): Promise<readonly TradedSums[]> {
    const pair = this.catalog.bySymbol(symbol);
    return pair ? this.store.tradeSums(pair.id, from, to) : [];
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }
  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private round(): Promise<AuditRound> {
    return this.store.inSnapshot(async (tx, flow) => {
      let left = TRADES_A_ROUND;
      const pace = new AuditPace();
      let fault: string | null = null;
      const { pairs } = this.catalog;
      for (const { id, symbol } of pairs) {
        for (const [walks, again] of [
          [this.tails, false],
          [this.walks, true],
        ] as const) {
          const walk = walks.get(id) ?? { sequence: 0, bar: null, close: null };
          walks.set(id, walk);
          const found = await this.walk(tx, id, walk, {
            limit: Math.min(left, Math.ceil(TRADES_A_ROUND / pairs.length)),
            again,
            pace,
          });
          left -= found.read;
          if (found.fault === null) continue;
          fault ??= `${symbol} ${found.fault}`;
          walks.delete(id);
        }
      }
      return {
        checks: [
          { name: 'candles', ok: fault === null, detail: fault ?? 'candles are the fold of the trades' },
          await this.ticks.check(tx, pairs),
        ],
        flow,
      };
    });
  }

  /** Folds the next trades of a pair. `again`: from the start when the end is reached. */
  private async walk(
    tx: Tx,
    pairId: number,
    walk: Walk,
    { limit, again, pace }: { readonly limit: number; readonly again: boolean; readonly pace: AuditPace },
  ): Promise<{ fault: string | null; read: number }> {
    let read = 0;
    while (read < limit) {
      const trades = await this.store.tradesAfter(tx, pairId, walk.sequence, TRADES_AT_ONCE);
      const atEnd = trades.length < TRADES_AT_ONCE;
      read += trades.length;
      if (trades.length > 0) {
        const first = walk.bar?.time ?? null;
        const minutes = minutesOf(walk, trades);
        // The last minute may have more trades to come in the next piece.
        const whole = atEnd ? minutes : minutes.slice(0, -1);
        const fault = whole.length === 0 ? null : await this.compare(tx, pairId, whole, first);
        if (fault !== null) return { fault, read };
        await pace.rest();
      }
      if (!atEnd) continue;
      if (again) Object.assign(walk, { sequence: 0, bar: null, close: null });
      break;
    }
    return { fault: null, read };
  }

  private async compare(
    tx: Tx,
    pairId: number,
    minutes: readonly Candle[],
    openedBefore: number | null,
  ): Promise<string | null> {
    const [first, last] = [minutes[0]!.time, minutes.at(-1)!.time];
    const spanOf = <P extends Period>(period: P): CandleSpan & { readonly period: P } => ({
      period,
      from: intervalStart(period, openedBefore ?? first),
      to: nextStart(period, intervalStart(period, last)) - 1,
    });
    const coarser = COARSER.map(spanOf);
    const stored = await this.store.candlesOf(
      pairId,
      PERIODS.map((period) => widest(period, spanOf)),
      tx,
    );
    const inSpan = (period: Period, { from, to }: Omit<CandleSpan, 'period'>): readonly Candle[] =>
      (stored.get(period) ?? []).filter(({ time }) => time >= from && time <= to);
    const byTime = new Map(inSpan('1min', { from: first, to: last }).map((bar) => [bar.time, bar]));
    for (const bar of minutes) {
      const fault = differs('1min', bar, byTime.get(bar.time), true);
      if (fault !== null) return fault;
      byTime.delete(bar.time);
    }
    const [extra] = byTime.keys();
    if (extra !== undefined) return `has a 1min candle of ${new Date(extra).toISOString()} without trades`;
    const own = this.firstMinutes.get(pairId) ?? (await this.store.firstOwnMinute(tx, pairId));
    if (own !== null) this.firstMinutes.set(pairId, own);
    const closes = await this.store.closesBefore(
      pairId,
      coarser.map(({ from }) => from),
      tx,
    );
    for (const [at, span] of coarser.entries()) {
      const { period } = span;
      const bars = fold(inSpan(FINER[period], span), period, closes[at] ?? null);
      const folded = new Map(bars.map((bar) => [bar.time, bar]));
      for (const bar of inSpan(period, span)) {
        // History recorded before the first start has no turnover of its own.
        const fault = differs(period, folded.get(bar.time), bar, own !== null && bar.time >= own);
        if (fault !== null) return fault;
      }
    }
    return null;
  }
}

/**
 * Adds trades to a walk and returns the minutes that they touch, each as it is after them. As in the fold of the
 * service, a trade older than the bar in progress counts in that bar.
 */
function minutesOf(walk: Walk, trades: readonly TradeRow[]): Candle[] {
  const minutes: Candle[] = [];
  for (const { at, price, quantity, sequence, counted } of trades) {
    walk.sequence = sequence;
    if (!counted) continue;
    const time = Math.max(at, walk.bar?.time ?? at);
    const part: Candle = {
      ...quiet(intervalStart('1min', time), price),
      volume: quantity,
      turnover: (price * quantity) / UNIT,
    };
    walk.bar = extend(walk.bar, '1min', part, walk.close);
    walk.close = price;
    if (minutes.at(-1)?.time === walk.bar.time) minutes[minutes.length - 1] = walk.bar;
    else minutes.push(walk.bar);
  }
  return minutes;
}

function differs(
  period: Period,
  folded: Candle | undefined,
  stored: Candle | undefined,
  turnover: boolean,
): string | null {
  const time = new Date((folded ?? stored)?.time ?? 0).toISOString();
  if (!stored || !folded)
    return (
      `${stored ? 'has' : 'lacks'} the ${period} candle of ${time}, its ` +
      `trades ${stored ? 'make none' : 'make one'}`
    );
  const wrong = (['open', 'high', 'low', 'close', 'volume', ...(turnover ? ['turnover' as const] : [])] as const).find(
    (field) => stored[field] !== folded[field],
  );
  return wrong
    ? `has ${formatUnits(stored[wrong], SCALE)} as ${wrong} of the ${period} candle of ` +
        `${time}, its trades make ${formatUnits(folded[wrong], SCALE)}`
    : null;
}
