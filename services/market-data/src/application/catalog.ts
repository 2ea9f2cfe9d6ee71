import { Injectable } from '@nestjs/common';
import { SEED_CURRENCIES, SEED_PAIRS, type CurrencyRow, type PairRow } from '@bourse/contract';
import { Refused } from '@bourse/platform';
import { MarketStore } from './ports.js';

/** Currencies and pairs, as stored; published to all services at each start. */
@Injectable()
export class Catalog {
  currencies: readonly CurrencyRow[] = [];
  pairs: readonly PairRow[] = [];
  /** CNY of one USDT, for shown conversions (rules §2). */
  cnyPerUsdt = '6.5';

  constructor(private readonly store: MarketStore) {}

  async publish(): Promise<void> {
    ({ currencies: this.currencies, pairs: this.pairs } = await this.store.publishCatalog(SEED_CURRENCIES, SEED_PAIRS));
    this.cnyPerUsdt = await this.store.setting('cny_per_usdt', '6.5');
  }

  currency(id: number): CurrencyRow | undefined {
    return this.currencies.find((row) => row.id === id);
  }
  bySymbol(symbol: string): PairRow | undefined {
    return this.pairs.find((row) => row.symbol === symbol);
  }

  /** The pair of a quote and a base. Throws `pair.delisted`. */
  pair(legalId: number, currencyId: number): PairRow {
    const found = this.pairs.find((row) => row.legalId === legalId && row.currencyId === currencyId && row.openSpot);
    if (!found) throw new Refused('pair.delisted');
    return found;
  }

  /** The pair of a symbol as clients write it. Throws `pair.delisted`. */
  symbol(symbol: string): PairRow {
    const found = this.bySymbol(symbol);
    if (!found?.openSpot) throw new Refused('pair.delisted');
    return found;
  }
}
