import { useCallback, useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { lastPair, pairsOf, storePair, useQuotations } from '../../core/market.js';
import { idsIn, pairOf } from './pair-of.js';
import { useSearchedPair } from './searched-pair.js';

export interface ShownPair {
  readonly pair: QuotationItem | undefined;
  readonly groups: QuotationGroup[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
  /** Shows another pair: a new address, from which Back leads to the pair before. */
  readonly choose: (item: QuotationItem) => void;
}

/**
 * The pair of a trading screen is part of its address, so that reloads, bookmarks and two tabs keep their pair. An
 * address without one gets the pair that was shown last.
 * @param takes which pairs have this screen; all without it
 */
export function usePair(takes?: (item: QuotationItem) => boolean): ShownPair {
  const { groups, failed, retry } = useQuotations();
  const [query, setQuery] = useSearchParams();
  const named = idsIn(query);
  const pairs = useMemo(() => pairsOf(groups), [groups]);
  const pair = pairOf(takes ? pairs.filter(takes) : pairs, named, lastPair());
  const put = useCallback(
    ({ legal_id, currency_id }: QuotationItem, replace: boolean) =>
      setQuery(
        (before) => {
          const after = new URLSearchParams(before);
          after.set('legalId', String(legal_id));
          after.set('currencyId', String(currency_id));
          return after;
        },
        { replace },
      ),
    [setQuery],
  );
  const unnamed = pair !== undefined && (pair.legal_id !== named.legalId || pair.currency_id !== named.currencyId);
  useEffect(() => {
    if (unnamed && pair) put(pair, true);
  }, [unnamed, pair, put]);
  const symbol = pair?.symbol;
  useEffect(() => {
    if (pair && groups) storePair(pair, groups);
    // Stored when another pair is shown, not with each reading of the list.
  }, [symbol]);
  useSearchedPair((item) => {
    if (takes?.(item) === false) return false;
    put(item, false);
    return true;
  });
  return { pair, groups, failed, retry, choose: (item) => put(item, false) };
}
