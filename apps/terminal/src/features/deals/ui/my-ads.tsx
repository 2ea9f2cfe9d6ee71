import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ad } from '@bourse/contract';
import { Button, Empty, Table } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { LinkButton } from '../../../parts/link-button.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { useMyAds } from '../../../deals/api/ads.js';
import { CoinChoice, SideChoice, type SideFilter } from '../../../deals/ui/list-choices.js';
import { Coins, Fiat, WayName } from '../../../deals/ui/words.js';
import { WithdrawAd } from '../../../deals/ui/withdraw-ad.js';
import { AdDeals } from './ad-deals.js';

/** One's own ads on the shelf: withdraw one, see who took it, and the way to what is completed. */
export function MyAds() {
  const { t } = useTranslation();
  const [type, setType] = useState<SideFilter>('');
  const [currency, setCurrency] = useState(0);
  const [asked, setAsked] = useState<{ what: 'withdraw' | 'deals'; ad: Ad } | undefined>();
  const { query, rows } = useMyAds('/api/c2c/seller_trade', {
    type: type || undefined,
    currency_id: currency || undefined,
  });
  const close = (): void => setAsked(undefined);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 p-3">
        <SideChoice value={type} onChange={setType} />
        <CoinChoice value={currency} onChange={setCurrency} />
        <LinkButton to={`/c2cRecord${currency === 0 ? '' : `?id=${currency}`}`} size="small" kind="quiet">
          {t('deals.records')}
        </LinkButton>
      </div>
      {query.isError && !query.data ? (
        <Failed retry={() => void query.refetch()} />
      ) : (
        <Table
          label={t('deals.tab.ads')}
          rows={rows}
          rowKey={(ad) => String(ad.id)}
          empty={
            <Empty
              action={
                <LinkButton to="/c2cRelease" size="small">
                  {t('deals.release')}
                </LinkButton>
              }
            >
              {t('deals.noOwnAds')}
            </Empty>
          }
          footer={rows && rows.length > 0 && <More query={query} />}
          columns={[
            {
              id: 'what',
              header: t('deals.ad'),
              card: 'title',
              className: 'py-2 card-whole',
              cell: (ad) => (
                <span className="flex gap-2 font-medium">
                  <span className={ad.type === 'buy' ? 'text-up' : 'text-down'}>{t(`deals.side.${ad.type}`)}</span>
                  <Coins amount={ad.total_number} coin={ad.currency_name} />
                </span>
              ),
            },
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
            { id: 'way', header: t('deals.way'), cell: (ad) => <WayName way={ad.way} /> },
            {
              id: 'time',
              header: t('deals.time'),
              priority: 'wide',
              cell: (ad) => <Time>{ad.create_time}</Time>,
            },
            {
              id: 'acts',
              header: <span className="sr-only">{t('deals.acts')}</span>,
              sticky: true,
              className: 'card-whole',
              end: true,
              cell: (ad) => (
                <span className="inline-flex gap-2 py-1 max-md:flex">
                  <Button className="max-md:h-11 max-md:grow" onClick={() => setAsked({ what: 'deals', ad })}>
                    {t('deals.viewDeals')}
                  </Button>
                  <Button
                    kind="danger"
                    className="max-md:h-11 max-md:grow"
                    onClick={() => setAsked({ what: 'withdraw', ad })}
                  >
                    {t('deals.withdrawAd')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {asked?.what === 'withdraw' && <WithdrawAd ad={asked.ad} onClose={close} />}
      {asked?.what === 'deals' && <AdDeals ad={asked.ad} onClose={close} />}
    </>
  );
}
