import { DEMO_PEOPLE, LANGUAGES } from '@bourse/contract';
import type { MessageTexts } from '../domain/notice.js';
import type { NoticeStore } from '../application/notice-ports.js';
import type { NoticesDatabase } from '../application/ports.js';
import { seedTexts } from './seed-news.js';

const SEEDED = 'seed.notices';
/** The news whose words it has. */
const WELCOME = '1101';

/** Writes each of the demo people one unread notice, in all languages (rules §17), once. `now`: business time, ms. */
export async function seedNotices(database: NoticesDatabase, store: NoticeStore, now: number): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await tx.execute(`insert into meta (name, value) values ($1, 'done') on conflict do nothing`, [SEEDED])) === 0)
      return;
    const people = DEMO_PEOPLE.filter(({ cannotSignIn }) => !cannotSignIn);
    const texts = welcome();
    await store.add(
      tx,
      people.map(({ id: userId }) => ({
        userId,
        source: 'seed:welcome',
        kind: 'message',
        params: {},
        texts,
        link: '',
        at: now,
      })),
    );
  });
}

function welcome(): MessageTexts {
  return Object.fromEntries(
    LANGUAGES.map((lang) => {
      const text = seedTexts(lang)[WELCOME];
      if (!text) throw new Error(`news ${WELCOME} has no text in ${lang}`);
      return [lang, { title: text.title, content: text.content }];
    }),
  );
}
