import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { NEWS } from '@bourse/contract';
import { Alert } from '@bourse/ui';
import { readKept, writeKept } from '../../../prefs/kept.js';
import { useNews } from './use-news.js';

const KEY = 'popups-seen';

/**
 * The popup of category 33, then the gift of category 32, as one strip over the page that can be dismissed: each item
 * until it is closed or changes. It lies over the lower edge and moves nothing when it comes. A window before anything
 * was seen would only stand in the way.
 */
export function NewsStrip() {
  const { t } = useTranslation();
  const popup = useNews(NEWS.popup, 1)?.[0];
  const gift = useNews(NEWS.gift, 1)?.[0];
  // Undefined until it is known what was seen: nothing is shown before.
  const [seen, setSeen] = useState<readonly string[]>();
  useEffect(() => {
    readKept<string[]>(KEY).then(
      (kept) => setSeen(kept ?? []),
      (error: unknown) => {
        console.warn('news strip not remembered', error);
        setSeen([]);
      },
    );
  }, []);
  const item = seen && [popup, gift].find((news) => news && !seen.includes(`${news.id}@${news.update_time}`));
  if (!item) return null;
  const close = (): void => {
    const now = [...seen.slice(-20), `${item.id}@${item.update_time}`];
    setSeen(now);
    writeKept(KEY, now).catch((error: unknown) => console.warn('news strip not remembered', error));
  };
  return (
    <div className="sticky bottom-2 z-20 max-md:bottom-16">
      <Alert title={item.title} closeLabel={t('home.close')} onClose={close} className="shadow-lg">
        {item.abstract}{' '}
        <Link to={`/noticeDetail?id=${item.id}`} className="underline hover:text-t1">
          {t('home.readMore')}
        </Link>
      </Alert>
    </div>
  );
}
