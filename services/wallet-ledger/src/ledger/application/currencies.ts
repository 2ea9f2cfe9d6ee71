import { Injectable } from '@nestjs/common';
import type { CurrencyRow } from '@bourse/contract';
import { ACCOUNTS, INTERNAL_CURRENCIES, isInternalCurrency, type Product } from '@bourse/events';
import { Reference } from '@bourse/messaging';

const INTERNAL: ReadonlyMap<number, { readonly name: string; readonly scale: number }> = new Map(
  Object.entries(INTERNAL_CURRENCIES).map(([name, { id, scale }]) => [id, { name, scale }]),
);

/**
 * Currencies of the catalog, as the ledger needs them. Internal ones have a scale and a name, and appear in no list.
 */
@Injectable()
export class Currencies {
  constructor(private readonly reference: Reference) {}

  ready(): Promise<void> {
    return this.reference.ready();
  }
  /** In the order of their ids. */
  all(): readonly CurrencyRow[] {
    return this.reference
      .all<CurrencyRow>('currency')
      .filter(({ id }) => !isInternalCurrency(id))
      .sort((a, b) => a.id - b.id);
  }
  byId(id: number): CurrencyRow | undefined {
    return isInternalCurrency(id) ? undefined : this.reference.get<CurrencyRow>('currency', String(id));
  }
  scaleOf(id: number): number | undefined {
    return INTERNAL.get(id)?.scale ?? this.byId(id)?.scale;
  }
  nameOf(id: number): string {
    return INTERNAL.get(id)?.name ?? this.byId(id)?.name ?? String(id);
  }
  /** @throws Error if the currency does not exist: without its scale no amount can be written */
  commodityOf(id: number): Commodity {
    return commodityIn(id, this.byId(id));
  }
}

/** A currency in a book. */
export type Commodity = Pick<CurrencyRow, 'name' | 'scale'>;

/**
 * Name and scale of a currency, internal or from the catalog.
 * @throws Error if there is neither
 */
export function commodityIn(id: number, row: Commodity | undefined): Commodity {
  const known = INTERNAL.get(id) ?? row;
  if (!known) throw new Error(`The catalog has no currency ${id}.`);
  return { name: known.name, scale: known.scale };
}

/** Whether an account may hold a coin (rules §1): the account's right, checked by the coin's flags. */
export function mayHold(currency: CurrencyRow, product: Product): boolean {
  const { coins } = ACCOUNTS[product];
  return coins === 'every' || (coins !== 'none' && currency[coins]);
}
