import { Injectable } from '@nestjs/common';
import type { HouseBook } from '@bourse/messaging';
import { formatTrimmed, trimZeros } from '@bourse/money';
import { LeverMarkets } from './lever-markets.js';
import { Balances, LeverAuditReads } from './ports.js';

/**
 * The public figures of the house for leverage (api §6.19): the balance of `h.lever`, and the gains that winning open
 * positions would be paid at the last prices. Prices move and these gains with them, hence the cover that a submit
 * demands for the whole open notional (`lever.houseLimit`, rules §3).
 */
@Injectable()
export class LeverHouse {
  constructor(
    private readonly markets: LeverMarkets,
    private readonly balances: Balances,
    private readonly reads: LeverAuditReads,
  ) {}

  /** Amounts by quote of leverage; quotes without any are omitted. */
  async read(): Promise<HouseBook> {
    const marks = this.markets.marks(this.markets.all().map(({ pairId }) => pairId));
    const [gains, outcomes, funded] = await Promise.all([
      this.reads.gains(marks),
      this.reads.outcomes(),
      Promise.all(
        this.markets.quotes().map(async (quote) => [quote, (await this.balances.of(quote, [])).house] as const),
      ),
    ]);
    const lines = funded.map(([quote, house]) => {
      const { name, scale } = this.markets.currency(quote);
      const gain = gains.get(quote) ?? 0n;
      return [name, { reserved: trimZeros(house), owed_at_most: formatTrimmed(gain, scale) }] as const;
    });
    const shown = lines.filter(([, { reserved, owed_at_most: owed }]) => reserved !== '0' || owed !== '0');
    return { product: 'lever', currencies: Object.fromEntries(shown), outcomes };
  }
}
