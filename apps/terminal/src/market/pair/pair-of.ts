import type { QuotationItem } from '@bourse/contract';

/** A pair by its ids; 0 is one that is not named. */
export interface PairIds {
  readonly legalId: number;
  readonly currencyId: number;
}

/** The pair of an address (api §5: query legalId, currencyId). A text that is no id counts as missing. */
export const idsIn = (query: URLSearchParams): PairIds => {
  const id = (name: string): number => (/^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : 0);
  return { legalId: id('legalId'), currencyId: id('currencyId') };
};

/**
 * The pair of an address: the one that it names, its coin in the first group when it names the coin alone, else the one
 * that was shown last, else the first.
 */
export function pairOf(pairs: readonly QuotationItem[], named: PairIds, last: PairIds): QuotationItem | undefined {
  const find = ({ legalId, currencyId }: PairIds): QuotationItem | undefined =>
    currencyId === 0
      ? undefined
      : pairs.find((item) => item.currency_id === currencyId && (legalId === 0 || item.legal_id === legalId));
  return find(named) ?? find(last) ?? pairs[0];
}
