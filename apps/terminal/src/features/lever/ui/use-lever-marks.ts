import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeverPosition, QuotationItem } from '@bourse/contract';
import { atMost, directionOf as signOf, formatBookPrice, grouped } from '@bourse/ui';
import type { ChartLine, ChartMarks } from '../../../market/chart/marks.js';
import { averageEntry, expected } from '../model/positions.js';

/** A stop that was dropped somewhere, or opened at its handle: the box asks. */
export interface StopsAsked {
  readonly id: string;
  readonly start: { target?: string; stop?: string } | undefined;
}
type Pair = Pick<QuotationItem, 'symbol' | 'price_scale' | 'number_scale'>;
const EMPTY: ChartMarks = { lines: [], markers: [] };

/** Entry, liquidation, target and stop of the person's positions in a pair; target and stop can be dragged. */
export function useLeverMarks(
  rows: readonly LeverPosition[] | undefined,
  pair: Pair,
  ask: (asked: StopsAsked) => void,
): ChartMarks {
  const { t } = useTranslation();
  const { symbol, price_scale, number_scale } = pair;
  return useMemo(() => {
    if (!rows) return EMPTY;
    const scales = { price_scale, number_scale };
    const linesOf = (row: LeverPosition): ChartLine[] => {
      const side = row.type === 1 ? ('buy' as const) : ('sell' as const);
      const stopLine = (which: 'target' | 'stop', price: string): ChartLine[] => {
        if (!/[1-9]/.test(price)) return [];
        const name = t(`lever.${which}`);
        return [
          {
            id: `${row.id} ${which}`,
            price,
            text: name,
            side: which === 'target' ? 'buy' : 'sell',
            stroke: 'dotted',
            drag: {
              label: t('lever.drag', { what: name }),
              preview: (at) => {
                const value = expected(which, row, at, scales);
                const sign = which === 'target' ? '+' : '-';
                return `${name} ${formatBookPrice(at, price_scale)} ${sign}${grouped(atMost(value, 4))}`;
              },
              drop: (at) => ask({ id: row.id, start: { [which]: at } }),
              open: () => ask({ id: row.id, start: undefined }),
            },
          },
        ];
      };
      const profits = `${signOf(row.profits) > 0 ? '+' : ''}${grouped(atMost(row.profits, 2))}`;
      const liquidation: ChartLine[] = /[1-9]/.test(row.liquidation_price)
        ? [
            {
              id: `${row.id} out`,
              price: row.liquidation_price,
              text: t('lever.liquidation'),
              side: 'sell',
              stroke: 'dotted',
            },
          ]
        : [];
      return [
        { id: row.id, price: row.price, text: `${t(row.type === 1 ? 'lever.long' : 'lever.short')} ${profits}`, side },
        ...liquidation,
        ...stopLine('target', row.target_profit_price),
        ...stopLine('stop', row.stop_loss_price),
      ];
    };
    const own = rows.filter((row) => row.symbol === symbol);
    const averages = ([1, 2] as const).flatMap((type): ChartLine[] => {
      const price = averageEntry(
        own.filter((row) => row.type === type),
        price_scale,
      );
      if (price === undefined) return [];
      const text = t('lever.averageEntry', { side: t(type === 1 ? 'lever.long' : 'lever.short') });
      return [{ id: `average ${type}`, price, text, side: type === 1 ? 'buy' : 'sell' }];
    });
    return { lines: [...averages, ...own.flatMap(linesOf)], markers: [] };
  }, [rows, symbol, price_scale, number_scale, ask, t]);
}
