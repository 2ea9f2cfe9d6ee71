import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, newIntent } from '@bourse/api-client';
import type { SpotOrder } from '@bourse/contract';
import { formatBookPrice } from '@bourse/ui';
import { showToast, toastDone, toastError } from '@bourse/web';
import { moveOrder, NotMoved, placeOrder } from '../api/orders.js';

/** Moves an order to another price with a toast; after a failure the toast offers to place it at its old price. */
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
          showToast({
            id,
            tone: 'error',
            text: t('orders.notMoved'),
            detail: error.cause instanceof ApiError ? error.cause.message : t('ticket.noAnswer'),
            actions: [
              {
                label: t('orders.placeAgain'),
                onClick: () => void placeOrder(error.back, newIntent(), order).catch(reportSilence),
              },
            ],
          });
        },
      );
    },
    [t, priceScale],
  );
}
