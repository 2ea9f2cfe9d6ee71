import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { NEWS, type News } from '@bourse/contract';
import { Button, Empty, localTime, Num, Skeleton, timeOf } from '@bourse/ui';
import { isRefusal } from '@bourse/web';
import { api } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { NewsContent } from '../../../parts/news-content.js';
import { newsText } from '../../../parts/news-text.js';
import { newsItem } from '../api/news.js';

/** Categories that the help centre lists. */
const HELP: readonly number[] = [NEWS.support, NEWS.about];

/** One news item with its picture and where it leads. */
export default function NoticeDetail() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const item = useQuery({
    queryKey: [...keys.newsItem(Number(id)), current()],
    queryFn: () => newsItem(api, Number(id)),
    enabled: /^\d{1,15}$/.test(id),
  });
  const back = (
    <Link
      to={item.data && HELP.includes(item.data.c_id) ? '/help' : '/noticeList'}
      className="text-table underline hover:text-t1"
    >
      {t('notice.back')}
    </Link>
  );
  if ((item.isError && (!item.data || isRefusal(item.error))) || !/^\d{1,15}$/.test(id)) {
    const gone = !item.isError || isRefusal(item.error);
    return (
      <Empty action={gone ? back : <Button onClick={() => void item.refetch()}>{t('common.retry')}</Button>}>
        {t(gone ? 'notice.gone' : 'common.loadFailed')}
      </Empty>
    );
  }
  return (
    <article className="mx-auto flex w-full max-w-[44rem] flex-col gap-4 p-4 text-body">
      {back}
      {item.data ? <Article item={item.data} /> : <Skeleton className="h-40 w-full" />}
    </article>
  );
}

function Article({ item }: { item: News }) {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="text-last font-semibold" {...newsText(item)}>
        {item.title}
      </h1>
      <p className="text-table text-t2">
        {t('notice.updated')} <Num>{localTime(timeOf(item.update_time) ?? 0)}</Num>
      </p>
      {item.cover !== '' && (
        <img src={item.cover} alt="" className="max-h-80 w-full rounded-panel object-cover" loading="lazy" />
      )}
      <NewsContent html={item.content} {...newsText(item)} className="prose-news flex flex-col gap-3" />
      {item.link !== '' && <NewsLink to={item.link}>{t('notice.goThere')}</NewsLink>}
    </>
  );
}

/** A page of ours, or another place, which opens apart. */
function NewsLink({ to, children }: { to: string; children: string }) {
  const look = 'w-fit underline hover:text-t2';
  if (to.startsWith('/'))
    return (
      <Link to={to} className={look}>
        {children}
      </Link>
    );
  return (
    <a href={to} target="_blank" rel="noreferrer noopener" className={look}>
      {children}
    </a>
  );
}
