import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Badge, Num } from '@bourse/ui';
import { people, times, unsorted } from '../../../parts/list-columns.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';
import { APPEAL_TONES } from './tones.js';

/** Appeals: the open ones by their time. */
export default function Appeals() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <ListPage<'/api/admin/appeals'>
      name="appeals"
      title={t('console.appeals.title')}
      path="/api/admin/appeals"
      filters={[
        choiceFilter('state', t('console.people.state'), ['1', '2', '3', '0'], (value) =>
          t(`console.appeals.state.${value}`),
        ),
        { name: 'user_id', label: t('console.c2c.party'), kind: 'id' },
      ]}
      columns={[
        { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, csv: ({ id }) => id },
        {
          id: 'state',
          label: t('console.people.state'),
          cell: ({ state, proposed, overdue }) => (
            <span className="flex flex-wrap gap-1">
              <Badge tone={APPEAL_TONES[state]}>{t(`console.appeals.state.${state}`)}</Badge>
              {state === 1 && proposed !== '' && <Badge tone="info">{t('console.appeals.needsSecond')}</Badge>}
              {overdue === 1 && <Badge tone="down">{t('console.appeals.overdue')}</Badge>}
            </span>
          ),
          sort: ({ state }) => state,
        },
        unsorted(people('buyer', t('console.appeals.buyer'), ({ buyer_id: id }) => id)),
        unsorted(people('seller', t('console.appeals.seller'), ({ seller_id: id }) => id)),
        {
          id: 'number',
          label: t('console.people.amount'),
          cell: ({ number, currency_name: coin }) => (
            <Num>
              {number} {coin}
            </Num>
          ),
          sort: ({ number }) => number,
        },
        {
          id: 'money',
          label: t('console.people.money'),
          cell: ({ deal_money: money, coin_code: code }) => (
            <Num>
              {money} {code}
            </Num>
          ),
          sort: ({ deal_money: money }) => money,
          wide: true,
        },
        {
          id: 'assigned',
          label: t('console.appeals.assigned'),
          cell: ({ assigned_to: id }) => (id === 0 ? '–' : <Num>{id}</Num>),
          csv: ({ assigned_to: id }) => String(id),
          wide: true,
        },
        times('due', t('console.appeals.due'), ({ decision_due: at }) => at),
      ]}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate(`/appeals/${id}`)}
    />
  );
}
