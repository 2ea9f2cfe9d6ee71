import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { NEWS } from '@bourse/contract';
import { Button, Field, Panel, Skeleton } from '@bourse/ui';
import { LinkButton } from '../../../parts/link-button.js';
import { useServerConfig } from '../../../core/config.js';
import { pairsOf, useQuotations } from '../../../core/market.js';
import { useSignedIn } from '../../../core/session.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { Banner } from './banner.js';
import { NewsStrip } from './news-strip.js';
import { Tiles } from './tiles.js';
import { useNews } from './use-news.js';

const FEED_TEXT = { recorded: 'home.feedRecorded', simulated: 'home.feedSimulated' } as const;
const FACTS = ['Book', 'Money', 'Open', 'Languages'] as const;

export default function Home() {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const { groups } = useQuotations();
  const banners = useNews(NEWS.banners, 5);
  const strip = useNews(NEWS.strip, 5);
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4">
      <h1 className="sr-only">{t('home.heading')}</h1>
      <div className="grid gap-4 lg:grid-cols-[1fr_22rem]">
        <Banner slides={banners} />
        {signedIn ? <OpenTrading /> : <RegisterBox />}
      </div>
      <Tiles groups={groups} />
      <FeedLegend groups={groups} />
      <div
        className={
          'flex min-h-10 items-center justify-between gap-4 rounded-panel ' + 'border border-line bg-bg1 px-4 text-body'
        }
      >
        {strip === undefined ? (
          <Skeleton className="h-4 w-1/2" />
        ) : strip[0] ? (
          <Link to={`/noticeDetail?id=${strip[0].id}`} className="truncate hover:underline">
            {strip[0].title}
          </Link>
        ) : (
          <span />
        )}
        <Link to="/noticeList" className="shrink-0 text-t2 underline hover:text-t1">
          {t('home.seeAll')}
        </Link>
      </div>
      <section aria-label={t('home.factsTitle')} className="grid gap-3 md:grid-cols-2 xl:grid-cols-4">
        {FACTS.map((fact) => (
          <Panel key={fact} className="flex flex-col gap-2 p-4">
            <h2 className="text-title font-semibold">{t(`home.fact${fact}Title`)}</h2>
            <p className="text-body text-t2">{t(`home.fact${fact}`)}</p>
          </Panel>
        ))}
      </section>
      <Downloads />
      <Footer />
      <NewsStrip />
    </div>
  );
}

/** What the signs beside the pairs mean: only those that stand on the page. */
function FeedLegend({ groups }: { groups: ReturnType<typeof useQuotations>['groups'] }) {
  const { t } = useTranslation();
  const feeds = [...new Set(pairsOf(groups).map(({ feed }) => feed))].filter((feed) => feed !== 'live');
  if (feeds.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-label text-t2">
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
    </div>
  );
}

/** Shown only where the operator has named the addresses of the apps. */
function Downloads() {
  const { t } = useTranslation();
  const app = useServerConfig()?.app;
  if (!app?.ios && !app?.android) return null;
  return (
    <section aria-label={t('home.download')} className="flex gap-3">
      {app.ios && (
        <a
          href={app.ios}
          rel="noreferrer noopener"
          className="rounded-panel border border-line-strong px-4 py-2 text-button hover:bg-bg3"
        >
          {t('home.iphone')}
        </a>
      )}
      {app.android && (
        <a
          href={app.android}
          rel="noreferrer noopener"
          className="rounded-panel border border-line-strong px-4 py-2 text-button hover:bg-bg3"
        >
          {t('home.android')}
        </a>
      )}
    </section>
  );
}

function Footer() {
  const { t } = useTranslation();
  const about = useNews(NEWS.about, 5);
  const support = useNews(NEWS.support, 5);
  return (
    <footer className="grid grid-cols-2 gap-4 border-t border-line py-6 text-body md:grid-cols-4">
      {[
        { title: t('home.about'), list: about },
        { title: t('home.support'), list: support },
      ].map(({ title, list }) => (
        <nav key={title} aria-label={title} className="flex flex-col gap-2">
          <h2 className="text-button font-medium">{title}</h2>
          {list?.map((item) => (
            <Link key={item.id} to={`/noticeDetail?id=${item.id}`} className="text-t2 hover:text-t1">
              {item.title}
            </Link>
          ))}
        </nav>
      ))}
    </footer>
  );
}
