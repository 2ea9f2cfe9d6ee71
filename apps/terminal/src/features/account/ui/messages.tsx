import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { cx, Empty, localTime, Num, Panel } from '@bourse/ui';
import { readAll, useNotifications } from '../../../core/notifications/store.js';
import { PageTitle } from './parts.js';

/** What happened to the person's orders and money, newest first; what the exchange says to everybody is a link away. */
export default function Messages() {
  const { t } = useTranslation();
  const entries = useNotifications((state) => state.entries);
  // What was new when it was seen stays marked while one reads; the badge of the header goes at once.
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const unread = entries.filter(({ read }) => !read);
    if (unread.length === 0) return;
    setFresh((was) => new Set([...was, ...unread.map(({ id }) => id)]));
    readAll();
  }, [entries]);
  const isFresh = (id: string): boolean => fresh.has(id);
  const all = (
    <Link to="/noticeList" className="underline hover:text-t1">
      {t('notice.all')}
    </Link>
  );
  return (
    <>
      <PageTitle>{t('nav.messages')}</PageTitle>
      <Panel>
        {entries.length === 0 ? (
          <Empty action={all}>{t('messages.empty')}</Empty>
        ) : (
          <>
            <ul aria-label={t('nav.messages')}>
              {entries.map((entry) => (
                <li key={entry.id} className="border-b border-line">
                  <Link to={entry.to} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 hover:bg-bg2">
                    <span
                      aria-hidden
                      className={cx('size-2 rounded-full', isFresh(entry.id) ? 'bg-accent' : 'bg-transparent')}
                    />
                    <span className="min-w-0 flex-1">
                      <span className={cx('block', isFresh(entry.id) && 'font-semibold')}>
                        {t(entry.key, entry.params)}
                      </span>
                      {entry.detail && (
                        <span className="block text-table text-t2">{t(entry.detail.key, entry.detail.params)}</span>
                      )}
                    </span>
                    <Num className="text-table text-t2 max-md:w-full max-md:ps-6">{localTime(entry.at)}</Num>
                  </Link>
                </li>
              ))}
            </ul>
            <p className="p-4 text-center text-t2">{all}</p>
          </>
        )}
      </Panel>
    </>
  );
}
