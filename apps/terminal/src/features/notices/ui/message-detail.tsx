import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Empty, Skeleton } from '@bourse/ui';
import { isRefusal } from '@bourse/web';
import { api, queryClient } from '../../../core/api.js';
import { current } from '../../../core/i18n.js';
import { INBOX } from '../../../core/notifications/inbox.js';
import { Failed } from '../../../parts/failed.js';
import { NewsContent } from '../../../parts/news-content.js';
import { newsText } from '../../../parts/news-text.js';
import { Time } from '../../../parts/time.js';
import { noticeKey, readNotice } from '../api/inbox.js';

const ID = /^[1-9]\d{0,14}$/;

/** One personal notice. Whoever opens it has read it. */
export default function MessageDetail() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const isId = ID.test(id);
  const notice = useQuery({
    queryKey: noticeKey(Number(id), current()),
    queryFn: () => readNotice(api, Number(id)),
    enabled: isId,
  });
  const seen = notice.data?.id;
  useEffect(() => {
    if (seen !== undefined) void queryClient.invalidateQueries({ queryKey: INBOX });
  }, [seen]);
  const back = (
    <Link to="/account/accountMessage" className="w-fit text-table underline hover:text-t1">
      {t('notice.back')}
    </Link>
  );
  if (!isId || isRefusal(notice.error))
    return (
      <div className="flex flex-col gap-4">
        <h1 className="text-last font-semibold">{t('nav.messages')}</h1>
        <Empty action={back}>{t('notice.gone')}</Empty>
      </div>
    );
  if (notice.isError && !notice.data) return <Failed retry={() => void notice.refetch()} />;
  return (
    <article className="flex max-w-[44rem] flex-col gap-4 text-body">
      {back}
      {notice.data ? (
        <>
          <h1 className="text-last font-semibold" {...newsText(notice.data)}>
            {notice.data.title}
          </h1>
          <p className="text-table text-t2">
            <Time>{notice.data.create_time}</Time>
          </p>
          <NewsContent
            html={notice.data.content}
            {...newsText(notice.data)}
            className="prose-news flex flex-col gap-3"
          />
        </>
      ) : (
        <Skeleton className="h-32 w-full" />
      )}
    </article>
  );
}
