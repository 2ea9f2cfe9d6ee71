import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { NEWS, type News } from '@bourse/contract';
import { Empty, Field, Panel, Skeleton } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { Failed } from '../../../parts/failed.js';
import { newsText } from '../../../parts/news-text.js';
import { newsPage } from '../api/news.js';
import { foundArticles } from '../model/help-search.js';

/** More articles than these are not read for the search: nobody reads so many either. */
const ARTICLES_MAX = 100;

/** Articles of support and about the exchange, searched in the reader's language as one types. */
export default function Help() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [support, about] = [useArticles(NEWS.support), useArticles(NEWS.about)];
  return (
    <div className="mx-auto flex w-full max-w-[52rem] flex-col gap-4 p-4">
      <div>
        <h1 className="text-last font-semibold">{t('nav.help')}</h1>
        <p className="text-t2">{t('help.lead')}</p>
      </div>
      <Field
        type="search"
        label={t('help.search')}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Articles list={support} title={t('help.support')} typed={typed} />
      {!support.isPending && <Articles list={about} title={t('help.about')} typed={typed} />}
      {!support.isPending && !about.isPending && (
        <p className="text-center">
          <Link to="/complaints?kind=other" className="underline hover:text-t2">
            {t('help.complain')}
          </Link>
        </p>
      )}
    </div>
  );
}

const useArticles = (category: number) =>
  useQuery({
    queryKey: [...keys.news(category), 'help', current()],
    staleTime: 60_000,
    queryFn: async () => (await newsPage(api, category, 1, ARTICLES_MAX)).list,
  });

interface ArticlesProps {
  list: ReturnType<typeof useArticles>;
  title: string;
  typed: string;
}

function Articles({ list, title, typed }: ArticlesProps) {
  const { t } = useTranslation();
  const found = list.data && foundArticles(list.data, typed);
  return (
    <Panel label={title}>
      <h2 className="px-4 py-3 text-title font-semibold">{title}</h2>
      {list.isError && <Failed retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton className="m-4 h-24" />}
      {found?.length === 0 && (
        <Empty>{typed.trim() === '' ? t('notice.none') : t('help.none', { typed: typed.trim() })}</Empty>
      )}
      <ul>
        {found?.map((article) => (
          <ArticleRow key={article.id} article={article} />
        ))}
      </ul>
    </Panel>
  );
}

function ArticleRow({ article }: { article: News }) {
  return (
    <li className="border-t border-line">
      <Link
        to={`/noticeDetail?id=${article.id}`}
        className="flex flex-col px-4 py-3 hover:bg-bg2"
        {...newsText(article)}
      >
        <span className="text-button font-medium">{article.title}</span>
        <span className="text-table text-t2">{article.abstract}</span>
      </Link>
    </li>
  );
}
