import type { CurrencyRow } from '@bourse/contract';
import type { Reference } from '@bourse/messaging';

/** A coin of the catalog, from which none is ever removed. @throws Error when this process has not received it yet */
export function coinOf(reference: Reference, id: number): Pick<CurrencyRow, 'scale' | 'name'> {
  const coin = reference.get<CurrencyRow>('currency', String(id));
  if (!coin) throw new Error(`currency ${id} is not in the catalog yet`);
  return coin;
}
