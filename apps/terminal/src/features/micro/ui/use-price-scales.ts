import { useQuotations } from '../../../core/market.js';
import { usePairScales } from '../../../market/pair/scales.js';

const NONE: never[] = [];
/** Decimals of a market's price; eight for one that is no longer listed. */
export function usePriceScales(): (symbol: string) => number {
  const { groups } = useQuotations();
  const scales = usePairScales(groups ?? NONE);
  return (symbol) => scales(symbol)?.price_scale ?? 8;
}
