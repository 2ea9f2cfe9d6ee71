import { Injectable } from '@nestjs/common';
import { SEED_CURRENCIES, SEED_PAIRS, type CurrencyRow, type PairRow } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import type { Units } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { CNY_PER_USDT, Settings, USD_PER_USDT } from '@bourse/settings';
import { MarketStore } from './ports.js';

const byId = <R extends { readonly id: number }>(rows: readonly R[]): readonly R[] =>
  [...rows].sort((a, b) => a.id - b.id);

/** Currencies and pairs, as stored; published to all services at each start. */
@Injectable()
export class Catalog {
  currencies: readonly CurrencyRow[] = [];
  pairs: readonly PairRow[] = [];
  private known = false;

  constructor(
    private readonly store: MarketStore,
    private readonly settings: Settings,
    reference: Reference,
  ) {
    // Operators' changes arrive by the same reference data as in other services.
    reference.onChange((kind) => {
      if (!this.known) return;
      if (kind === 'currency') this.currencies = byId(reference.all<CurrencyRow>('currency'));
      if (kind === 'pair') this.pairs = byId(reference.all<PairRow>('pair'));
    });
  }

  /** CNY of one USDT, for shown conversions (rules §2). */
  get cnyPerUsdt(): string {
    return CNY_PER_USDT.type.write(this.settings.get(CNY_PER_USDT));
  }

  /** US dollars of one USDT, at USD_RATE_SCALE: limits in US dollars go by it (api §6.18). */
  get usdPerUsdt(): Units {
    return this.settings.get(USD_PER_USDT);
  }

  async publish(): Promise<void> {
    ({ currencies: this.currencies, pairs: this.pairs } = await this.store.publishCatalog(SEED_CURRENCIES, SEED_PAIRS));
    this.known = true;
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
