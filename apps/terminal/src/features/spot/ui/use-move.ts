import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@bourse/api-client';
import type { SpotOrder } from '@bourse/contract';
import { formatBookPrice } from '@bourse/ui';
import { isFinal, showToast, toastDone, toastError } from '@bourse/web';
import { moveOrder, NotMoved } from '../api/orders.js';

/** Moves an order to another price with a toast; where it is gone after a failure, the toast offers to place it. */
export function useMove(priceScale: number): (order: SpotOrder, price: string) => void {
  const { t } = useTranslation();
  return useCallback(
    (order, price) => {
      const reportSilence = (error: unknown): void => {
        if (!(error instanceof ApiError)) toastError(t('ticket.noAnswer'));
      };
      const id = `order ${order.id}`;
      moveOrder(order, price).then(
        () => toastDone(t('orders.moved', { price: `\u2066${formatBookPrice(price, priceScale)}\u2069` }), id),
        (error: unknown) => {
          if (!(error instanceof NotMoved)) return reportSilence(error);
          const { cause, placeAgain } = error;
          const isRefused = isFinal(cause);
          showToast({
            id,
            tone: 'error',
            text: !isRefused
              ? t('orders.cancelledCount', { count: 1 })
              : t(placeAgain ? 'orders.notMoved' : 'orders.movedBack'),
            detail: isRefused ? cause.message : t('ticket.noAnswer'),
            ...(placeAgain && {
              actions: [{ label: t('orders.placeAgain'), onClick: () => void placeAgain().catch(reportSilence) }],
            }),
          });
        },
      );
    },
    [t, priceScale],
  );
}
