import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { MicroOrder } from '@bourse/contract';
import { atMost, cx, directionOf, formatTickPrice, grouped, NO_NUMBER, Num, Table, type Column } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { useClosed } from '../api/micro.js';
import { netResult } from '../../../core/micro-result.js';
import { durationText } from './duration-text.js';
import { signed } from './signed.js';
import { usePriceScales } from './use-price-scales.js';
import { Way } from './way.js';

/** Closed contracts with their result, each with its receipt. */
export function ClosedList() {
  const { t } = useTranslation();
  const { query, rows } = useClosed();
  const scale = usePriceScales();
  const price = (text: string, order: MicroOrder): string =>
    text === '' ? NO_NUMBER : formatTickPrice(text, scale(order.symbol_name));
  const columns: Column<MicroOrder>[] = [
    { id: 'time', header: t('orders.time'), cell: (order) => <Time>{order.handle_time}</Time> },
    {
      id: 'pair',
      header: t('orders.pair'),
      card: 'title',
      cell: (order) => <Num className="font-medium">{order.symbol_name}</Num>,
    },
    { id: 'way', header: t('micro.way'), card: 'title', cell: (order) => <Way type={order.type} /> },
    {
      id: 'duration',
      header: t('micro.duration'),
      priority: 'wide',
      cell: (order) => durationText(t, order.seconds),
    },
    {
      id: 'stake',
      header: t('micro.stake'),
      end: true,
      cell: (order) => <Num>{`${grouped(atMost(order.number, 8))} ${order.currency_name}`}</Num>,
    },
    { id: 'open', header: t('micro.open'), end: true, cell: (order) => <Num>{price(order.open_price, order)}</Num> },
    { id: 'end', header: t('micro.end'), end: true, cell: (order) => <Num>{price(order.end_price, order)}</Num> },
    {
      id: 'result',
      header: t('micro.resultTitle'),
      end: true,
      cell: (order) => {
        const way = directionOf(netResult(order));
        return (
          <span className={cx(way > 0 && 'text-up', way < 0 && 'text-down')}>
            {order.result !== '' && t(`micro.result.${order.result}`)}{' '}
            <Num>{`${signed(netResult(order))} ${order.currency_name}`}</Num>
          </span>
        );
      },
    },
    {
      id: 'receipt',
      header: <span className="sr-only">{t('micro.receipt')}</span>,
      end: true,
      sticky: true,
      cell: (order) => (
        <Link to={`/microReceipt?id=${order.id}`} className="text-accent underline">
          {t('micro.receipt')}
        </Link>
      ),
    },
  ];
  if (query.isError && !query.data) return <Failed retry={() => void query.refetch()} />;
  return (
    <Table
      label={t('micro.closedTab')}
      className="min-h-0 flex-1"
      rows={rows}
      columns={columns}
      rowKey={({ id }) => id}
      empty={t('micro.emptyClosed')}
      footer={rows && rows.length > 0 && <More query={query} />}
    />
  );
}
