import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { Num, type Tone } from '@bourse/ui';
import { amounts, leading, states, times } from '../../../parts/list-columns.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';

type Row = RowOf<'GET /api/admin/claims'>;
const TONES: Readonly<Record<Row['status'], Tone>> = { 1: 'warn', 2: 'up' };

/** Insurance claims of all people. The exchange pays them automatically; operators only read them. */
export default function InsuranceClaims() {
  const { t } = useTranslation();
  return (
    <ListPage<'/api/admin/claims'>
      name="claims"
      title={t('place.insuranceClaims')}
      path="/api/admin/claims"
      filters={[personFilter(t)]}
      columns={[
        ...leading<Row>(t),
        {
          id: 'policy',
          label: t('console.users.policy'),
          cell: ({ insurance_id: id }) => <Num>{id}</Num>,
          csv: ({ insurance_id: id }) => id,
        },
        amounts('amount', t('console.people.amount'), ({ amount }) => amount),
        states(
          t('console.people.state'),
          ({ status }) => status,
          TONES,
          (status) => t(`console.users.claim.${status}`),
        ),
        times('created', t('console.people.time'), ({ created_at: at }) => at),
        times('paid', t('console.insurance.paid'), ({ paid_at: at }) => at),
      ]}
      rowKey={({ id }) => id}
    />
  );
}
