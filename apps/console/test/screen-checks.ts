import { randomInt } from 'node:crypto';
import { call, expect, newcomer, operatorToken, read, test, upload, withBank } from '@bourse/web/testing';
import { ROUTES } from '../src/routes.js';
import { appealOf, rich } from './people.js';
import { barriers, desk, open, walk, type Desk } from './visit.js';
import { holdOperator } from './visitors.js';

/** Addresses of all screens of the console. */
export const SCREENS = ROUTES.map(({ path }) => path);
/** One screen of each kind: figures, a list, one thing, and a form. */
export const KINDS: readonly string[] = ['/', '/withdrawals', '/users/:id', '/news/new'];
/** The values of `:id` and `:name` in addresses; each object is created once for all themes and sizes. */
const THINGS: Readonly<Record<string, () => Promise<string>>> = {
  '/users/:id': once(async () => String((await applicant()).id)),
  '/kyc/:id': once(async () => String((await applicant()).id)),
  '/complaints/:id': once(async () => {
    const fields = { kind: 'deposit', subject: 'Slow', text: 'It took long.' };
    return String((await call('/api/complaint/add', fields, (await applicant()).token))['id']);
  }),
  '/appeals/:id': once(async () => {
    // Of their own: people of the demo have one deal at a time, and other tests need it.
    const [owner, taker] = [await rich('100'), await rich('100')];
    await Promise.all([withBank(owner), withBank(taker)]);
    return (await appealOf(owner, taker)).id;
  }),
  '/news/:id': once(async () => {
    const { data } = await read('/api/admin/news', await operatorToken('support1'));
    return String(data[0]?.id);
  }),
  '/catalog/:name': once(() => Promise.resolve('pairs')),
};
const applicant = once(async () => {
  const person = await newcomer();
  const [front_pic, reverse_pic] = [await upload(person.token, 'kyc'), await upload(person.token, 'kyc')];
  const papers = { name: 'Ada Lovelace', card_id: `P${randomInt(1e8, 1e9)}`, front_pic, reverse_pic };
  await call('/api/user/real_name', papers, person.token);
  return person;
});
/** Where a screen stands; what an address names must be made here. */
async function addressOf(path: string): Promise<string> {
  if (!path.includes(':')) return path;
  const thing = THINGS[path];
  if (!thing) throw new Error(`nothing to show at ${path}`);
  return path.replace(/:\w+/, await thing());
}
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/**
 * Each screen as a desk and as a phone, in both themes and from the right: white at a desk is seen in Arabic. Dark, it
 * is loaded at its address, in the others it is reached from another.
 */
export const LOOKS = [
  { theme: 'dark', locale: 'en', width: 1440 },
  { theme: 'white', locale: 'en', width: 375 },
  { theme: 'white', locale: 'ar', width: 1440 },
] as const;
/** For a `describe`: opens an operator of these looks, and gives the check of a screen: what is wrong with it. */
export function screenCheck({ theme, locale, width }: (typeof LOOKS)[number]): (path: string) => Promise<string[]> {
  let visitor: Desk;
  test.beforeAll(async () => {
    visitor = await desk({ theme, locale });
    await holdOperator(visitor.context, 'operator');
    await open(visitor, '/approvals');
  });
  test.afterAll(() => visitor.context.close());
  return async (path) => {
    const { page } = visitor;
    await page.setViewportSize({ width, height: 900 });
    const address = await addressOf(path);
    if (theme === 'dark') await open(visitor, address);
    else await walk(page, address);
    expect(
      await page.evaluate(() => [document.documentElement.dataset['theme'], document.documentElement.dir]),
    ).toEqual([theme, locale === 'ar' ? 'rtl' : 'ltr']);
    const found = await barriers(visitor);
    for (const other of [1440, 375]) {
      await page.setViewportSize({ width: other, height: 900 });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wider > 0) found.push(`${wider} px wider than ${other}`);
    }
    return [...found, ...visitor.complaints];
  };
}
