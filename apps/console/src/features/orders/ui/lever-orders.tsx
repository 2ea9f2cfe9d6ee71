import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { Num } from '@bourse/ui';
import { ListPage } from '../../../parts/list-page.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { amounts, leading, times, words } from '../../../parts/list-columns.js';

type Row = RowOf<'GET /api/admin/orders/lever'>;

/** Leveraged positions of all people, pending orders among them. */
export function LeverOrders() {
  const { t } = useTranslation();
  return (
    <ListPage<'/api/admin/orders/lever'>
      inside
      name="orders.lever"
      title={t('console.users.list.lever')}
      path="/api/admin/orders/lever"
      filters={[personFilter(t)]}
      columns={[
        ...leading<Row>(t),
        words('market', t('console.people.market'), ({ symbol }) => symbol),
        words('side', t('console.people.side'), ({ type }) =>
          t(type === 1 ? 'console.people.long' : 'console.people.short'),
        ),
        amounts('amount', t('console.people.amount'), ({ number }) => number),
        {
          id: 'multiple',
          label: t('console.people.multiple'),
          cell: ({ multiple }) => <Num>{multiple}×</Num>,
          sort: ({ multiple }) => multiple,
        },
        amounts('price', t('console.people.price'), ({ price }) => price),
        amounts('margin', t('console.people.margin'), ({ caution_money: margin }) => margin),
        amounts('profit', t('console.people.profit'), ({ profits }) => profits),
        words('state', t('console.people.state'), ({ status }) => t(`console.orders.lever.${status}`)),
        amounts('liquidation', t('console.orders.liquidation'), ({ liquidation_price: price }) => price, true),
        times('time', t('console.people.time'), ({ create_time: at }) => at, true),
      ]}
      rowKey={({ id }) => id}
    />
  );
}
