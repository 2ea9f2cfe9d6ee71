import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NEWS } from '@bourse/contract';
import { Button, Dialog } from '@bourse/ui';
import { readKept, writeKept } from '../../../prefs/kept.js';
import { useNews } from './use-news.js';

const KEY = 'popups-seen';

/** The popup of category 33, then the gift of category 32: each item once, until it changes. */
export function Popups() {
  const { t } = useTranslation();
  const popup = useNews(NEWS.popup, 1)?.[0];
  const gift = useNews(NEWS.gift, 1)?.[0];
  // Undefined until it is known what was seen: nothing pops up before.
  const [seen, setSeen] = useState<readonly string[]>();
  useEffect(() => {
    readKept<string[]>(KEY).then(
      (kept) => setSeen(kept ?? []),
      (error: unknown) => {
        console.warn('popups not remembered', error);
        setSeen([]);
      },
    );
  }, []);
  const item = seen && [popup, gift].find((news) => news && !seen.includes(`${news.id}@${news.update_time}`));
  if (!item) return null;
  const close = (): void => {
    const now = [...seen.slice(-20), `${item.id}@${item.update_time}`];
    setSeen(now);
    writeKept(KEY, now).catch((error: unknown) => console.warn('popup not remembered', error));
  };
  return (
    <Dialog
      open
      title={item.title}
      description={item.abstract}
      closeLabel={t('home.close')}
      onClose={close}
      actions={
        <Button kind="primary" onClick={close}>
          {t('home.close')}
        </Button>
      }
    />
  );
}
