import { useTranslation } from 'react-i18next';
import type { Shop } from '@bourse/contract';
import { StagedDeals } from '../../../deals/ui/staged-deals.js';

/** Deals on the ads of a shop. */
export function ShopDeals({ shop }: { shop: Shop }) {
  const { t } = useTranslation();
  return (
    <StagedDeals
      path="/api/legal/my_deals"
      fields={{ shop_id: shop.id }}
      label={t('shops.deals')}
      empty={t('deals.noDeals')}
    />
  );
}
