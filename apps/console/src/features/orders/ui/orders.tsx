import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Tabs } from '@bourse/ui';
import { PageHead } from '../../../parts/detail.js';
import { LeverOrders } from './lever-orders.js';
import { MicroOrders } from './micro-orders.js';
import { SpotOrders } from './spot-orders.js';

const PRODUCTS = ['spot', 'lever', 'micro'] as const;
type Product = (typeof PRODUCTS)[number];
const LISTS = { spot: SpotOrders, lever: LeverOrders, micro: MicroOrders } satisfies Record<Product, unknown>;
const isProduct = (text: string | null): text is Product => (PRODUCTS as readonly (string | null)[]).includes(text);

/** Orders of all people by product; the address names the product and the person. */
export default function Orders() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('product');
  const product: Product = isProduct(asked) ? asked : 'spot';
  const choose = (next: Product): void => {
    const person = search.get('user_id');
    setSearch({ product: next, ...(person === null ? {} : { user_id: person }) }, { replace: true });
  };
  const List = LISTS[product];
  return (
    <>
      <PageHead title={t('place.orders')} />
      <Tabs
        label={t('place.orders')}
        tabs={PRODUCTS.map((id) => ({ id, label: t(`console.users.list.${id}`) }))}
        value={product}
        onChange={choose}
        panelClassName="pt-4"
      >
        <List key={product} />
      </Tabs>
    </>
  );
}
