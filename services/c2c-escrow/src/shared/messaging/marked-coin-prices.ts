import { Injectable } from '@nestjs/common';
import type { PairRow } from '@bourse/contract';
import { MarkPrices, Reference } from '@bourse/messaging';
import { CoinPrices } from '../application/coin-prices.js';

const USDT = 'USDT';
/** Maximum age of a price that values coins, ms of business time. */
const PRICE_MAX_AGE_MS = 60_000;

/** The last recorded prices of pairs against USDT. */
@Injectable()
export class MarkedCoinPrices extends CoinPrices {
  constructor(
    private readonly marks: MarkPrices,
    private readonly reference: Reference,
  ) {
    super();
  }

  findUsdtPrice(currencyId: number): string | null {
    const pair = this.reference
      .all<PairRow>('pair')
      .find((each) => each.currencyId === currencyId && each.legalName === USDT);
    return (pair && this.marks.fresh(pair.symbol, PRICE_MAX_AGE_MS)?.price) ?? null;
  }
}
