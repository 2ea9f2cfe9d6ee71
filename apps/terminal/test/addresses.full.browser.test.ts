import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expect, seriousBarriers, test } from '@bourse/web/testing';
import { ADDRESSES } from '../src/paths.js';
import {
  AT,
  COMPLAINTS,
  GUEST,
  PLACES,
  standAt,
  STANDS,
  tailOf,
  type ScreenExpectation,
} from './screen-expectations.js';
import { BASE, holdSession, visit, type Looks } from './browser.js';
import { giveBack, PEOPLE, prepare, sessionOf, type Person, type Things } from './install-things.js';

/** How long a page may take on an idle machine to show what it is about. */
const PAGE_MS = 4_000;
/** Screens that have nothing to show without the thing they are about. */
const ONE_THING = PLACES.filter(({ name }) =>
  ['leverRecord', 'microReceipt', 'c2cDetail', 'notice', 'message'].includes(name),
);

let things: Things;
test.beforeAll(async () => {
  things = await prepare();
});
test.afterAll(async () => {
  await giveBack();
});

/** A person's pages: several at once, each going from address to address. */
async function walk<P>(
  who: Person | undefined,
  places: readonly P[],
  look: (page: Page, place: P, complaints: string[]) => Promise<string | undefined>,
  { atOnce = 3, looks = {} }: { atOnce?: number; looks?: Looks } = {},
): Promise<string[]> {
  if (places.length === 0) return [];
  const { context, page: first } = await visit(looks);
  if (who !== undefined) await holdSession(context, sessionOf(who));
  if (who === 'trader2')
    await context.addInitScript((token) => sessionStorage.setItem('points_token', token), things.points);
  await first.close();
  const left = [...places];
  const found: string[] = [];
  const lane = async (): Promise<void> => {
    const { page, complaints } = await openPage(context);
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const wrong = await look(page, place, complaints);
      if (wrong !== undefined) found.push(wrong);
      complaints.length = 0;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, places.length) }, lane));
  await context.close();
  return found.sort();
}
async function openPage(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(testTimeoutMs(PAGE_MS));
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  return { page, complaints };
}
/** Opens an address as a link does: the page loads once, then each new address only draws its screen. */
async function go(page: Page, address: string): Promise<void> {
  if (!page.url().startsWith(BASE)) {
    await page.goto(`${BASE}${address}`);
    return;
  }
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

/** What is not there of what should stand on a screen. */
async function missing(page: Page, { heading, form, shows, also }: ScreenExpectation): Promise<string | undefined> {
  const main = page.locator('main').last();
  const name = typeof heading === 'function' ? heading(things) : heading;
  const own =
    form === undefined
      ? main.getByRole('heading', { name: name!, exact: true }).first()
      : main.getByRole('form', { name: form }).first();
  const lacks: (string | RegExp)[] = [];
  try {
    await own.waitFor();
    // What a list shows follows what the call says: both are asked until they agree.
    await eventually(async () => {
      const wanted = typeof shows === 'function' ? await shows(things) : shows;
      const text = await textOf(main);
      lacks.splice(0, lacks.length, ...wanted.filter((part) => !holds(text, part)));
      return lacks.length === 0;
    }, PAGE_MS);
    await also?.(main).first().waitFor({ state: 'attached' });
    return undefined;
  } catch (error) {
    const there = JSON.stringify((await textOf(main)).slice(0, 400));
    return `${String(form ?? name)}: ${lacks.map(String).join(', ')} (${String(error).split('\n')[0]}), but ${there}`;
  }
}
/** The text of a page without the signs that keep figures in their direction. */
const textOf = async (main: Locator): Promise<string> =>
  ((await main.textContent()) ?? '').replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ');
const holds = (text: string, part: string | RegExp): boolean =>
  typeof part === 'string' ? text.includes(part) : part.test(text);
const addressOf = (path: string, { query }: ScreenExpectation): string => `${path}${query?.(things) ?? ''}`;

test.describe('addresses', () => {
  test('each answers 200, and a person sees its own screen on it, twins the same [COVER-010]', async () => {
    const statuses = await Promise.all(
      PLACES.map(async ({ path }) => [
        path,
        (await fetch(`${BASE}${path}`, { headers: { accept: 'text/html' } })).status,
      ]),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    const wrong: string[] = [];
    for (const who of PEOPLE) {
      const mine = PLACES.filter(
        ({ name, path }) => (standAt(name, path).who ?? 'trader3') === who && !['login', 'register'].includes(name),
      );
      wrong.push(
        ...(await walk(who, mine, async (page, { name, path }, complaints) => {
          const stand = standAt(name, path);
          await go(page, addressOf(path, stand));
          const lacks = await missing(page, stand);
          if (lacks !== undefined) return `${path}: ${lacks}`;
          return complaints.length > 0 ? `${path}: ${complaints.join('; ')}` : undefined;
        })),
      );
    }
    expect(wrong).toEqual([]);
  });

  test('every screen, and every address about something of its own, has a line of its own [COVER-010]', () => {
    const names = [...new Set(PLACES.map(({ name }) => name))];
    expect(names.filter((name) => STANDS[name] === undefined)).toEqual([]);
    expect(Object.keys(AT).filter((tail) => !PLACES.some(({ path }) => tailOf(path) === tail))).toEqual([]);
    const lines = [...names.map((name) => STANDS[name]!), ...Object.values(AT)].map(
      ({ heading, form, shows }) => `${String(form ?? heading)} ${String(shows)}`,
    );
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  });

  test('a guest sees the open ones, and is led to the login from all others [COVER-011]', async () => {
    const wrong = await walk(undefined, PLACES, async (page, { name, path, guard }) => {
      const stand = GUEST[name] ?? standAt(name, path);
      await go(page, addressOf(path, stand));
      if (guard !== 'open' && guard !== 'points') {
        const led = await page.waitForURL(/\/components\/login/).then(
          () => true,
          () => false,
        );
        return led ? undefined : `${path} lets a guest in`;
      }
      const lacks = await missing(page, stand);
      return lacks === undefined ? undefined : `${path}: ${lacks}`;
    });
    expect(wrong).toEqual([]);
  });

  test('every order, deal, deposit and term leads to a complaint about itself [COMPLAINT-023]', async () => {
    const wrong: string[] = [];
    for (const who of PEOPLE)
      wrong.push(
        ...(await walk(
          who,
          COMPLAINTS.filter((one) => one.who === who),
          async (page, { address, kind, about, tab }) => {
            await go(page, address(things));
            const main = page.locator('main').last();
            if (tab !== undefined) await main.getByRole('tab', { name: tab }).click();
            const href = `/complaints?${new URLSearchParams({ kind, about: about(things) }).toString()}`;
            const link = main.locator(`a[href${tab === undefined ? '' : '^'}="${href}"]`).first();
            try {
              await link.waitFor();
              await link.click();
              const dialog = page.getByRole('dialog');
              const number = dialog.getByLabel(/^Number of the order/);
              await number.waitFor();
              const filled = [await dialog.getByRole('combobox').inputValue(), await number.inputValue()];
              return filled[0] === kind && filled[1]?.startsWith(about(things))
                ? undefined
                : `${address(things)}: the form has ${filled.join(' ')}`;
            } catch (error) {
              return `${address(things)}: no way to ${href} (${String(error).split('\n')[0]})`;
            }
          },
        )),
      );
    wrong.push(
      ...(await walk('trader3', ['/'], async (page, path) => {
        await go(page, path);
        await page.getByRole('banner').getByRole('button', { name: 'Help centre' }).click();
        await page.getByRole('menuitem', { name: 'Complaints' }).click();
        await page.getByRole('heading', { name: 'Complaints' }).waitFor();
        return undefined;
      })),
    );
    expect(wrong).toEqual([]);
  });

  for (const looks of [
    { theme: 'dark', locale: 'en' },
    { theme: 'white', locale: 'ar' },
  ] as const)
    test(`screens about one thing have no serious barrier, ${looks.theme}, ${looks.locale} [COVER-013]`, async () => {
      const wrong: string[] = [];
      for (const who of ['trader3', 'acceptor'] as const)
        wrong.push(
          ...(await walk(
            who,
            ONE_THING.filter(({ name }) => (STANDS[name]?.who ?? 'trader3') === who),
            async (page, { name, path }) => {
              const address = addressOf(path, standAt(name, path));
              await page.goto(`${BASE}${address}`);
              const main = page.locator('main').last();
              await main.getByRole('heading').first().waitFor();
              await main.locator('span[aria-hidden].block.rounded-chip.bg-bg3').first().waitFor({ state: 'detached' });
              const barriers = await seriousBarriers(page, { without: ['region'] });
              return barriers.length === 0 ? undefined : `${address}: ${barriers.join('; ')}`;
            },
            { atOnce: 2, looks },
          )),
        );
      expect(wrong).toEqual([]);
    });

  test('an unknown address answers 404 with a page that says so [COVER-012]', async () => {
    const none = [
      '/no-such-screen',
      '/dealcenter',
      '/dealCenter/',
      '/account/nothing',
      '/new_account/nothing',
      '/manage/x',
    ];
    expect(ADDRESSES.map(({ path }) => path)).not.toContain(none[0]);
    const wrong = await walk(undefined, none, async (page, path) => {
      const answer = await page.goto(`${BASE}${path}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      return answer?.status() === 404 ? undefined : `${path}: HTTP ${answer?.status()}`;
    });
    expect(wrong).toEqual([]);
  });
});
