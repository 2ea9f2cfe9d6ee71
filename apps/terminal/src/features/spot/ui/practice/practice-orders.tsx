import { useTranslation } from 'react-i18next';
import type { QuotationItem, SpotFill, SpotOrder } from '@bourse/contract';
import { Button, Num, Table, Tabs, type Column } from '@bourse/ui';
import type { PracticeSession, PracticeView } from '../../model/practice/practice-session.js';
import { useFillColumns } from '../fill-columns.js';
import { useDoneColumns, useOpenColumns } from '../order-columns.js';
import { PracticeFigures } from './practice-figures.js';

export type PracticeTab = 'open' | 'done' | 'fills' | 'result';

/** The person's orders of a practice, its fills, and what it has come to so far. */
export function PracticeOrders({
  session,
  view,
  pair,
  tab,
  onTab,
}: {
  session: PracticeSession;
  view: PracticeView;
  pair: QuotationItem;
  tab: PracticeTab;
  onTab: (tab: PracticeTab) => void;
}) {
  const { t } = useTranslation();
  const scales = () => pair;
  const done = useDoneColumns(scales);
  const open: Column<SpotOrder>[] = [
    ...useOpenColumns(scales),
    {
      id: 'action',
      header: <span className="sr-only">{t('orders.action')}</span>,
      end: true,
      sticky: true,
      cell: (order) => (
        <Button
          size="small"
          aria-label={t('orders.cancelOne', { pair: order.symbol })}
          onClick={() => session.cancel(order.id)}
        >
          {t('orders.cancel')}
        </Button>
      ),
    },
  ];
  return (
    <Tabs<PracticeTab>
      label={t('orders.title')}
      value={tab}
      onChange={onTab}
      panelClassName="flex min-h-0 flex-1 flex-col overflow-auto"
      tabs={[
        { id: 'open', label: t('orders.openCount', { count: view.open.length }) },
        { id: 'done', label: t('orders.history') },
        { id: 'fills', label: t('orders.fills') },
        { id: 'result', label: t('practice.result') },
      ]}
    >
      {tab === 'open' ? (
        <Table
          label={t('orders.open')}
          rows={view.open}
          columns={open}
          rowKey={({ id }) => id}
          empty={t('orders.emptyOpen')}
        />
      ) : tab === 'done' ? (
        <Table
          label={t('orders.history')}
          rows={view.done}
          columns={done}
          rowKey={({ id }) => id}
          empty={t('orders.emptyHistory')}
        />
      ) : tab === 'fills' ? (
        <PracticeFills fills={view.fills} pair={pair} />
      ) : (
        <div className="p-4">
          <PracticeFigures result={view.result} coin={pair.legal_name} />
        </div>
      )}
    </Tabs>
  );
}

/** The fills of a practice. */
export function PracticeFills({ fills, pair }: { fills: readonly SpotFill[]; pair: QuotationItem }) {
  const { t } = useTranslation();
  const columns: Column<SpotFill>[] = [
    {
      id: 'time',
      header: t('practice.time'),
      card: 'title',
      cell: ({ create_time }) => <Num>{create_time.slice(11)}</Num>,
    },
    ...useFillColumns(() => pair),
  ];
  return (
    <Table
      label={t('orders.fills')}
      rows={fills}
      columns={columns}
      rowKey={({ id }) => id}
      empty={t('orders.noFills')}
    />
  );
}
