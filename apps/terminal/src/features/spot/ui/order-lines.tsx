import { Suspense, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { lazyScreen, toastError } from '@bourse/web';
import { tickers } from '../../../core/feed.js';
import type { OwnPrice } from '../../../market/book/order-book.js';
import type { ChartMarks } from '../../../market/chart/marks.js';
import type { PairScales } from '../../../market/pair/scales.js';
import { useKept } from '../../../prefs/use-kept.js';
import { useOrderPushes, useOrders } from '../api/orders.js';
import { linePrice, moveOutcome, restingPrices } from '../model/orders.js';
import type { AskedOfLine } from './line-question.js';
import { useCancel } from './use-cancel.js';
import { useChartMarks } from './use-chart-marks.js';
import { useMove } from './use-move.js';

const lastPriceOf = (symbol: string): string => tickers.get(symbol)?.price ?? '';
const LineQuestion = lazyScreen(async () => ({ default: (await import('./line-question.js')).LineQuestion }));

/** The person's orders for chart and book. */
export interface ShownOrders {
  readonly marks: ChartMarks;
  /** Prices at which orders rest in the book. */
  readonly own: readonly OwnPrice[];
}

interface Props {
  pair: QuotationItem;
  scales: PairScales;
  onLines: (lines: ShownOrders | undefined) => void;
}

/**
 * Lines of the person's orders. Cancelling or dragging one opens a question first, unless the person skips the question
 * before limit orders; a limit that would be filled at once always needs a yes.
 */
export function OrderLines({ pair, scales, onLines }: Props) {
  const { t } = useTranslation();
  const [skip] = useKept('ticket.skipConfirm', false);
  const [asked, setAsked] = useState<AskedOfLine | undefined>();
  const cancel = useCancel();
  const move = useMove(pair.price_scale);
  const { symbol } = pair;
  const onCancel = useCallback((order: SpotOrder) => (skip ? cancel(order) : setAsked({ order })), [skip, cancel]);
  const onMove = useCallback(
    (order: SpotOrder, price: string) => {
      if (price === linePrice(order)) return;
      const outcome = moveOutcome(order, price, lastPriceOf(symbol));
      if (outcome === 'beyond') toastError(t('trade.stopPrice'));
      else if (skip && outcome === 'rests') move(order, price);
      else setAsked({ order, price });
    },
    [skip, move, symbol, t],
  );
  const marks = useChartMarks(pair, onCancel, onMove);
  useOrderPushes();
  const { rows } = useOrders('open', pair);
  const own = useMemo(() => restingPrices(rows ?? []), [rows]);
  const report = useEffectEvent(onLines);
  useEffect(() => report({ marks, own }), [marks, own]);
  useEffect(() => () => report(undefined), []);
  const close = (): void => setAsked(undefined);
  return (
    <Suspense>
      {asked && (
        <LineQuestion
          asked={asked}
          pair={{ ...asked.order, ...(scales(asked.order.symbol) ?? pair) }}
          lastPrice={lastPriceOf(asked.order.symbol)}
          onClose={close}
          onConfirm={() => {
            close();
            if (asked.price === undefined) cancel(asked.order);
            else move(asked.order, asked.price);
          }}
        />
      )}
    </Suspense>
  );
}
