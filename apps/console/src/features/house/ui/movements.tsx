import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { useOperator } from '../../../core/operator.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Section } from '../../../parts/detail.js';
import { coins, times, words } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { useCoinNames } from '../../../parts/use-coin-names.js';
import { sidesOf, type Movement } from '../model/house.js';
import { BOOKS } from './fund.js';

const PATH = '/api/admin/adjustments';
/** Waiting adjustments without a person: those between accounts of the house. */
const OF_THE_HOUSE = { state: 'waiting', user_id: '0' } as const;
type Decision = 'approve' | 'reject';

/** Movements of the house that wait for another operator. The requester can withdraw a movement but not approve it. */
export function Movements() {
  const { t } = useTranslation();
  const nameOf = useCoinNames();
  const me = useOperator((operator) => operator.me?.username);
  const [deciding, setDeciding] = useState<{ readonly row: Movement; readonly decision: Decision } | null>(null);
  const sides = (row: Movement): string => {
    const { from = '', to = '' } = sidesOf(row) ?? {};
    return `${from} → ${to}`;
  };
  return (
    <Section title={t('console.house.waiting')}>
      <ListPage<typeof PATH>
        inside
        name="house.movements"
        title={t('console.people.tableOf', { of: t('console.house.waiting') })}
        path={PATH}
        part="moves"
        fixed={OF_THE_HOUSE}
        columns={[
          words('sides', t('console.house.way'), sides),
          coins('amount', t('console.people.amount'), ({ amount, currency_id: coin }) => [amount, nameOf(coin)]),
          words('note', t('console.house.note'), ({ note }) => note),
          words('by', t('approval.by'), ({ created_by: by }) => by),
          times('time', t('console.people.time'), ({ create_time: at }) => at, true),
        ]}
        rowKey={({ id }) => String(id)}
        empty={t('console.house.noneWaiting')}
        actions={(row) => (
          <>
            {row.created_by !== me && (
              <Button size="small" kind="primary" onClick={() => setDeciding({ row, decision: 'approve' })}>
                {t('approval.approve')}
              </Button>
            )}
            <Button size="small" kind="danger" onClick={() => setDeciding({ row, decision: 'reject' })}>
              {t(row.created_by === me ? 'approval.takeBack' : 'approval.reject')}
            </Button>
          </>
        )}
      />
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
          action={t(
            deciding.decision === 'approve'
              ? 'approval.approve'
              : deciding.row.created_by === me
                ? 'approval.takeBack'
                : 'approval.reject',
          )}
          path={`${PATH}/${deciding.decision}`}
          body={{ id: deciding.row.id }}
          invalidate={BOOKS}
        />
      )}
    </Section>
  );
}
