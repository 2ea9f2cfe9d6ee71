import { Injectable } from '@nestjs/common';
import type { CurrencyRow, Product } from '@bourse/contract';
import { Reference } from '@bourse/messaging';

/** Currencies of the catalog, as the ledger needs them. */
@Injectable()
export class Currencies {
  constructor(private readonly reference: Reference) {}

  ready(): Promise<void> {
    return this.reference.ready();
  }
  /** In the order of their ids. */
  all(): readonly CurrencyRow[] {
    return [...this.reference.all<CurrencyRow>('currency')].sort((a, b) => a.id - b.id);
  }
  byId(id: number): CurrencyRow | undefined {
    return this.reference.get<CurrencyRow>('currency', String(id));
  }
  scaleOf(id: number): number | undefined {
    return this.byId(id)?.scale;
  }
  nameOf(id: number): string {
    return this.byId(id)?.name ?? String(id);
  }
}

/** Which coin may be where (rules §1): change takes every one. */
export function mayHold(currency: CurrencyRow, product: Product): boolean {
  switch (product) {
    case 'change':
      return true;
    case 'legal':
      return currency.isLegal;
    case 'lever':
      return currency.isLever;
    case 'micro':
      return currency.isMicro;
  }
}
