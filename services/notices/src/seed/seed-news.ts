import { readFileSync } from 'node:fs';
import { LANGUAGES, NEWS, type Language } from '@bourse/contract';
import type { News, NoticesDatabase } from '../application/ports.js';
import type { NewsDraft, NewsText } from '../domain/news.js';

/**
 * The news items of rules §17, newest first within each category. Their texts are in `news.<language>.json` under these
 * ids.
 */
export const SEED_NEWS: readonly {
  readonly id: number;
  readonly category: number;
  readonly link: string;
  readonly cover?: string;
  readonly pinned?: boolean;
}[] = [
  { id: 1101, category: NEWS.notices, link: '' },
  { id: 1102, category: NEWS.notices, link: '' },
  { id: 1103, category: NEWS.notices, link: '' },
  { id: 3201, category: NEWS.gift, link: '' },
  { id: 3301, category: NEWS.popup, link: '' },
  { id: 3401, category: NEWS.banners, link: '/dealCenter', cover: '/pictures/banner-book.svg' },
  { id: 3402, category: NEWS.banners, link: '/register', cover: '/pictures/banner-account.svg' },
  { id: 3403, category: NEWS.banners, link: '/finanrec', cover: '/pictures/banner-ledger.svg' },
  { id: 3501, category: NEWS.strip, link: '' },
  { id: 3502, category: NEWS.strip, link: '' },
  // The fixed article of the support pages.
  { id: 3601, category: NEWS.support, link: '', pinned: true },
  { id: 3602, category: NEWS.support, link: '' },
  { id: 3603, category: NEWS.support, link: '' },
  { id: 3604, category: NEWS.support, link: '' },
  { id: 901, category: NEWS.about, link: '' },
  { id: 902, category: NEWS.about, link: '' },
  { id: 903, category: NEWS.about, link: '' },
];

/** All seeded texts of one language, by id. */
export function seedTexts(lang: Language): Readonly<Record<string, NewsText>> {
  return JSON.parse(readFileSync(new URL(`./news.${lang}.json`, import.meta.url), 'utf8')) as Record<string, NewsText>;
}

const SEEDED = 'seed.news';
const MINUTE_MS = 60_000;

/** Adds the seeded news to a demo install that has none; runs once. `now` is business time, ms. */
export async function seedNews(database: NoticesDatabase, news: News, now: number): Promise<void> {
  if ((await database.query('select 1 from meta where name = $1', [SEEDED])).length > 0) return;
  const drafts = draftsOf();
  await database.transaction(async (tx) => {
    if ((await tx.execute(`insert into meta (name, value) values ($1, 'done') on conflict do nothing`, [SEEDED])) === 0)
      return;
    for (const [place, { draft, pinned }] of drafts.entries())
      await news.add(tx, draft, { pinned, updatedAt: now - place * MINUTE_MS });
  });
}

function draftsOf(): { draft: NewsDraft; pinned: boolean }[] {
  const texts = LANGUAGES.map((lang) => [lang, seedTexts(lang)] as const);
  return SEED_NEWS.map(({ id, category, link, cover = '', pinned = false }) => ({
    pinned,
    draft: {
      id,
      category,
      cover,
      link,
      texts: Object.fromEntries(
        texts.map(([lang, byId]) => {
          const text = byId[id];
          if (!text) throw new Error(`news ${id} has no text in ${lang}`);
          return [lang, text];
        }),
      ) as NewsDraft['texts'],
    },
  }));
}
