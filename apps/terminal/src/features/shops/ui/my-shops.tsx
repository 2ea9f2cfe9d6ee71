import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Button, Empty, Panel, Segmented, Skeleton, Tabs } from '@bourse/ui';
import { feed } from '../../../core/feed.js';
import { useLegalCoins } from '../../../deals/api/ads.js';
import { useDealPushes } from '../../../deals/api/deals.js';
import { Failed } from '../../../parts/failed.js';
import { LinkButton } from '../../../parts/link-button.js';
import { shopsChanged, useMyShops } from '../api/shops.js';
import { firstShown, freeCoins } from '../model/shops.js';
import { ApplyDialog } from './apply-dialog.js';
import { SHOPS_PAGE } from './frame.js';
import { Publish } from './publish.js';
import { ShopAds } from './shop-ads.js';
import { ShopDeals } from './shop-deals.js';
import { ShopHead } from './shop-head.js';

const TABS = ['ads', 'publish', 'deals'] as const;
type Tab = (typeof TABS)[number];

/** One's shops: state and balance, ads, deals. For sellers. */
export default function MyShops() {
  const { t } = useTranslation();
  const { shops, failed, retry } = useMyShops();
  const { coins = [] } = useLegalCoins();
  const [query, setQuery] = useSearchParams();
  const [applying, setApplying] = useState(false);
  useDealPushes();
  useEffect(() => feed.on('balance_update', shopsChanged), []);
  const shop = shops && (shops.find(({ id }) => String(id) === query.get('shop')) ?? firstShown(shops));
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'ads';
  const show = (part: { shop?: string; tab?: Tab }): void =>
    setQuery({ ...(shop && { shop: String(shop.id) }), tab, ...part }, { replace: true });
  return (
    <div className={SHOPS_PAGE}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 className="text-last font-semibold">{t('nav.shop')}</h1>
        <div className="flex flex-wrap gap-2">
          <LinkButton to="/legalTrade" size="small">
            {t('shops.market')}
          </LinkButton>
          {shops && freeCoins(coins, shops).length > 0 && (
            <Button size="small" onClick={() => setApplying(true)}>
              {t('shops.open')}
            </Button>
          )}
        </div>
      </div>
      {shops && shops.length > 1 && (
        <Segmented
          label={t('nav.shop')}
          value={String(shop?.id ?? '')}
          choices={shops.map(({ id, name, currency_name: coin }) => ({
            value: String(id),
            label: `${name} · ${coin}`,
          }))}
          onChange={(id) => show({ shop: id })}
        />
      )}
      {failed ? (
        <Failed retry={retry} />
      ) : !shops ? (
        <Skeleton className="h-96 w-full" />
      ) : !shop ? (
        <Empty>{t('shops.none')}</Empty>
      ) : (
        <>
          <ShopHead key={shop.id} shop={shop} />
          <Panel>
            <Tabs<Tab>
              label={shop.name}
              value={tab}
              onChange={(next) => show({ tab: next })}
              panelClassName="outline-none"
              tabs={TABS.map((id) => ({ id, label: t(id === 'publish' ? 'deals.release' : `shops.${id}`) }))}
            >
              {tab === 'ads' ? (
                <ShopAds key={shop.id} shop={shop} />
              ) : tab === 'publish' ? (
                <Publish key={shop.id} shop={shop} onPublished={() => show({ tab: 'ads' })} />
              ) : (
                <ShopDeals key={shop.id} shop={shop} />
              )}
            </Tabs>
          </Panel>
        </>
      )}
      {applying && shops && <ApplyDialog shops={shops} onClose={() => setApplying(false)} />}
    </div>
  );
}
