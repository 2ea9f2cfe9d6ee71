import { useTranslation } from 'react-i18next';
import type { Complete } from '@bourse/contract';
import { fixed, formatAmount, grouped, Num, Table, type Column } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Time } from '../../../parts/time.js';
import { useEntrusts } from './use-entrusts.js';
import { MoneyCell, Paged, useScales } from './entrust-parts.js';

export function CompletedTrades() {
  const { t } = useTranslation();
  const { query, rows } = useEntrusts('complete', (page) =>
    api.post('/api/transaction_complete', { page }, { quiet: true }),
  );
  const scales = useScales();
  const pairOf = (row: Complete): string => `${row.currency_name}/${row.legal_name}`;
  const columns: Column<Complete>[] = [
    { id: 'time', header: t('orders.time'), cell: (row) => <Time>{row.time}</Time> },
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
      cell: (row) => <MoneyCell money={row.total_money} coin={row.legal_name} />,
    },
    {
      id: 'fee',
      header: t('orders.fee'),
      end: true,
      cell: (row) =>
        row.type === 'in' ? (
          <MoneyCell money={row.in_fee} coin={row.currency_name} />
        ) : (
          <MoneyCell money={row.out_fee} coin={row.legal_name} />
        ),
    },
    {
      id: 'complain',
      header: <span className="sr-only">{t('complain.link')}</span>,
      end: true,
      cell: (row) => <ComplainLink kind="trade" about={row.id} />,
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
