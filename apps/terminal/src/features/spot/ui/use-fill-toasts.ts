import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderUpdatePush } from '@bourse/contract';
import { formatAmount, formatBookPrice } from '@bourse/ui';
import { toastDone } from '../../../core/toasts.js';
import type { PairScales } from '../../../market/pair/scales.js';
import { useOrderPushes } from '../api/orders.js';

/** Tells of fills, and of orders that ended without their owner's wish. */
export function useFillToasts(scales: PairScales): void {
  const { t } = useTranslation();
  useOrderPushes(
    useCallback(
      ({ order, fill }: OrderUpdatePush) => {
        // One notice an order: several fills of it add up in the same one.
        if (fill)
          toastDone(
            t(fill.type === 1 ? 'fill.bought' : 'fill.sold', {
              amount: formatAmount(order.filled_amount, scales(fill.symbol)?.number_scale ?? 8),
              coin: order.currency_name,
              price: formatBookPrice(order.trade_price, scales(fill.symbol)?.price_scale ?? 8),
            }),
            `fill ${order.id}`,
          );
        else if (order.cancelled === 1 && order.cancel_reason !== 'user' && order.cancel_reason !== '')
          toastDone(t(`cancelReason.${order.cancel_reason}`, { pair: order.symbol }));
      },
      [t, scales],
    ),
  );
}
