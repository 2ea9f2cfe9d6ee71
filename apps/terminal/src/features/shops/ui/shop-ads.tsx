import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ad, Shop } from '@bourse/contract';
import { Badge, Button, Num, Table, type Tone } from '@bourse/ui';
import { useMyAds } from '../../../deals/api/ads.js';
import { SideChoice, type SideFilter } from '../../../deals/ui/list-choices.js';
import { Coins, coinText, Fiat, WayName } from '../../../deals/ui/words.js';
import { WithdrawAd } from '../../../deals/ui/withdraw-ad.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';

const TONES: Readonly<Record<Ad['status'], Tone>> = { 1: 'up', 2: 'plain', 3: 'info' };

/** Ads of a shop with their state; those on the shelf can be taken off. */
export function ShopAds({ shop }: { shop: Shop }) {
  const { t } = useTranslation();
  const [type, setType] = useState<SideFilter>('');
  const [withdrawn, setWithdrawn] = useState<Ad>();
  const { query, rows } = useMyAds('/api/legal/my_ads', { shop_id: shop.id, type: type || undefined });
  if (query.isError && !query.data) return <Failed retry={() => void query.refetch()} />;
  return (
    <>
      <div className="p-3">
        <SideChoice value={type} onChange={setType} />
      </div>
      <Table
        label={t('shops.ads')}
        rows={rows}
        rowKey={(ad) => String(ad.id)}
        empty={t('shops.noAds')}
        footer={query.data && <More query={query} />}
        columns={[
          { id: 'what', header: t('deals.ad'), card: 'title', className: 'py-2', cell: (ad) => <What ad={ad} /> },
          {
            id: 'left',
            header: t('deals.left'),
            end: true,
            cell: (ad) => <Coins amount={ad.surplus_number} coin={ad.currency_name} />,
          },
          {
            id: 'price',
            header: t('deals.price'),
            end: true,
            cell: (ad) => <Fiat amount={ad.price} coin={ad.coin_code} />,
          },
          {
            id: 'limits',
            header: t('deals.limitsName'),
            end: true,
            cell: (ad) => (
              <Num>{`${coinText(ad.min_number, '').trim()} – ${coinText(ad.max_number, ad.currency_name)}`}</Num>
            ),
          },
          { id: 'way', header: t('deals.way'), priority: 'wide', cell: (ad) => <WayName way={ad.way} /> },
          { id: 'time', header: t('deals.time'), cell: (ad) => <Time>{ad.create_time}</Time> },
          {
            id: 'acts',
            header: <span className="sr-only">{t('deals.acts')}</span>,
            sticky: true,
            end: true,
            cell: (ad) =>
              ad.status === 1 && (
                <Button kind="danger" size="small" onClick={() => setWithdrawn(ad)}>
                  {t('deals.withdrawAd')}
                </Button>
              ),
          },
        ]}
      />
      {withdrawn && <WithdrawAd ad={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </>
  );
}

function What({ ad }: { ad: Ad }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-center gap-2 font-medium">
      <span className={ad.type === 'buy' ? 'text-up' : 'text-down'}>{t(`deals.side.${ad.type}`)}</span>
      <Coins amount={ad.total_number} coin={ad.currency_name} />
      <Badge tone={TONES[ad.status]}>{t(`shops.adStatus.${ad.status}`)}</Badge>
    </span>
  );
}
