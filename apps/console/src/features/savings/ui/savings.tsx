import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { Num, type Tone } from '@bourse/ui';
import { coins, leading, numbers, states, times } from '../../../parts/list-columns.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';

type Row = RowOf<'GET /api/admin/savings'>;
const TONES: Readonly<Record<Row['status'], Tone>> = { 1: 'up', 2: 'plain', 3: 'warn' };

/** Fixed terms of all people, newest first. */
export default function Savings() {
  const { t } = useTranslation();
  return (
    <ListPage<'/api/admin/savings'>
      name="savings"
      title={t('place.savings')}
      path="/api/admin/savings"
      filters={[personFilter(t)]}
      columns={[
        ...leading<Row>(t),
        coins('amount', t('console.people.amount'), ({ amount, currency_name: coin }) => [amount, coin]),
        numbers('days', t('console.people.days'), ({ day }) => day),
        {
          id: 'rate',
          label: t('console.savings.rate'),
          cell: ({ total_rate: rate }) => <Num>{rate}</Num>,
          sort: ({ total_rate: rate }) => rate,
          wide: true,
        },
        coins('profit', t('console.savings.interest'), ({ profit, currency_name: coin }) => [profit, coin]),
        coins('accrued', t('console.savings.accrued'), ({ accrued, currency_name: coin }) => [accrued, coin], true),
        states(
          t('console.people.state'),
          ({ status }) => status,
          TONES,
          (status) => t(`console.users.savings.${status}`),
        ),
        times('end', t('console.people.end'), ({ end_at: at }) => at),
        times('created', t('console.people.time'), ({ created_at: at }) => at, true),
      ]}
      rowKey={({ id }) => id}
    />
  );
}
