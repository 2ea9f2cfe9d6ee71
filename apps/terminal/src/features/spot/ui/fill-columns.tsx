import { useTranslation } from 'react-i18next';
import type { SpotFill } from '@bourse/contract';
import { atMost, formatAmount, formatBookPrice, grouped, Num, type Column } from '@bourse/ui';
import type { PairScales } from '../../../market/pair/scales.js';
import { SideCell } from './side-cell.js';

/** Columns of fills besides their time and their pair. */
export function useFillColumns(scales: PairScales): Column<SpotFill>[] {
  const { t } = useTranslation();
  return [
    { id: 'side', header: t('orders.side'), card: 'title', cell: ({ type }) => <SideCell type={type} /> },
    {
      id: 'price',
      header: t('orders.price'),
      end: true,
      cell: ({ price, symbol }) => <Num>{formatBookPrice(price, scales(symbol)?.price_scale ?? 8)}</Num>,
    },
    {
      id: 'amount',
      header: t('orders.amount'),
      end: true,
      cell: ({ number, symbol }) => <Num>{formatAmount(number, scales(symbol)?.number_scale ?? 8)}</Num>,
    },
    {
      id: 'total',
      header: t('ticket.total'),
      end: true,
      cell: ({ total }) => <Num>{formatAmount(total, 8)}</Num>,
    },
    {
      id: 'fee',
      header: t('orders.fee'),
      end: true,
      cell: ({ fee, fee_currency: coin }) => (
        <Num>
          {grouped(atMost(fee, 8))} {coin}
        </Num>
      ),
    },
    { id: 'role', header: t('orders.role'), cell: ({ role }) => t(`orders.roles.${role}`) },
  ];
}
