import { Suspense, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { NEWS } from '@bourse/contract';
import { Button, Field } from '@bourse/ui';
import { LinkButton } from '../../../parts/link-button.js';
import { loadWithTexts } from '../../../core/i18n.js';
import { lazyScreen } from '@bourse/web';
import { pairsOf, preloadQuotations, useQuotations } from '../../../core/market.js';
import { useSignedIn } from '../../../core/session.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { preloadNews, useNews } from '../../../parts/use-news.js';
import { WhenNear } from '../../../parts/when-near.js';
import { Banner } from './banner.js';
import { Figures } from './figures.js';
import { Popups } from './popups.js';
import { Strip } from './strip.js';
import { Tiles } from './tiles.js';

const FEED_TEXT = { recorded: 'home.feedRecorded', simulated: 'home.feedSimulated' } as const;

/** Code and texts of what lies below the first screen. */
const Below = lazyScreen(() => loadWithTexts(import('./below.js'), ['front']));

/** Requests the banners and the quotations before the page is drawn. */
export function preload(): void {
  preloadNews(NEWS.banners);
  preloadQuotations();
}

export default function Home() {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const { groups } = useQuotations();
  const banners = useNews(NEWS.banners);
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4 pb-12">
      <h1 className="sr-only">{t('home.heading')}</h1>
      <div className="grid gap-4 lg:auto-rows-[minmax(19rem,auto)] lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Banner slides={banners} />
        {signedIn ? <OpenTrading /> : <RegisterBox />}
      </div>
      <Strip />
      <Tiles groups={groups} />
      <FeedLegend groups={groups} />
      <Figures />
      <div className="mt-6">
        <WhenNear place="min-h-screen">
          <Suspense fallback={<div className="min-h-screen" aria-busy="true" />}>
            <Below />
          </Suspense>
        </WhenNear>
      </div>
      <Suspense fallback={null}>
        <Popups />
      </Suspense>
    </div>
  );
}

/** The legend of the signs beside the pairs on the page. Its line is reserved before the pairs are known. */
function FeedLegend({ groups }: { groups: ReturnType<typeof useQuotations>['groups'] }) {
  const { t } = useTranslation();
  const feeds = [...new Set(pairsOf(groups).map(({ feed }) => feed))].filter((feed) => feed !== 'live');
  return (
    <p className="flex min-h-4 flex-wrap gap-x-4 gap-y-1 text-label text-t2">
      {feeds.map((feed) => (
        <span key={feed} className="inline-flex items-center gap-1.5">
          <FeedChip feed={feed} /> {t(FEED_TEXT[feed])}
        </span>
      ))}
    </p>
  );
}

/** An account typed here is carried to the registration (`haccount`). */
function RegisterBox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [account, setAccount] = useState('');
  const start = (event: FormEvent): void => {
    event.preventDefault();
    void navigate(account.trim() === '' ? '/register' : `/register?haccount=${encodeURIComponent(account.trim())}`);
  };
  return (
    <form onSubmit={start} className="flex flex-col justify-center gap-4 rounded-dialog border border-line bg-bg1 p-6">
      <h2 className="text-last font-semibold">{t('home.registerTitle')}</h2>
      <p className="text-body text-t2">{t('home.lead')}</p>
      <Field
        label={t('home.account')}
        value={account}
        maxLength={64}
        dir="ltr"
        autoComplete="email"
        onChange={(event) => setAccount(event.target.value)}
      />
      <Button kind="primary" size="main" type="submit">
        {t('home.registerButton')}
      </Button>
      <Link to="/dealCenter" className="text-body text-t2 underline hover:text-t1">
        {t('home.lookFirst')}
      </Link>
    </form>
  );
}

function OpenTrading() {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col justify-center gap-4 rounded-dialog border border-line bg-bg1 p-6">
      <h2 className="text-last font-semibold">{t('home.heading')}</h2>
      <p className="text-body text-t2">{t('home.lead')}</p>
      <LinkButton to="/dealCenter" kind="primary" size="main">
        {t('home.openTrading')}
      </LinkButton>
      <LinkButton to="/finance" size="main">
        {t('nav.assets')}
      </LinkButton>
    </div>
  );
}
