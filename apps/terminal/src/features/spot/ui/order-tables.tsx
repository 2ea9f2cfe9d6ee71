import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotFill, SpotOrder } from '@bourse/contract';
import { Button, cx, type Column } from '@bourse/ui';
import type { PairScales } from '../../../market/pair/scales.js';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Time } from '../../../parts/time.js';
import { useFills } from '../api/fills.js';
import { useOrders, usePending } from '../api/orders.js';
import type { PagedList } from '../api/paged-list.js';
import { useFillColumns } from './fill-columns.js';
import { ListTable } from './list-table.js';
import { PairButton, useDoneColumns, useOpenColumns } from './order-columns.js';
import { useCancel } from './use-cancel.js';

interface Props {
  scales: PairScales;
  /** Opens the details of an order. */
  onOpen: (order: SpotOrder) => void;
}

export function OpenOrders({
  rows,
  list,
  scales,
  onOpen,
}: Props & { rows: SpotOrder[] | undefined; list: PagedList<SpotOrder> }) {
  const { t } = useTranslation();
  const { placing, cancelling } = usePending();
  const isPlacing = (order: SpotOrder): boolean => placing.includes(order);
  const cancel = useCancel();
  // An order without an answer has no details yet.
  const open = (order: SpotOrder): void => {
    if (!isPlacing(order)) onOpen(order);
  };
  const columns: Column<SpotOrder>[] = [
    ...useOpenColumns(scales, open),
    {
      id: 'action',
      header: <span className="sr-only">{t('orders.action')}</span>,
      end: true,
      sticky: true,
      cell: (order) =>
        isPlacing(order) ? (
          <span className="text-t2">{t('orders.placing')}</span>
        ) : (
          <span className="inline-flex items-center gap-3">
            <ComplainLink kind="trade" about={order.id} compact />
            <Button
              size="small"
              busy={cancelling.has(order.id)}
              aria-label={t('orders.cancelOne', { pair: order.symbol })}
              onClick={() => cancel(order)}
            >
              {cancelling.has(order.id) ? t('orders.cancelling') : t('orders.cancel')}
            </Button>
          </span>
        ),
    },
  ];
  return (
    <ListTable
      label={t('orders.open')}
      rows={rows}
      columns={columns}
      list={list}
      empty={t('orders.emptyOpen')}
      onRow={open}
      rowClassName={(order) => cx((isPlacing(order) || cancelling.has(order.id)) && 'opacity-60')}
    />
  );
}

export function DoneOrders({ only, scales, onOpen }: Props & { only: QuotationItem | undefined }) {
  const { t } = useTranslation();
  const list = useOrders('done', only);
  const columns: Column<SpotOrder>[] = [
    ...useDoneColumns(scales, onOpen),
    {
      id: 'complain',
      header: <span className="sr-only">{t('complain.link')}</span>,
      end: true,
      cell: (order) => <ComplainLink kind="trade" about={order.id} compact />,
    },
  ];
  return (
    <ListTable
      label={t('orders.history')}
      columns={columns}
      list={list}
      empty={t('orders.emptyHistory')}
      onRow={onOpen}
    />
  );
}

/** Own fills, newest first. A press on one opens its order. */
export function Trades({
  only,
  scales,
  onOpen,
}: Pick<Props, 'scales'> & { only: QuotationItem | undefined; onOpen: (fill: SpotFill) => void }) {
  const { t } = useTranslation();
  const list = useFills(only);
  const columns: Column<SpotFill>[] = [
    { id: 'time', header: t('orders.time'), wraps: true, cell: (fill) => <Time>{fill.create_time}</Time> },
    {
      id: 'pair',
      header: t('orders.pair'),
      card: 'title',
      cell: (fill) => <PairButton symbol={fill.symbol} onPress={() => onOpen(fill)} />,
    },
    ...useFillColumns(scales),
  ];
  return (
    <ListTable
      label={t('orders.trades')}
      columns={columns}
      list={list}
      empty={t('orders.emptyTrades')}
      onRow={onOpen}
    />
  );
}
