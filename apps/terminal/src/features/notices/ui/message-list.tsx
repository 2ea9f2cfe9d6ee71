import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { nextPage } from '@bourse/api-client';
import type { Notice } from '@bourse/contract';
import { Button, cx, Empty, Panel, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { INBOX, inboxPage } from '../../../core/notifications/inbox.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { newsText } from '../../../parts/news-text.js';
import { Time } from '../../../parts/time.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { readAllNotices } from '../api/inbox.js';
import { previewOf } from '../model/preview.js';

const PAGE = 20;

/** Lists the person's notices, newest first, and marks unread ones; a link leads to the public notices. */
export default function MessageList() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: [...INBOX, 'pages', current()],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => inboxPage(api, pageParam, PAGE),
    getNextPageParam: nextPage,
  });
  const rows = collectRows(list.data, (page) => page.list);
  const unread = list.data?.pages[0]?.unread ?? 0;
  const marking = useMutation({
    mutationFn: () => readAllNotices(api),
    onSettled: () => queryClient.invalidateQueries({ queryKey: INBOX }),
  });
  const all = (
    <Link to="/noticeList" className="underline hover:text-t1">
      {t('notice.all')}
    </Link>
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h1 className="text-last font-semibold">{t('nav.messages')}</h1>
        {/* Two lines on a phone, with and without the button. */}
        <div className="flex min-h-7 flex-wrap items-center gap-4 text-table text-t2 max-md:w-full">
          {unread > 0 && (
            <Button size="small" busy={marking.isPending} onClick={() => marking.mutate()}>
              {t('inbox.markAll')}
            </Button>
          )}
          {all}
        </div>
      </div>
      <Panel>
        {list.isError && !rows && <Failed retry={() => void list.refetch()} />}
        {list.isPending && <Skeleton className="m-4 h-40" />}
        {rows?.length === 0 && <Empty action={all}>{t('inbox.none')}</Empty>}
        {rows && rows.length > 0 && (
          <>
            <ul aria-label={t('nav.messages')}>
              {rows.map((notice) => (
                <MessageRow key={notice.id} notice={notice} />
              ))}
            </ul>
            <More query={list} />
          </>
        )}
      </Panel>
    </>
  );
}

function MessageRow({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  const unread = notice.is_read === 0;
  return (
    <li className="border-b border-line">
      <Link
        to={`/msgDetail?id=${notice.id}`}
        className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3 hover:bg-bg2"
      >
        <span
          aria-hidden
          className={cx('keeps-colours size-2 shrink-0 rounded-full', unread ? 'bg-down' : 'bg-transparent')}
        />
        <span className="min-w-0 flex-1">
          <span className={cx('block', unread ? 'font-semibold text-t1' : 'text-t2')}>
            <span {...newsText(notice)}>{notice.title}</span>
            {unread && <span className="sr-only"> ({t('inbox.unread')})</span>}
          </span>
          <span className="block truncate text-table text-t2" {...newsText(notice)}>
            {previewOf(notice.content)}
          </span>
        </span>
        <span className="text-table text-t2 max-md:w-full max-md:ps-6">
          <Time>{notice.create_time}</Time>
        </span>
      </Link>
    </li>
  );
}
