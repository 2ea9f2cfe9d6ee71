import { useTranslation } from 'react-i18next';
import { Badge, Num, type Tone } from '@bourse/ui';
import { numbers, people, times } from '../../../parts/list-columns.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';
import { When } from '../../../parts/when.js';

const TONES: Readonly<Record<0 | 1 | 2 | 3, Tone>> = { 0: 'warn', 1: 'up', 2: 'plain', 3: 'info' };
const SURE = ['0|3', '0', '3', '1', '2'] as const;

/** Deals of people and shops without personal data, which only an appeal shows. */
export default function Deals() {
  const { t } = useTranslation();
  return (
    <ListPage<'/api/admin/c2c_orders'>
      name="deals"
      title={t('console.c2c.deals')}
      path="/api/admin/c2c_orders"
      filters={[
        { name: 'user_id', label: t('console.c2c.party'), kind: 'id' },
        { name: 'id', label: t('console.people.id'), kind: 'id' },
        { name: 'ad_id', label: t('console.c2c.ad'), kind: 'id' },
        choiceFilter('kind', t('console.people.kind'), ['c2c', 'shop'], (value) => t(`console.c2c.${value}`)),
        choiceFilter('is_sure', t('console.people.state'), SURE, (value) => t(`console.c2c.sure.${value}`)),
      ]}
      columns={[
        numbers('id', t('console.people.id'), ({ id }) => id),
        {
          id: 'kind',
          label: t('console.people.kind'),
          cell: ({ kind, type }) => `${t(`console.c2c.${kind}`)}, ${t(`console.people.${type}`)}`,
          sort: ({ kind, type }) => `${kind} ${type}`,
        },
        people('owner', t('console.c2c.owner'), ({ owner_id: id }) => id),
        people('taker', t('console.c2c.taker'), ({ taker_id: id }) => id),
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
        },
        {
          id: 'state',
          label: t('console.people.state'),
          cell: ({ is_sure: state }) => <Badge tone={TONES[state]}>{t(`console.c2c.sure.${state}`)}</Badge>,
          sort: ({ is_sure: state }) => state,
        },
        {
          id: 'appeal',
          label: t('console.people.appeal'),
          cell: ({ appeal }) => t(`console.c2c.appeal.${appeal}`),
          csv: ({ appeal }) => String(appeal),
          wide: true,
        },
        times('deadline', t('console.c2c.deadline'), ({ deadline }) => deadline, true),
        {
          id: 'created',
          label: t('console.people.time'),
          cell: ({ format_create_time: at }) => <When time={at} />,
          sort: ({ create_time: at }) => at,
          csv: ({ format_create_time: at }) => at,
        },
      ]}
      rowKey={({ id }) => id}
    />
  );
}
