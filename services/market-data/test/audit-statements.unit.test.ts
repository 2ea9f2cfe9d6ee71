import { expect, test } from '@jest/globals';
import { SEED_PAIRS, type PairRow } from '@bourse/contract';
import type { AuditFlow } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { MarketAudit } from '../src/application/audit.js';
import type { CandleSpan, MarketStore, TradeRow } from '../src/application/ports.js';
import type { TickAudit } from '../src/application/tick-audit.js';
import { extend, fold, quiet, SCALE, type Candle } from '../src/domain/candle.js';
import { intervalStart, PERIODS, type Period } from '../src/domain/period.js';

const START = Date.UTC(2026, 10, 27, 12);
const UNIT = 10n ** BigInt(SCALE);
const MINUTES = 8;
/** A pair's share of a round. */
const TRADES = Math.floor(20_000 / SEED_PAIRS.length);
/** Of one comparison: the candles of all periods, the closes before them, and the first own minute. */
const STATEMENTS_A_PIECE = 3;

const trades = Array.from({ length: TRADES }, (_, index): TradeRow => ({
  sequence: index + 1,
  price: BigInt(60_000 + (index % 7)) * UNIT,
  quantity: UNIT / 100n,
  takerSide: 'buy',
  at: START + Math.floor((index * MINUTES) / TRADES) * 60_000,
  house: false,
  counted: true,
}));
const minutes: Candle[] = [];
for (const { at, price, quantity } of trades) {
  const last = minutes.at(-1) ?? null;
  const part = { ...quiet(intervalStart('1min', at), price), volume: quantity, turnover: (price * quantity) / UNIT };
  const bar = extend(last, '1min', part, last?.close ?? null);
  if (last?.time === bar.time) minutes[minutes.length - 1] = bar;
  else minutes.push(bar);
}

const barsOf = (period: Period): readonly Candle[] => (period === '1min' ? minutes : fold(minutes, period, null));

/** An audit over these trades and the stored bars; `statements` counts what the store is asked. */
function auditOf(stored: (period: Period) => readonly Candle[]) {
  let statements = 0;
  const said = <T>(answer: T): Promise<T> => {
    statements += 1;
    return Promise.resolve(answer);
  };
  const store = {
    inSnapshot: <T>(look: (tx: Tx, flow: AuditFlow) => Promise<T>) => look({} as Tx, {} as AuditFlow),
    tradesAfter: (_tx: Tx, _pair: number, after: number, limit: number) => said(trades.slice(after, after + limit)),
    candlesOf: (_pair: number, spans: readonly CandleSpan[]) =>
      said(
        new Map(
          spans.map(({ period, from, to }) => [
            period,
            stored(period).filter(({ time }) => time >= from && time <= to),
          ]),
        ),
      ),
    closesBefore: (_pair: number, times: readonly number[]) => said(times.map(() => null)),
    firstOwnMinute: () => said(START),
  } as unknown as MarketStore;
  const ticks = { check: () => Promise.resolve({ name: 'ticks', ok: true, detail: '' }) } as unknown as TickAudit;
  const audit = new MarketAudit(store, { pairs } as never, ticks, new Alarms(), { publish: () => undefined } as never);
  return { audit, statements: () => statements };
}
const pairs: readonly PairRow[] = SEED_PAIRS;

test('a round asks for a pair’s share of trades in one piece, however many there are [HARD-488]', async () => {
  const { audit, statements } = auditOf(barsOf);
  const { checks } = await audit.now();
  expect(checks).toContainEqual({ name: 'candles', ok: true, detail: 'candles are the fold of the trades' });
  // The newest trades, and the walk over all of them: one piece of each for a pair.
  expect(statements()).toBeLessThanOrEqual(pairs.length * 2 * (1 + STATEMENTS_A_PIECE));
  expect(PERIODS).toHaveLength(8);
});

test.each(PERIODS)('a stored candle of %s that is not the fold of the trades is found [HARD-488]', async (period) => {
  for (const wrong of [
    (bar: Candle): Candle => ({ ...bar, high: bar.high + 1n }),
    (bar: Candle): Candle => ({ ...bar, volume: bar.volume + 1n }),
    // A bar that begins before the first own minute has turnover of the history, which is not compared.
    (bar: Candle): Candle => (bar.time < START ? { ...bar, close: bar.close - 1n } : { ...bar, turnover: 0n }),
  ]) {
    const { audit } = auditOf((one) => (one === period ? barsOf(one).map(wrong) : barsOf(one)));
    const { checks } = await audit.now();
    expect(checks).toContainEqual(expect.objectContaining({ name: 'candles', ok: false }));
  }
});
