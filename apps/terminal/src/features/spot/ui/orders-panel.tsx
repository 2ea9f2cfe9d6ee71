import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotOrder } from '@bourse/contract';
import { Button, Checkbox, Tabs } from '@bourse/ui';
import type { PairScales } from '../../../market/pair/scales.js';
import { useKept } from '../../../prefs/use-kept.js';
import { useOrders, usePending } from '../api/orders.js';
import { OrderDetail } from './lazy-order-detail.js';
import type { OpenedOrder } from './order-detail.js';
import { DoneOrders, OpenOrders, Trades } from './order-tables.js';
import { OrdersExport } from './orders-export.js';
import { Balances } from './spot-balances.js';
import { CancelAllQuestion } from './cancel-all-question.js';
import { useCancel } from './use-cancel.js';

export type OrdersTab = 'open' | 'done' | 'trades' | 'balances';
interface Props {
  pair: QuotationItem;
  scales: PairScales;
  tab: OrdersTab;
  onTab: (tab: OrdersTab) => void;
}

/** Open orders, history, fills and balances under the chart. */
export function OrdersPanel({ pair, scales, tab, onTab }: Props) {
  const { t } = useTranslation();
  const [onlyPair, setOnlyPair] = useKept('orders.onlyPair', false);
  const [asking, setAsking] = useState(false);
  const [opened, setOpened] = useState<OpenedOrder>();
  const cancel = useCancel();
  const openOrder = (order: SpotOrder): void => setOpened({ id: order.id, known: order });
  const only = onlyPair ? pair : undefined;
  const open = useOrders('open', only);
  const placing = usePending((state) => state.placing);
  const openRows = useMemo(
    () => open.rows && [...placing.filter((order) => !onlyPair || order.symbol === pair.symbol), ...open.rows],
    [open.rows, placing, onlyPair, pair.symbol],
  );
  const count = openRows?.length ?? 0;
  return (
    <Tabs<OrdersTab>
      label={t('orders.title')}
      value={tab}
      onChange={onTab}
      wraps
      panelClassName="flex min-h-0 flex-1 flex-col"
      tabs={[
        {
          id: 'open',
          label: open.rows
            ? t('orders.openCount', { count: open.total + (openRows?.length ?? 0) - (open.rows?.length ?? 0) })
            : t('orders.open'),
        },
        { id: 'done', label: t('orders.history') },
        { id: 'trades', label: t('orders.trades') },
        { id: 'balances', label: t('orders.balances') },
      ]}
      end={
        tab !== 'balances' && (
          <div className="flex shrink-0 items-center gap-2 px-3 py-1">
            <Checkbox
              className="max-md:hidden"
              label={t('orders.onlyPair')}
              checked={onlyPair}
              onChange={(event) => setOnlyPair(event.target.checked)}
            />
            {tab === 'open' && (
              <Button size="small" disabled={count === 0} onClick={() => setAsking(true)}>
                {t('orders.cancelAll')}
              </Button>
            )}
            {tab === 'done' && <OrdersExport kind="orders" only={only} />}
            {tab === 'trades' && <OrdersExport kind="trades" only={only} />}
          </div>
        )
      }
    >
      {tab === 'open' ? (
        <OpenOrders rows={openRows} list={open} scales={scales} onOpen={openOrder} />
      ) : tab === 'done' ? (
        <DoneOrders only={only} scales={scales} onOpen={openOrder} />
      ) : tab === 'trades' ? (
        <Trades only={only} scales={scales} onOpen={({ order_id: id }) => setOpened({ id })} />
      ) : (
        <Balances />
      )}
      <Suspense>
        {opened && (
          <OrderDetail opened={opened} scales={scales} onCancel={cancel} onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
      {asking && <CancelAllQuestion pair={only} onClose={() => setAsking(false)} />}
    </Tabs>
  );
}
