import { ReferenceRowV1, TOPICS } from '@bourse/events';
import type { Emission } from '@bourse/persistence';
import { LadderBook, ticksOf, type Market, MarketEngine, type Order, priceText } from '@bourse/matching';
import type { EngineBatch } from './engine-batch.js';
import type { ListedMarket } from './markets.js';
import type { EngineWrite, MarketRow, TrailWrite } from './ports.js';

/** A market whose book runs in this process. */
export interface RunningMarket {
  readonly engine: MarketEngine;
  readonly market: ListedMarket;
  modeVersion: number;
}

/** The engine of a market with the numbers of its row, before any order; without a row it begins at zero. */
export function emptyEngine(market: Market, row: MarketRow | undefined): MarketEngine {
  return new MarketEngine(market, new LadderBook(), {
    sequence: row?.sequence ?? 0,
    tradeSequence: row?.tradeSequence ?? 0,
    lastPrice: row ? ticksOf(market, row.lastPrice) : 0,
    mode: row?.mode ?? 'normal',
    at: row?.at ?? 0,
  });
}

/** The mode of a market as reference data. */
export function modeRow({ engine, modeVersion }: RunningMarket): Emission {
  const { symbol } = engine.market;
  return {
    topic: TOPICS.reference,
    partition: 0,
    message: ReferenceRowV1.encode({
      kind: 'mode',
      id: symbol,
      version: modeVersion,
      row: { symbol, mode: engine.state.mode },
    }),
  };
}

/**
 * Trades of a market after which the trails of its waiting trailing stops are stored again: the most that a start, or a
 * reader of such an order, has to go through.
 */
export const TRADES_A_TRAIL = 10_000;

/** The trails that a batch writes: of its own orders, and of all waiting ones when their trades have become many. */
function trailsOf(batch: EngineBatch, running: ReadonlyMap<string, RunningMarket>): TrailWrite[] {
  const trails: TrailWrite[] = [];
  const engineOf = (symbol: string): MarketEngine | undefined =>
    (batch.moved.get(symbol)?.market ?? running.get(symbol))?.engine;
  const add = (market: Market, order: Order): void => {
    const engine = engineOf(market.symbol);
    if (order.trail && engine)
      trails.push({ market, order, trail: order.trail, tradeSequence: engine.state.tradeSequence });
  };
  const own = new Set<Order>();
  for (const orders of [batch.inserted, batch.updated])
    for (const [order, market] of orders)
      if (order.trail && !own.has(order)) {
        own.add(order);
        add(market, order);
      }
  for (const { market, before, after } of batch.tradeNumbers()) {
    if (Math.floor(before / TRADES_A_TRAIL) === Math.floor(after / TRADES_A_TRAIL)) continue;
    for (const order of engineOf(market.symbol)?.trails ?? []) if (!own.has(order)) add(market, order);
  }
  return trails;
}

/** The rows that a batch writes: its orders, its trades, and the markets that it changed or moved away. */
export function writeOf(batch: EngineBatch, running: ReadonlyMap<string, RunningMarket>): EngineWrite {
  const markets = [...batch.touched].flatMap((symbol): MarketRow[] => {
    const moved = batch.moved.get(symbol);
    const one = moved?.market ?? running.get(symbol);
    if (!one) return [];
    const { sequence, tradeSequence, lastPrice, mode, at } = one.engine.state;
    return [
      {
        symbol,
        partition: moved?.to ?? batch.partition,
        sequence,
        tradeSequence,
        lastPrice: priceText(one.market, lastPrice),
        mode,
        modeVersion: one.modeVersion,
        at,
        hash: one.engine.hash(),
      },
    ];
  });
  return {
    partition: batch.partition,
    inserted: [...batch.inserted].map(([order, market]) => [market, order] as const),
    updated: [...batch.updated]
      .filter(([order]) => !batch.inserted.has(order))
      .map(([order, market]) => [market, order] as const),
    trades: batch.trades,
    amends: batch.amends,
    trails: trailsOf(batch, running),
    markets,
  };
}
