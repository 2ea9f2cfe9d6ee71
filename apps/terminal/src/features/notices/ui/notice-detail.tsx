import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { Button, Empty, localTime, Num, Skeleton, timeOf } from '@bourse/ui';
import { ApiError, api } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { newsItem } from '../api/news.js';
import { NewsContent } from '../../../parts/news-content.js';

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
    <Link to="/noticeList" className="text-table underline hover:text-t1">
      {t('notice.back')}
    </Link>
  );
  if (item.isError || !/^\d{1,15}$/.test(id)) {
    const gone = !item.isError || item.error instanceof ApiError;
    return (
      <Empty action={gone ? back : <Button onClick={() => void item.refetch()}>{t('common.retry')}</Button>}>
        {t(gone ? 'notice.gone' : 'common.loadFailed')}
      </Empty>
    );
  }
  return (
    <article className="mx-auto flex w-full max-w-[44rem] flex-col gap-4 p-4 text-body">
      {back}
      {item.isPending ? (
        <Skeleton className="h-8 w-2/3" />
      ) : (
        <h1 className="text-last font-semibold">{item.data.title}</h1>
      )}
      {item.data && (
        <p className="text-table text-t2">
          {t('notice.updated')} <Num>{localTime(timeOf(item.data.update_time) ?? 0)}</Num>
        </p>
      )}
      {item.isPending ? (
        <Skeleton className="h-32 w-full" />
      ) : (
        <NewsContent html={item.data.content} className="prose-news flex flex-col gap-3" />
      )}
    </article>
  );
}
