import { Injectable } from '@nestjs/common';
import type { HouseBook } from '@bourse/messaging';
import { formatTrimmed, trimZeros } from '@bourse/money';
import { LeverMarkets } from './lever-markets.js';
import { Balances, LeverAuditReads } from './ports.js';

/**
 * What the house has for leverage and would owe, as everybody may see it (api §6.19): what lies in `h.lever`, and what
 * open positions that are ahead would be paid if all of them closed at the last prices. A price may go on, and with it
 * what is owed, so that a submit asks for cover of all that is open (`lever.houseLimit`, rules §3).
 */
@Injectable()
export class LeverHouse {
  constructor(
    private readonly markets: LeverMarkets,
    private readonly balances: Balances,
    private readonly reads: LeverAuditReads,
  ) {}

  /** Amounts of each quote of leverage; quotes in which nothing lies and nothing is owed are left out. */
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
    const told = lines.filter(([, { reserved, owed_at_most: owed }]) => reserved !== '0' || owed !== '0');
    return { product: 'lever', currencies: Object.fromEntries(told), outcomes };
  }
}
