import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { Button, cx, Empty, Table, type Column } from '@bourse/ui';
import { ComplainLink } from '../../../parts/complain-link.js';
import { useOrders, usePending } from '../api/orders.js';
import type { Props } from './orders-panel.js';
import { useColumns, useDoneColumns } from './order-columns.js';
import { useCancel } from './use-cancel.js';

export function OpenOrders({
  rows,
  list,
  scales,
}: {
  rows: SpotOrder[] | undefined;
  list: ReturnType<typeof useOrders>;
  scales: Props['scales'];
}) {
  const { t } = useTranslation();
  const { placing, cancelling } = usePending();
  const isPlacing = (order: SpotOrder): boolean => placing.includes(order);
  const cancel = useCancel();
  const columns: Column<SpotOrder>[] = [
    ...useColumns(scales, 'created_at'),
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
    <OrderTable
      label={t('orders.open')}
      rows={rows}
      columns={columns}
      list={list}
      empty={t('orders.emptyOpen')}
      dim={(order) => isPlacing(order) || cancelling.has(order.id)}
    />
  );
}

export function DoneOrders({ only, scales }: { only: QuotationItem | undefined; scales: Props['scales'] }) {
  const { t } = useTranslation();
  const list = useOrders('done', only);
  const columns: Column<SpotOrder>[] = [
    ...useDoneColumns(scales),
    {
      id: 'complain',
      header: <span className="sr-only">{t('complain.link')}</span>,
      end: true,
      cell: (order) => <ComplainLink kind="trade" about={order.id} compact />,
    },
  ];
  return (
    <OrderTable
      label={t('orders.history')}
      rows={list.rows}
      columns={columns}
      list={list}
      empty={t('orders.emptyHistory')}
    />
  );
}

function OrderTable({
  label,
  rows,
  columns,
  list,
  empty,
  dim,
}: {
  label: string;
  rows: SpotOrder[] | undefined;
  columns: readonly Column<SpotOrder>[];
  list: ReturnType<typeof useOrders>;
  empty: string;
  dim?: (order: SpotOrder) => boolean;
}) {
  const { t } = useTranslation();
  if (list.failed)
    return <Empty action={<Button onClick={list.retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  return (
    <Table
      label={label}
      className="min-h-0 flex-1"
      rows={rows}
      columns={columns}
      rowKey={(order) => order.id}
      empty={empty}
      rowClassName={(order) => cx(dim?.(order) && 'opacity-60')}
      footer={
        rows !== undefined &&
        rows.length > 0 && (
          <div className="p-2 text-center text-table text-t2">
            {list.hasMore ? (
              <Button size="small" busy={list.loadingMore} onClick={list.loadMore}>
                {t('common.loadMore')}
              </Button>
            ) : rows.length > 8 ? (
              t('common.noMore')
            ) : null}
          </div>
        )
      }
    />
  );
}
