import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys, nextPage } from '@bourse/api-client';
import { NEWS } from '@bourse/contract';
import { Button, Empty, localTime, Num, Panel, Skeleton, timeOf } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { newsPage } from '../api/news.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { newsText } from '../../../parts/news-text.js';

/** Titles with the time of their last change; twenty at a time. */
export default function NoticeList() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: [...keys.news(NEWS.notices), 'pages', current()],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => newsPage(api, NEWS.notices, pageParam),
    getNextPageParam: nextPage,
  });
  const rows = collectRows(list.data, (page) => page.list);
  return (
    <div className="mx-auto w-full max-w-[52rem] p-4">
      <h1 className="mb-4 text-last font-semibold">{t('notice.title')}</h1>
      <Panel>
        {list.isError && (
          <Empty action={<Button onClick={() => void list.refetch()}>{t('common.retry')}</Button>}>
            {t('common.loadFailed')}
          </Empty>
        )}
        {list.isPending && (
          <div className="flex flex-col gap-3 p-4">
            {[0, 1, 2].map((row) => (
              <Skeleton key={row} className="h-6 w-full" />
            ))}
          </div>
        )}
        {rows?.length === 0 && <Empty>{t('notice.none')}</Empty>}
        <ul>
          {rows?.map((row) => (
            <li key={row.id} className="border-b border-line last:border-0">
              <Link
                to={`/noticeDetail?id=${row.id}`}
                className="flex flex-wrap justify-between gap-x-4 px-4 py-3 hover:bg-bg2"
              >
                <span className="text-button" {...newsText(row)}>
                  {row.title}
                </span>
                <span className="text-table text-t2">
                  <Num>{localTime(timeOf(row.update_time) ?? 0)}</Num>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
      <div className="p-4 text-center text-table text-t2">
        {list.hasNextPage ? (
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('notice.loadMore')}
          </Button>
        ) : (
          rows && rows.length > 0 && t('notice.noMore')
        )}
      </div>
    </div>
  );
}
