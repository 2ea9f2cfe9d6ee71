import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { Ad, Shop } from '@bourse/contract';
import { Button, Empty, Panel, Skeleton } from '@bourse/ui';
import { loadInfo, useSession, useSignedIn } from '../../../core/session.js';
import { useLeave } from '../../../core/use-leave.js';
import { useLegalCoins, useMarket } from '../../../deals/api/ads.js';
import { useDealPushes } from '../../../deals/api/deals.js';
import { adTypeFor } from '../../../deals/model/ad.js';
import { AdOwner, AdTable } from '../../../deals/ui/ad-table.js';
import { dealAddress } from '../../../deals/ui/deal-table.js';
import { MarketFilters, type MarketChoice } from '../../../deals/ui/market-filters.js';
import { TakeDialog } from '../../../deals/ui/take-dialog.js';
import { choiceMoney, useMarketChoice } from '../../../deals/ui/use-market-choice.js';
import { apart, coinText } from '../../../deals/ui/words.js';
import { Failed } from '../../../parts/failed.js';
import { useSignInAddress } from '../../../parts/guest-prompt.js';
import { LinkButton } from '../../../parts/link-button.js';
import { More } from '../../../parts/more.js';
import { Note } from '../../../parts/note.js';
import { useMyShops } from '../api/shops.js';
import { DEPOSIT_COIN } from '../model/shops.js';
import { ApplyDialog } from './apply-dialog.js';
import { SHOPS_PAGE } from './frame.js';
import { ShopDialog } from './shop-dialog.js';

/** The market of the fiat shops: open to everybody; who wants to deal signs in first. */
export default function LegalTrade() {
  const { coins, failed, retry } = useLegalCoins();
  const { choice, change } = useMarketChoice(coins);
  useDealPushes();
  return (
    <div className={SHOPS_PAGE}>
      <Head />
      <Panel>
        {failed ? (
          <Failed retry={retry} />
        ) : !coins ? (
          <Skeleton className="m-4 h-24" />
        ) : (
          <>
            <MarketFilters coins={coins} choice={choice} onChange={change} />
            <Market choice={choice} />
          </>
        )}
      </Panel>
    </div>
  );
}

/** An introduction, with a link for sellers to their shop and for others to the application. */
function Head() {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const signIn = useSignInAddress();
  const isSeller = useSession((session) => session.info?.is_seller === 1);
  const { shops = [] } = useMyShops(signedIn);
  const [applying, setApplying] = useState(false);
  // The shop opened while this page was open: from now on the person is a seller.
  const opened = !isSeller && shops.some(({ status }) => status === 1);
  useEffect(() => {
    if (opened) loadInfo().catch((error: unknown) => console.warn('profile not read', error));
  }, [opened]);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div>
          <h1 className="text-last font-semibold">{t('shops.market')}</h1>
          <p className="mt-1 max-w-prose text-t2">{t('shops.lead')}</p>
        </div>
        {isSeller ? (
          <LinkButton to="/myLegalShops">{t('nav.shop')}</LinkButton>
        ) : signedIn ? (
          <Button onClick={() => setApplying(true)}>{t('shops.open')}</Button>
        ) : (
          <LinkButton to={signIn}>{t('shops.open')}</LinkButton>
        )}
      </div>
      {!isSeller && shops[0] && <Applied shop={shops[0]} />}
      {applying && <ApplyDialog shops={shops} onClose={() => setApplying(false)} />}
    </>
  );
}

/** The outcome of the newest application. */
function Applied({ shop }: { shop: Shop }) {
  const { t } = useTranslation();
  const deposit = apart(coinText(shop.deposit, DEPOSIT_COIN));
  if (shop.status === 1) return null;
  return (
    <Note tone={shop.status === 2 ? 'warn' : 'info'}>
      <p>
        {shop.status === 0
          ? t('shops.applied', { name: `\u2068${shop.name}\u2069`, deposit })
          : t(`shops.statusText.${shop.status}`)}
      </p>
    </Note>
  );
}

function Market({ choice }: { choice: MarketChoice }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const leave = useLeave();
  const signedIn = useSignedIn();
  const signIn = useSignInAddress();
  const [taken, setTaken] = useState<Ad>();
  const [visited, setVisited] = useState<number>();
  const { query, rows } = useMarket(
    '/api/legal/ads',
    {
      type: adTypeFor(choice.side),
      currency_id: choice.coin ?? 0,
      coin_code: choice.code || undefined,
      way: choice.way || undefined,
      money: choiceMoney(choice),
    },
    choice.coin !== undefined,
  );
  const take = (ad: Ad): void => (signedIn ? setTaken(ad) : void navigate(signIn));
  const seller = (ad: Ad) => (
    <button
      type="button"
      title={t('shops.visit')}
      className="rounded-chip underline-offset-4 hover:underline"
      onClick={() => setVisited(ad.shop_id)}
    >
      <AdOwner ad={ad} />
    </button>
  );
  if (query.isError && !query.data) return <Failed retry={() => void query.refetch()} />;
  return (
    <>
      <AdTable
        rows={rows}
        onTake={take}
        seller={seller}
        empty={<Empty>{t('shops.noMarket')}</Empty>}
        footer={query.data && <More query={query} />}
      />
      {visited !== undefined && (
        <ShopDialog
          id={visited}
          onClose={() => setVisited(undefined)}
          onTake={(ad) => {
            setVisited(undefined);
            take(ad);
          }}
        />
      )}
      {taken && (
        <TakeDialog ad={taken} onClose={() => setTaken(undefined)} onTaken={({ id }) => void leave(dealAddress(id))} />
      )}
    </>
  );
}
