import { Injectable } from '@nestjs/common';
import type { Exposure } from '@bourse/messaging';
import { formatUnits, rescale } from '@bourse/money';
import { LeverMarkets } from './lever-markets.js';
import { PositionStore } from './ports.js';

/** Scale of the sums: no currency has more decimals, so that nothing is rounded. */
const AMOUNT_SCALE = 18;

interface PairSums {
  readonly base: number;
  readonly quote: number;
  readonly numbers: bigint[];
  readonly costs: bigint[];
}

/** Sums of the positions that were open at the end of each day, for the worth of accounts (rules §8.1). */
@Injectable()
export class OpenExposures {
  constructor(
    private readonly store: PositionStore,
    private readonly markets: LeverMarkets,
  ) {}

  /** @param ends moments, ms, rising */
  async of(userId: number, ends: readonly number[]): Promise<readonly Exposure[]> {
    const byPair = new Map<number, PairSums>();
    for (const { at, pairId, quote, scales, lots, notional } of await this.store.openSums(userId, ends)) {
      const zeros = (): bigint[] => ends.map(() => 0n);
      const known = byPair.get(pairId);
      const sums = known ?? { base: this.markets.byPair(pairId).base, quote, numbers: zeros(), costs: zeros() };
      byPair.set(pairId, sums);
      sums.numbers[at]! += rescale(lots, scales.numberScale, AMOUNT_SCALE, 'down');
      sums.costs[at]! += rescale(notional, scales.quoteScale, AMOUNT_SCALE, 'down');
    }
    const texts = (units: readonly bigint[]): string[] => units.map((one) => formatUnits(one, AMOUNT_SCALE));
    return [...byPair.values()].map(({ numbers, costs, ...pair }) => ({
      ...pair,
      numbers: texts(numbers),
      costs: texts(costs),
    }));
  }
}
