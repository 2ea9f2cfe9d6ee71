import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ad, Shop } from '@bourse/contract';
import { Empty, Segmented } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { publishShopAd, useMarket } from '../../../deals/api/ads.js';
import { AdForm } from '../../../deals/ui/ad-form.js';
import { shopsChanged } from '../api/shops.js';

/** Publishes an ad of a shop: quantity, least and most are all named; a sell ad is paid from the merchant balance. */
export function Publish({ shop, onPublished }: { shop: Shop; onPublished: () => void }) {
  const { t } = useTranslation();
  const [type, setType] = useState<Ad['type']>('sell');
  const feeRate = useFeeRate(shop.currency_id);
  if (shop.status !== 1) return <Empty>{t('shops.notOpen')}</Empty>;
  return (
    <div className="mx-auto flex max-w-2xl flex-col pt-3">
      <Segmented<Ad['type']>
        className="mx-4"
        label={t('deals.sideName')}
        value={type}
        choices={(['sell', 'buy'] as const).map((value) => ({ value, label: t(`deals.side.${value}`) }))}
        onChange={setType}
      />
      <AdForm
        key={type}
        type={type}
        coin={{ id: shop.currency_id, name: shop.currency_name }}
        feeRate={feeRate}
        available={shop.merchant_balance}
        availableName={t('shops.available')}
        needsLimits
        send={async (fields, intent) => {
          const { min_number: min = '', max_number: max = '' } = fields;
          const ad = { ...fields, min_number: min, max_number: max, shop_id: shop.id };
          toastDone(await publishShopAd(ad, intent));
          shopsChanged();
          onPublished();
        }}
      />
    </div>
  );
}

/** The fee as ads on the market say it: it is one for all. Undefined where there is no ad yet. */
function useFeeRate(currency: number): string | undefined {
  const sells = useMarket('/api/legal/ads', { type: 'sell', currency_id: currency });
  const buys = useMarket('/api/legal/ads', { type: 'buy', currency_id: currency });
  return (sells.rows?.[0] ?? buys.rows?.[0])?.fee_rate;
}
