import { useEffect, useRef } from 'react';
import type { QuotationItem } from '@bourse/contract';

type Choose = (item: QuotationItem) => boolean;
let desk: { readonly current: Choose } | undefined;

/** Lets the desk that is shown choose a pair. @returns false where no desk is shown, or it does not have the pair */
export const chooseOnDesk: Choose = (item) => desk?.current(item) ?? false;

/** While a desk is shown, `choose` shows the found pair; it returns false for a pair without this desk. */
export function useSearchedPair(choose: Choose): void {
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    desk = latest;
    return () => {
      if (desk === latest) desk = undefined;
    };
  }, []);
}
