import { useEffect, useState } from 'react';
import { NEWS, type News } from '@bourse/contract';
import { lazyScreen } from '@bourse/web';
import { useSession } from '../../../core/session.js';
import { readKept, writeKept } from '../../../prefs/kept.js';
import { useNews } from '../../../parts/use-news.js';
import { popupOf, withSeen } from '../model/popups.js';

const GUEST = 'popups-seen';
const keyOf = (userId: string | null): string => (userId === null ? GUEST : `${GUEST}:${userId}`);
const warn = (error: unknown): void => console.warn('popups not remembered', error);

/** Its code comes with the first item that is shown. */
const Popup = lazyScreen<{ item: News; onClose: () => void }>(() => import('./popup.js'));

const ACTS = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/** Whether the person has done anything on this page yet: who has not looked around is shown nothing over it. */
function useFirstAct(): boolean {
  const [acted, setActed] = useState(false);
  useEffect(() => {
    if (acted) return undefined;
    const act = (): void => setActed(true);
    for (const name of ACTS) addEventListener(name, act, { once: true, passive: true });
    return () => {
      for (const name of ACTS) removeEventListener(name, act);
    };
  }, [acted]);
  return acted;
}

/**
 * The popup of category 33 or the gift of category 32, each once for a person: until it is closed, or changes. What was
 * closed before signing in stays closed for the person who signs in.
 */
export function Popups() {
  const userId = useSession((session) => session.userId);
  const popup = useNews(NEWS.popup, 1)?.[0];
  const gift = useNews(NEWS.gift, 1)?.[0];
  // Undefined until it is known what was seen: nothing is shown before. One item for each visit of the page.
  const [seen, setSeen] = useState<readonly string[]>();
  const [closed, setClosed] = useState(false);
  const present = useFirstAct();
  useEffect(() => {
    let gone = false;
    Promise.all([...new Set([GUEST, keyOf(userId)])].map((key) => readKept<string[]>(key))).then(
      (kept) => gone || setSeen(kept.flatMap((marks) => marks ?? [])),
      (error: unknown) => {
        warn(error);
        if (!gone) setSeen([]);
      },
    );
    return () => {
      gone = true;
    };
  }, [userId]);
  const item = seen && present && !closed ? popupOf([popup, gift], seen) : undefined;
  if (!item) return null;
  const close = (): void => {
    // It goes once it is remembered: who leaves the page at once would otherwise meet it again at the next visit.
    readKept<string[]>(keyOf(userId))
      .then((own) => writeKept(keyOf(userId), withSeen(own ?? [], item)))
      .catch(warn)
      .finally(() => setClosed(true));
  };
  return <Popup item={item} onClose={close} />;
}
