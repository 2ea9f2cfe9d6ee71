import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { formatAmount, formatBookPrice, timeOf } from '@bourse/ui';
import type { ChartMarks } from '../../../market/chart/marks.js';
import { useOrders } from '../api/orders.js';
import {
  isByMark,
  isLeg,
  isMarketKind,
  isTrailing,
  isWaitingStop,
  linePrice,
  reachSign,
  remaining,
} from '../model/orders.js';

type MarkedPair = Pick<QuotationItem, 'legal_id' | 'currency_id' | 'price_scale' | 'number_scale'>;

interface MarkedOrders {
  readonly open: readonly SpotOrder[] | undefined;
  readonly done: readonly SpotOrder[] | undefined;
}

/** The marks of the person's orders of a pair: both lists are requested for the pair. */
export function useChartMarks(
  pair: MarkedPair,
  onCancel: (order: SpotOrder) => void,
  onMove: (order: SpotOrder, price: string) => void,
): ChartMarks {
  const open = useOrders('open', pair).rows;
  const done = useOrders('done', pair).rows;
  return useOrderMarks(pair, { open, done }, onCancel, onMove);
}

/**
 * Open orders as lines, the filled ones as markers. A stop is a dotted line at its trigger, with the order that it
 * places; an order shows its remaining amount.
 */
export function useOrderMarks(
  pair: MarkedPair,
  { open, done }: MarkedOrders,
  onCancel: (order: SpotOrder) => void,
  onMove: (order: SpotOrder, price: string) => void,
): ChartMarks {
  const { t } = useTranslation();
  const { price_scale, number_scale } = pair;
  return useMemo(() => {
    const text = (order: SpotOrder, amount: string): string =>
      `${t(order.type === 1 ? 'ticket.buy' : 'ticket.sell')} ${formatAmount(amount, number_scale)}`;
    const side = (order: SpotOrder) => (order.type === 1 ? ('buy' as const) : ('sell' as const));
    const price = (value: string): string => formatBookPrice(value, price_scale);
    const lineText = (order: SpotOrder): string => {
      const link = order.link_id === '' ? '' : `${t('ticket.oco')} `;
      const what = `${link}${text(order, remaining(order))}`;
      if (!isWaitingStop(order)) return `${t('orders.kind.limit')} ${what}`;
      const then = isMarketKind(order.order_type) ? t('ticket.best') : price(order.target_price);
      const name = isTrailing(order)
        ? t('orders.kind.trailing_stop')
        : isByMark(order)
          ? `${t('ticket.byMark')} ${reachSign(order)}`
          : t('ticket.stopPrice');
      return `${name} ${price(linePrice(order))} → ${what} · ${then}`;
    };
    return {
      lines: (open ?? [])
        .filter((order) => isWaitingStop(order) || order.order_type === 'limit' || order.order_type === 'stop_limit')
        .map((order) => ({
          id: order.id,
          price: linePrice(order),
          text: lineText(order),
          side: side(order),
          stroke: isWaitingStop(order) ? ('dotted' as const) : ('dashed' as const),
          cancel: {
            label: `${t('orders.cancel')}: ${lineText(order)}`,
            run: () => onCancel(order),
          },
          // A leg is not moved alone: the pair has one hold. A trailing stop moves by itself.
          ...(!isLeg(order) &&
            !isTrailing(order) && {
              drag: {
                label: `${t('orders.move')}: ${lineText(order)}`,
                preview: (at: string) => `${lineText(order)} → ${price(at)}`,
                drop: (at: string) => onMove(order, at),
              },
            }),
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
  }, [open, done, price_scale, number_scale, t, onCancel, onMove]);
}
