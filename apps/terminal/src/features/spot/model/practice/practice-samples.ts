import { BUY, SELL } from '@bourse/matching';
import { PracticeMarket, type PracticeTerms } from './practice-market.js';
import type { PracticeFields } from './practice-order.js';
import { MINUTE_MS, type Print } from './prints.js';

/** A day of tests begins here. */
export const DAY = Date.UTC(2023, 2, 14);
export const TERMS: PracticeTerms = {
  symbol: 'BTC/USDT',
  pairId: 1,
  baseId: 2,
  baseName: 'BTC',
  quoteId: 3,
  quoteName: 'USDT',
  priceScale: 2,
  numberScale: 4,
  minTotal: '1',
  makerFee: '0.1',
  takerFee: '0.2',
  band: '5',
};
/** 10,000 of the quote. */
export const START = 10_000n * 10n ** 8n;

/** Prints a second apart: prices in the quote, amounts in coins; a falling price is a sale. */
export function printsAt(...pairs: readonly (readonly [price: number, amount: number])[]): Print[] {
  let before = 0;
  return pairs.map(([price, amount], index) => {
    const side = price < before ? SELL : BUY;
    before = price;
    return { at: DAY + index * 1_000, price: Math.round(price * 100), lots: Math.round(amount * 10_000), side };
  });
}

export const practiceOf = (prints: readonly Print[]): PracticeMarket =>
  new PracticeMarket(TERMS, { start: DAY, prints, sources: { trades: prints.length, minutes: 0 } }, START);

/** A limit order. */
export const limit = (type: 1 | 2, price: string, amount: string): PracticeFields => ({
  type,
  order_type: 'limit',
  target_price: price,
  amount,
});
export const seconds = (count: number): number => DAY + count * 1_000;
export const minutes = (count: number): number => DAY + count * MINUTE_MS;
