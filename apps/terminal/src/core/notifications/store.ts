import i18next from 'i18next';
import { create } from 'zustand';
import { readKept, writeKept } from '../../prefs/kept.js';
import { current } from '../i18n.js';
import { showToast, toastDone } from '@bourse/web';
import { withEntry, type Entry, type News } from './entries.js';

/** Events of the signed-in person, newest first. They survive a reload and belong to one person each. */
export const useNotifications = create<{ entries: readonly Entry[] }>()(() => ({ entries: [] }));

/** How long messages of fills and money are shown: long enough to read two lines of figures. */
const SHOWN_MS = 8_000;
let owner: string | undefined;
const keyOf = (user: string): string => `notifications.${user}`;

/** Loads what was kept of a person; undefined empties the list at sign-out. */
export async function openNotifications(user: string | undefined): Promise<void> {
  owner = user;
  useNotifications.setState({ entries: [] });
  if (user === undefined) return;
  const kept = await readKept<readonly Entry[]>(keyOf(user)).catch((error: unknown) => {
    console.warn('notifications not read', error);
    return undefined;
  });
  // Events that arrived during the read go on top; another person may have signed in meanwhile.
  if (owner !== user || !kept) return;
  const now = useNotifications.getState().entries;
  const older = kept.filter((entry) => !now.some(({ id }) => id === entry.id));
  useNotifications.setState({ entries: [...now, ...older] });
}

/** The toast of an entry, in the language of now. A second one of the same id takes its place. */
export function toastNews(news: News): void {
  const text = (part: { key: string; params: Readonly<Record<string, string>> }): string =>
    i18next.t(part.key, { ...part.params, lng: current() });
  showToast({
    id: news.id,
    tone: news.tone,
    text: text(news),
    ...(news.detail ? { detail: text(news.detail) } : {}),
    leavesAfterMs: news.tone === 'error' ? undefined : SHOWN_MS,
    to: news.to,
  });
}

/** Shows a message now, and keeps it in the list of messages. */
export function notify(news: News): void {
  toastNews(news);
  keep(withEntry(useNotifications.getState().entries, { ...news, at: Date.now() }));
}

/** The answer to what the person did: a toast, unless a push has reported more before the answer came. */
export function toastAnswer(id: string, message: string): void {
  if (!useNotifications.getState().entries.some((entry) => entry.id === id)) toastDone(message, id);
}

function keep(entries: readonly Entry[]): void {
  useNotifications.setState({ entries });
  if (owner !== undefined)
    writeKept(keyOf(owner), entries).catch((error: unknown) => console.warn('notifications not kept', error));
}
