import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { NEWS, type News } from '@bourse/contract';
import { useServerConfig } from '../core/config.js';
import { useSession } from '../core/session.js';
import { newsText } from '../parts/news-text.js';
import { useNews } from '../parts/use-news.js';
import { hasScreen } from '../paths.js';
import { supportAddress } from './addresses.js';

const LOOK = 'w-fit text-t2 hover:text-t1 hover:underline';
const READ = { about: NEWS.about, support: NEWS.support } as const;

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-button font-medium">{title}</h2>
      {children}
    </nav>
  );
}

/** A screen of ours, once it exists; anything else is a page or file of the exchange, or another site. */
function Way({ to, children }: { to: string; children: ReactNode }) {
  const screen = /^\/(?!api\/|docs$|licences\.txt$)/.test(to);
  if (screen && !hasScreen(to)) return null;
  if (screen)
    return (
      <Link to={to} className={LOOK}>
        {children}
      </Link>
    );
  return (
    <a href={to} className={LOOK} {...(/^https?:/.test(to) ? { target: '_blank', rel: 'noreferrer noopener' } : {})}>
      {children}
    </a>
  );
}

const Articles = ({ list }: { list: readonly News[] | undefined }) =>
  list?.map((item) => (
    <Way key={item.id} to={`/noticeDetail?id=${item.id}`}>
      <span {...newsText(item)}>{item.title}</span>
    </Way>
  ));

/** The lower end of public pages: articles, rules, proofs, and what developers look for. */
export default function Footer() {
  const { t } = useTranslation();
  const config = useServerConfig();
  const userId = useSession((session) => session.userId);
  const about = useNews(READ.about, 6);
  const support = useNews(READ.support, 6);
  const chat = supportAddress(config?.support_url ?? '', userId);
  // The fixed article is first in its category (api §5).
  const contract = support?.[0];
  return (
    <div className="border-t border-line bg-bg1">
      <div
        className={
          'mx-auto grid w-full max-w-[1280px] grid-cols-2 gap-x-4 gap-y-8 ' +
          'px-4 py-8 text-body md:grid-cols-3 lg:grid-cols-5'
        }
      >
        <Column title={t('front.footer.about')}>
          <Articles list={about} />
        </Column>
        <Column title={t('front.footer.support')}>
          {/* The first article is already among the rules. */}
          <Articles list={support?.slice(1)} />
          <Way to="/help">{t('nav.help')}</Way>
          <Way to="/complaints">{t('nav.complaints')}</Way>
          {chat && <Way to={chat}>{t('nav.support')}</Way>}
        </Column>
        <Column title={t('front.footer.rules')}>
          {contract && <Way to={`/noticeDetail?id=${contract.id}`}>{t('front.footer.contract')}</Way>}
          <Way to="/policy">{t('front.footer.terms')}</Way>
          <Way to="/policy#privacy">{t('front.footer.privacy')}</Way>
          <Way to="/policy#risk">{t('front.footer.risk')}</Way>
        </Column>
        <Column title={t('front.footer.proofs')}>
          <Way to="/solvency">{t('nav.solvency')}</Way>
          <Way to="/fairness">{t('nav.fairness')}</Way>
          <Way to="/status">{t('front.footer.status')}</Way>
        </Column>
        <Column title={t('front.footer.developers')}>
          <Way to="/docs">{t('front.footer.docs')}</Way>
          <Way to="/api/openapi.json">{t('front.footer.api')}</Way>
          <Way to="/api/asyncapi.json">{t('front.footer.socket')}</Way>
          {config?.source_url && <Way to={config.source_url}>{t('front.footer.source')}</Way>}
          <Way to="/licences.txt">{t('front.footer.licences')}</Way>
        </Column>
      </div>
      <p className="mx-auto w-full max-w-[1280px] px-4 pb-6 text-table text-t2">{t('front.footer.close')}</p>
    </div>
  );
}
