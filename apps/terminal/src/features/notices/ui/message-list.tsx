import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { nextPage } from '@bourse/api-client';
import type { Notice } from '@bourse/contract';
import { cx, Empty, Panel, Skeleton } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { INBOX, inboxPage } from '../../../core/notifications/inbox.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';

const PAGE = 20;

/** What the person was told, newest first, unread ones in red; what is said to everybody is a link away. */
export default function MessageList() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: [...INBOX, 'pages', current()],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => inboxPage(api, pageParam, PAGE),
    getNextPageParam: nextPage,
  });
  const rows = list.data?.pages.flatMap((page) => page.list);
  const all = (
    <Link to="/noticeList" className="underline hover:text-t1">
      {t('notice.all')}
    </Link>
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="text-last font-semibold">{t('nav.messages')}</h1>
        <p className="text-table text-t2">{all}</p>
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
        className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 hover:bg-bg2"
      >
        <span aria-hidden className={cx('size-2 shrink-0 rounded-full', unread ? 'bg-down' : 'bg-transparent')} />
        <span className={cx('min-w-0 flex-1', unread && 'font-semibold text-down')}>
          {notice.title}
          {unread && <span className="sr-only"> ({t('inbox.unread')})</span>}
        </span>
        <span className="text-table text-t2 max-md:w-full max-md:ps-6">
          <Time>{notice.create_time}</Time>
        </span>
      </Link>
    </li>
  );
}
