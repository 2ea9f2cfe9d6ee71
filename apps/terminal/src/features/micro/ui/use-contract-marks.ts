import { useMemo } from 'react';
import type { MicroOrder, QuotationItem } from '@bourse/contract';
import { atMost, clockTime, grouped, timeOf } from '@bourse/ui';
import type { ChartMarks } from '../../../market/chart/marks.js';

/** The running contracts of a market: a line at the opening price with way, stake and expiry, a mark where it began. */
export function useContractMarks(
  { symbol }: Pick<QuotationItem, 'symbol'>,
  rows: readonly MicroOrder[] | undefined,
): ChartMarks {
  return useMemo(() => {
    const opened = (rows ?? []).filter(
      (order) => order.symbol_name === symbol && order.status === 1 && order.open_price !== '',
    );
    const side = ({ type }: MicroOrder) => (type === 1 ? ('buy' as const) : ('sell' as const));
    const text = ({ type, number, currency_name: coin }: MicroOrder): string =>
      `${type === 1 ? '▲' : '▼'} ${grouped(atMost(number, 8))} ${coin}`;
    return {
      lines: opened.map((order) => {
        const expires = timeOf(order.expire_time);
        return {
          id: order.id,
          price: order.open_price,
          text: `${text(order)}${expires === undefined ? '' : ` → ${clockTime(expires)}`}`,
          side: side(order),
        };
      }),
      markers: opened.flatMap((order) => {
        const time = timeOf(order.open_time);
        return time === undefined ? [] : [{ id: order.id, time, side: side(order), text: '' }];
      }),
    };
  }, [rows, symbol]);
}
