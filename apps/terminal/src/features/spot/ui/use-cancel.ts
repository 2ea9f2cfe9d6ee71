import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, newIntent } from '@bourse/api-client';
import type { SpotOrder } from '@bourse/contract';
import { atMost } from '@bourse/ui';
import { showToast, toastDone, toastError } from '@bourse/web';
import { cancelAll, cancelOrder, placeOrder, type PairIds } from '../api/orders.js';
import { commandAgain, isLeg } from '../model/orders.js';

/** How long the way back is offered. */
const UNDO_MS = 8_000;

/** Cancels an order, says so, and offers to place what was left of it again: a new order, behind those of its price. */
export function useCancel(): (order: SpotOrder) => void {
  const { t } = useTranslation();
  return useCallback(
    (order) => {
      const reportSilence = (error: unknown): void => {
        // The server's words are shown by the shell; the row comes back by itself.
        if (!(error instanceof ApiError)) toastError(t('ticket.noAnswer'));
      };
      // One leg alone would not restore a cancelled pair: it is not offered again.
      const isPair = isLeg(order);
      const done = (cancelled: SpotOrder): void => {
        const command = commandAgain(cancelled);
        const side = t(order.type === 1 ? 'ticket.buy' : 'ticket.sell');
        showToast({
          id: `order ${order.id}`,
          tone: 'info',
          text: t('orders.cancelledCount', { count: isPair ? 2 : 1 }),
          detail: `${side} \u2066${atMost(command.amount, 8)} ${order.symbol}\u2069`,
          leavesAfterMs: UNDO_MS,
          actions: isPair
            ? []
            : [
                {
                  label: t('orders.placeAgain'),
                  onClick: () => void placeOrder(command, newIntent(), order).catch(reportSilence),
                },
              ],
        });
      };
      cancelOrder(order.id).then(done, reportSilence);
    },
    [t],
  );
}

/** Cancels all open orders, or those of one pair, and says how many. */
export function useCancelAll(): (pair?: PairIds) => Promise<void> {
  const { t } = useTranslation();
  return async (pair) => {
    try {
      toastDone(t('orders.cancelledCount', { count: await cancelAll(pair) }));
    } catch (error) {
      // The server's words are shown by the shell.
      if (!(error instanceof ApiError)) toastError(t('ticket.noAnswer'));
    }
  };
}
