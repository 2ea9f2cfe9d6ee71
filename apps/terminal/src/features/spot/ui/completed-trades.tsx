import { useTranslation } from 'react-i18next';
import type { Complete } from '@bourse/contract';
import { atMost, fixed, formatAmount, grouped, Num, Table, type Column } from '@bourse/ui';
import { useEntrusts } from './use-entrusts.js';
import { Paged, useScales, useTimeCell } from './entrust-parts.js';

export function CompletedTrades() {
  const { t } = useTranslation();
  const { query, rows } = useEntrusts<Complete>('complete');
  const time = useTimeCell();
  const scales = useScales();
  const pairOf = (row: Complete): string => `${row.currency_name}/${row.legal_name}`;
  const columns: Column<Complete>[] = [
    { id: 'time', header: t('orders.time'), cell: (row) => time(row.time) },
    { id: 'pair', header: t('orders.pair'), cell: (row) => <Num>{pairOf(row)}</Num> },
    {
      id: 'side',
      header: t('orders.side'),
      cell: (row) => (
        <span className={row.type === 'in' ? 'text-up' : 'text-down'}>
          {t(row.type === 'in' ? 'ticket.buy' : 'ticket.sell')}
        </span>
      ),
    },
    {
      id: 'price',
      header: t('orders.price'),
      end: true,
      cell: (row) => <Num>{grouped(fixed(row.price, scales(pairOf(row)).price))}</Num>,
    },
    {
      id: 'amount',
      header: t('orders.amount'),
      end: true,
      cell: (row) => <Num>{formatAmount(row.number, scales(pairOf(row)).number)}</Num>,
    },
    {
      id: 'money',
      header: t('entrust.totalMoney'),
      end: true,
      cell: (row) => (
        <Num>
          {grouped(atMost(row.total_money, 8))} {row.legal_name}
        </Num>
      ),
    },
    {
      id: 'fee',
      header: t('orders.fee'),
      end: true,
      cell: (row) => (
        <Num>
          {row.type === 'in'
            ? `${grouped(atMost(row.in_fee, 8))} ${row.currency_name}`
            : `${grouped(atMost(row.out_fee, 8))} ${row.legal_name}`}
        </Num>
      ),
    },
  ];
  return (
    <Paged query={query}>
      <Table
        label={t('entrust.completed')}
        rows={rows}
        columns={columns}
        rowKey={(row) => `${row.id} ${row.type}`}
        empty={t('entrust.emptyCompleted')}
      />
    </Paged>
  );
}
