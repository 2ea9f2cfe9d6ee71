import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { formatAmount, timeOf } from '@bourse/ui';
import type { ChartMarks } from '../../../market/chart/marks.js';
import { cancelOrder, useOrders } from '../api/orders.js';

/** The person's open orders of a pair as lines, the filled ones as markers. */
export function useChartMarks(pair: Pick<QuotationItem, 'symbol' | 'number_scale'>): ChartMarks {
  const { t } = useTranslation();
  const { symbol, number_scale } = pair;
  const open = useOrders('open').rows;
  const done = useOrders('done').rows;
  return useMemo(() => {
    const text = (order: SpotOrder, amount: string): string =>
      `${t(order.type === 1 ? 'ticket.buy' : 'ticket.sell')} ${formatAmount(amount, number_scale)}`;
    const side = (order: SpotOrder) => (order.type === 1 ? ('buy' as const) : ('sell' as const));
    return {
      lines: (open ?? [])
        .filter(
          (order) => order.symbol === symbol && (order.order_type === 'limit' || order.order_type === 'stop_limit'),
        )
        .map((order) => ({
          id: order.id,
          price: order.target_price,
          text: text(order, order.trade_amount),
          side: side(order),
          cancel: {
            label: `${t('orders.cancel')}: ${text(order, order.trade_amount)}`,
            run: () => void cancelOrder(order.id).catch((error: unknown) => console.debug('not cancelled', error)),
          },
        })),
      markers: (done ?? [])
        .filter((order) => order.symbol === symbol && /[1-9]/.test(order.filled_amount))
        .flatMap((order) => {
          const time = timeOf(order.updated_at);
          return time === undefined
            ? []
            : [{ id: order.id, time, side: side(order), text: text(order, order.filled_amount) }];
        }),
    };
  }, [open, done, symbol, number_scale, t]);
}
