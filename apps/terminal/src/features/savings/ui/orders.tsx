import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavingsOrder } from '@bourse/contract';
import { atMost, Badge, Button, grouped, Num, Panel, Table, timeOf } from '@bourse/ui';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Failed } from '../../../parts/failed.js';
import { LinkButton } from '../../../parts/link-button.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { useSavingsOrders } from '../api/savings.js';
import { progressOf } from '../model/savings.js';
import { CancelDialog } from './cancel-dialog.js';
import { dayText, rateText } from './money.js';

const TONES = { 1: 'accent', 2: 'up', 3: 'plain' } as const;
const midnight = (text: string) => {
  const at = timeOf(text);
  return at === undefined ? '–' : <Num>{dayText(at)}</Num>;
};

/** The person's savings, newest first; those that accrue are highlighted, and can be ended before their time. */
export default function Orders() {
  const { t } = useTranslation();
  const query = useSavingsOrders();
  const [ending, setEnding] = useState<SavingsOrder>();
  const rows = collectRows(query.data, (page) => page.data);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-last font-semibold">{t('nav.savingsOrders')}</h1>
        <LinkButton to="/manage" kind="primary">
          {t('savings.subscribe')}
        </LinkButton>
      </div>
      <Panel>
        {query.isError && !query.data ? (
          <Failed retry={() => void query.refetch()} />
        ) : (
          <Table
            label={t('nav.savingsOrders')}
            rows={rows}
            rowKey={({ id }) => id}
            rowClassName={({ status }) => (status === 1 ? 'bg-bg2' : undefined)}
            empty={t('savings.noOrders')}
            columns={[
              {
                id: 'amount',
                header: t('wallet.quantity'),
                card: 'title',
                cell: (order) => (
                  <span className="flex flex-wrap items-center gap-2">
                    <Num className="font-medium">{`${grouped(atMost(order.amount, 8))} ${order.currency_name}`}</Num>
                    <span className="text-t2">
                      {t('savings.days', { count: order.day })} · <Num>{rateText(order.total_rate)}</Num>
                    </span>
                  </span>
                ),
              },
              {
                id: 'profit',
                header: t('savings.profit'),
                end: true,
                cell: ({ profit }) => <Num>{grouped(atMost(profit, 8))}</Num>,
              },
              { id: 'accrued', header: t('savings.accrued'), end: true, cell: (order) => <Accrued order={order} /> },
              { id: 'start', header: t('savings.start'), cell: ({ start_at: at }) => midnight(at) },
              { id: 'end', header: t('savings.end'), cell: ({ end_at: at }) => midnight(at) },
              {
                id: 'made',
                header: t('savings.made'),
                priority: 'wide',
                cell: ({ created_at: at }) => <Time>{at}</Time>,
              },
              {
                id: 'status',
                header: t('wallet.status'),
                cell: ({ status }) => (
                  <span>
                    <Badge tone={TONES[status]}>{t(`savings.status.${status}`)}</Badge>
                  </span>
                ),
              },
              {
                id: 'act',
                header: <span className="sr-only">{t('savings.cancel')}</span>,
                end: true,
                sticky: true,
                cell: (order) => (
                  <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
                    {order.status === 1 && (
                      <Button size="small" kind="danger" onClick={() => setEnding(order)}>
                        {t('savings.cancel')}
                      </Button>
                    )}
                    <ComplainLink kind="other" about={order.id} />
                  </span>
                ),
              },
            ]}
            footer={rows && rows.length > 0 && <More query={query} />}
          />
        )}
      </Panel>
      {ending && <CancelDialog order={ending} onClose={() => setEnding(undefined)} />}
    </div>
  );
}

/** The interest so far, with a bar for its part of the whole. */
function Accrued({ order }: { order: SavingsOrder }) {
  return (
    <span className="inline-flex min-w-20 flex-col items-end gap-0.5">
      <Num>{grouped(atMost(order.accrued, 8))}</Num>
      {order.status === 1 && (
        <span aria-hidden className="h-1 w-full overflow-hidden rounded-chip bg-bg3">
          <span className="block h-full bg-info" style={{ width: `${progressOf(order)}%` }} />
        </span>
      )}
    </span>
  );
}
