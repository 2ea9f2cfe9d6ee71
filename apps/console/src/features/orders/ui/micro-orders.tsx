import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { ListPage } from '../../../parts/list-page.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { amounts, coins, leading, numbers, times, words } from '../../../parts/list-columns.js';

type Row = RowOf<'GET /api/admin/orders/micro'>;

/** Seconds contracts of all people. */
export function MicroOrders() {
  const { t } = useTranslation();
  return (
    <ListPage<'/api/admin/orders/micro'>
      inside
      name="orders.micro"
      title={t('console.users.list.micro')}
      path="/api/admin/orders/micro"
      filters={[personFilter(t)]}
      columns={[
        ...leading<Row>(t),
        words('market', t('console.people.market'), ({ symbol_name: symbol }) => symbol),
        words('side', t('console.people.side'), ({ type }) =>
          t(type === 1 ? 'console.people.up' : 'console.people.down'),
        ),
        numbers('seconds', t('console.people.seconds'), ({ seconds }) => seconds),
        coins('amount', t('console.people.amount'), ({ number, currency_name: coin }) => [number, coin]),
        amounts('opened', t('console.orders.opened'), ({ open_price: price }) => price, true),
        amounts('ended', t('console.orders.ended'), ({ end_price: price }) => price, true),
        words('result', t('console.people.result'), ({ result }) => t(`console.orders.result.${result || 'running'}`)),
        amounts('profit', t('console.people.profit'), ({ fact_profits: profit }) => profit),
        times('time', t('console.people.time'), ({ create_time: at }) => at),
      ]}
      rowKey={({ id }) => id}
    />
  );
}
