import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { formatAmount, formatBookPrice, timeOf } from '@bourse/ui';
import type { ChartMarks } from '../../../market/chart/marks.js';
import { useOrders } from '../api/orders.js';
import { isWaitingStop, remaining } from '../model/orders.js';
import { useCancel } from './use-cancel.js';

type MarkedPair = Pick<QuotationItem, 'legal_id' | 'currency_id' | 'price_scale' | 'number_scale'>;

/**
 * The person's open orders of a pair as lines, the filled ones as markers: both asked for by the pair. A stop stands at
 * its trigger, dotted, with what it will do; an order shows what is left of it.
 */
export function useChartMarks(pair: MarkedPair): ChartMarks {
  const { t } = useTranslation();
  const { price_scale, number_scale } = pair;
  const open = useOrders('open', pair).rows;
  const done = useOrders('done', pair).rows;
  const cancel = useCancel();
  return useMemo(() => {
    const text = (order: SpotOrder, amount: string): string =>
      `${t(order.type === 1 ? 'ticket.buy' : 'ticket.sell')} ${formatAmount(amount, number_scale)}`;
    const side = (order: SpotOrder) => (order.type === 1 ? ('buy' as const) : ('sell' as const));
    const price = (value: string): string => formatBookPrice(value, price_scale);
    const lineText = (order: SpotOrder): string => {
      const what = text(order, remaining(order));
      if (!isWaitingStop(order)) return what;
      const then = order.order_type === 'stop_market' ? t('ticket.best') : price(order.target_price);
      return `${t('ticket.stopPrice')} ${price(order.stop_price)} → ${what} · ${then}`;
    };
    return {
      lines: (open ?? [])
        .filter((order) => isWaitingStop(order) || order.order_type === 'limit' || order.order_type === 'stop_limit')
        .map((order) => ({
          id: order.id,
          price: isWaitingStop(order) ? order.stop_price : order.target_price,
          text: lineText(order),
          side: side(order),
          stroke: isWaitingStop(order) ? ('dotted' as const) : ('dashed' as const),
          cancel: {
            label: `${t('orders.cancel')}: ${lineText(order)}`,
            run: () => cancel(order),
          },
        })),
      markers: (done ?? [])
        .filter((order) => /[1-9]/.test(order.filled_amount))
        .flatMap((order) => {
          const time = timeOf(order.updated_at);
          return time === undefined
            ? []
            : [{ id: order.id, time, side: side(order), text: text(order, order.filled_amount) }];
        }),
    };
  }, [open, done, price_scale, number_scale, t, cancel]);
}
