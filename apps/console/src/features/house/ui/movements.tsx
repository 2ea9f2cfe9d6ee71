import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataPage } from '@bourse/contract';
import { Button, Table } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { useOperator } from '../../../core/operator.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { Money } from '../../../parts/money.js';
import { useCoinNames } from '../../../parts/use-coin-names.js';
import { When } from '../../../parts/when.js';
import { sidesOf, type Movement } from '../model/house.js';
import { BOOKS } from './fund.js';

const PATH = '/api/admin/adjustments';
type Decision = 'approve' | 'reject';

/** Movements of the house that wait for another operator; who asked for one can take it back and not approve it. */
export function Movements() {
  const { t } = useTranslation();
  const nameOf = useCoinNames();
  const me = useOperator((operator) => operator.me?.username);
  const [deciding, setDeciding] = useState<{ readonly row: Movement; readonly decision: Decision } | null>(null);
  // They stand among the adjustments of people, which the call has no word to leave out.
  const waiting = useAdminQuery<DataPage<Movement>>(PATH, { state: 'waiting', limit: '100' });
  const sides = (row: Movement): string => {
    const { from = '', to = '' } = sidesOf(row) ?? {};
    return `${from} → ${to}`;
  };
  return (
    <Section title={t('console.house.waiting')}>
      {waiting.isError && !waiting.data ? (
        <Failed error={waiting.error} retry={() => void waiting.refetch()} />
      ) : (
        <Table<Movement>
          label={t('console.people.tableOf', { of: t('console.house.waiting') })}
          columns={[
            { id: 'sides', header: t('console.house.way'), cell: (row) => <bdi>{sides(row)}</bdi>, card: 'title' },
            {
              id: 'amount',
              header: t('console.people.amount'),
              cell: ({ amount, currency_id: coin }) => <Money amount={amount} currency={nameOf(coin)} />,
            },
            {
              id: 'note',
              header: t('console.house.note'),
              cell: ({ note }) => <span dir="auto">{note}</span>,
              wraps: true,
            },
            { id: 'by', header: t('approval.by'), cell: ({ created_by: by }) => <bdi>{by}</bdi> },
            {
              id: 'time',
              header: t('console.people.time'),
              cell: ({ create_time: at }) => <When time={at} />,
              priority: 'wide',
            },
            {
              id: 'acts',
              header: t('list.actions'),
              cell: (row) => (
                <span className="flex flex-wrap gap-1">
                  {row.created_by !== me && (
                    <Button size="small" kind="primary" onClick={() => setDeciding({ row, decision: 'approve' })}>
                      {t('approval.approve')}
                    </Button>
                  )}
                  <Button size="small" kind="danger" onClick={() => setDeciding({ row, decision: 'reject' })}>
                    {t(row.created_by === me ? 'approval.takeBack' : 'approval.reject')}
                  </Button>
                </span>
              ),
              sticky: true,
            },
          ]}
          rows={waiting.data?.data.filter((row) => sidesOf(row) !== undefined)}
          rowKey={({ id }) => String(id)}
          empty={t('console.house.noneWaiting')}
        />
      )}
      {deciding && (
        <ActDialog
          open
          onClose={() => setDeciding(null)}
          title={t(`console.house.${deciding.decision}Title`, { id: deciding.row.id })}
          explain={t(`console.house.${deciding.decision}Explain`, {
            amount: `${deciding.row.amount} ${nameOf(deciding.row.currency_id)}`,
            way: sides(deciding.row),
            note: deciding.row.note,
          })}
          danger={deciding.decision === 'reject'}
          path={`${PATH}/${deciding.decision}`}
          body={{ id: deciding.row.id }}
          invalidate={BOOKS}
        />
      )}
    </Section>
  );
}
