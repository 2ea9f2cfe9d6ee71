import type { TradeRecord } from '@bourse/contract';

/** Trades of one call (api §1.7), and the most of a day: one with more is replayed from its candles. */
export const PAGE = 100;
const TRADES_MAX = 20_000;

/** Reads a page of trades from a moment on, oldest first. */
export type ReadPage = (from: number) => Promise<readonly TradeRecord[]>;

/**
 * All trades of a span, oldest first; none of a span with more than a replay reads. @param progress called with their
 * number so far
 */
export async function readAllTrades(
  from: number,
  readPage: ReadPage,
  progress: (trades: number) => void,
  most = TRADES_MAX,
): Promise<TradeRecord[]> {
  const trades = new Map<string, TradeRecord>();
  for (let next = from; trades.size <= most;) {
    const page = await readPage(next);
    const known = trades.size;
    for (const trade of page) trades.set(trade.id, trade);
    progress(trades.size);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return trades.size > most ? [] : [...trades.values()];
    // The pages overlap in the moment of the last trade. One that brings nothing new is all of one moment.
    next = trades.size === known ? last.ts + 1 : last.ts;
  }
  return [];
}
