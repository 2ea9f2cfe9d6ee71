import type { PairRow } from '@bourse/contract';
import { percent, type Market } from '@bourse/matching';
import { toUnits } from '@bourse/money';

/** The arithmetic of a market, from its pair's row; `scaleOf` gives the scale of a currency. */
export function marketOf(pair: PairRow, scaleOf: (id: number) => number, oneOwner: ReadonlySet<number>): Market {
  const quoteScale = scaleOf(pair.legalId);
  return {
    symbol: pair.symbol,
    pairId: pair.id,
    baseId: pair.currencyId,
    baseName: pair.currencyName,
    baseScale: scaleOf(pair.currencyId),
    quoteId: pair.legalId,
    quoteName: pair.legalName,
    quoteScale,
    priceScale: pair.priceScale,
    numberScale: pair.numberScale,
    minTotal: toUnits(pair.minTotal, quoteScale),
    makerFee: percent(pair.makerFee),
    takerFee: percent(pair.takerFee),
    band: percent(pair.marketBand),
    oneOwner,
  };
}
