import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { QuotationItem } from '@bourse/contract';
import { formatBookPrice } from '@bourse/ui';
import { setTitle } from '../../core/notifications/title-badge.js';
import type { PairStream } from './pair-stream.js';

/** How often the title may change. */
const TITLE_MS = 1_000;

/** The window title carries the price, as a slow reader; `otherwise` replaces it when the screen is left. */
export function usePriceTitle(
  stream: PairStream,
  { symbol, price_scale }: Pick<QuotationItem, 'symbol' | 'price_scale'>,
  otherwise: string,
): void {
  const { lastPrice } = useSyncExternalStore(stream.subscribe, stream.snapshot);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (lastPrice === '') return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setTitle(`${formatBookPrice(stream.snapshot().lastPrice, price_scale)} ${symbol}`);
    }, TITLE_MS);
  }, [lastPrice, stream, symbol, price_scale]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      setTitle(otherwise);
    },
    [stream, otherwise],
  );
}
