import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { ListPage } from '../../../parts/list-page.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { amounts, leading, times, words } from '../../../parts/list-columns.js';

type Row = RowOf<'GET /api/admin/orders/spot'>;

/** Spot orders: all that are open, or all of one person. */
export function SpotOrders() {
  const { t } = useTranslation();
  const stateOf = ({ status, cancelled }: Row): string =>
    t(status === 1 ? 'console.people.open' : cancelled ? 'console.people.cancelled' : 'console.people.done');
  return (
    <>
      <p className="pb-3 text-t2">{t('console.orders.spotText')}</p>
      <ListPage<'/api/admin/orders/spot'>
        inside
        name="orders.spot"
        title={t('console.users.list.spot')}
        path="/api/admin/orders/spot"
        filters={[personFilter(t)]}
        columns={[
          ...leading<Row>(t),
          words('market', t('console.people.market'), ({ symbol }) => symbol),
          words('side', t('console.people.side'), ({ type }) =>
            t(type === 1 ? 'console.people.buy' : 'console.people.sell'),
          ),
          words('kind', t('console.people.kind'), ({ order_type: kind }) => t(`console.orders.kind.${kind}`)),
          amounts('price', t('console.people.price'), ({ target_price: price }) => price),
          amounts('amount', t('console.people.amount'), ({ trade_amount: amount }) => amount),
          amounts('filled', t('console.people.filled'), ({ filled_amount: amount }) => amount),
          words('state', t('console.people.state'), stateOf),
          times('time', t('console.people.time'), ({ created_at: at }) => at, true),
        ]}
        rowKey={({ id }) => id}
      />
    </>
  );
}
