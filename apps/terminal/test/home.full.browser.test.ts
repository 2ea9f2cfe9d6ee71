import type { Page } from '@playwright/test';
import { expect, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, demoSession, visit } from './browser.js';

interface Item {
  readonly id: number;
  readonly title: string;
  readonly link: string;
}
const newsOf = async (category: number): Promise<Item[]> => {
  const body = new URLSearchParams({ c_id: String(category), page: '1' });
  const answer = (await (await fetch(`${BASE}/api/news/list`, { method: 'POST', body })).json()) as {
    message: { list: Item[] };
  };
  return answer.message.list;
};
const message = async (path: string): Promise<Record<string, unknown>> =>
  ((await (await fetch(`${BASE}${path}`)).json()) as { message: Record<string, unknown> }).message;
const carousel = (page: Page) => page.getByRole('region', { name: 'News' });
const shownSlide = (page: Page) => carousel(page).locator('button[aria-current=true]').getAttribute('aria-label');
/** The first key draws what lies below, once the page listens. */
const toTheEnd = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor({ state: 'attached' });
  await page.keyboard.press('Shift');
  await page.getByRole('navigation', { name: 'Rules' }).waitFor();
};
/** Pointer and focus leave the slides. */
const leave = async (page: Page): Promise<void> => {
  await page.mouse.move(1, 700);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
};

test.describe('slides', () => {
  test('five seconds each, in a loop; they rest under the pointer and on request [HOME-010]', async () => {
    const { page } = await visit();
    const count = (await newsOf(34)).length;
    expect(count).toBeGreaterThanOrEqual(2);
    await page.clock.install();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(`${BASE}/`);
    await carousel(page).getByRole('button', { name: 'Stop the slides' }).click();
    await carousel(page)
      .getByRole('button', { name: `Slide 1 of ${count}` })
      .click();
    await page.clock.pauseAt(Date.now() + 600_000);
    await carousel(page).getByRole('button', { name: 'Start the slides' }).click();
    await leave(page);
    for (let slide = 2; slide <= count + 1; slide++) {
      await page.clock.runFor(5_000);
      expect(await shownSlide(page)).toBe(`Slide ${((slide - 1) % count) + 1} of ${count}`);
    }
    await carousel(page).hover();
    await page.clock.runFor(15_000);
    expect(await shownSlide(page)).toBe(`Slide 1 of ${count}`);
    await carousel(page).getByRole('button', { name: 'Stop the slides' }).click();
    await leave(page);
    await page.clock.runFor(15_000);
    expect(await shownSlide(page)).toBe(`Slide 1 of ${count}`);
  });

  test('with reduced motion they stop; arrow keys move them [HOME-010]', async () => {
    const { page } = await visit();
    const count = (await newsOf(34)).length;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${BASE}/`);
    const start = carousel(page).getByRole('button', { name: 'Start the slides' });
    await start.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await shownSlide(page)).toBe(`Slide ${count} of ${count}`);
    await page.keyboard.press('ArrowRight');
    expect(await shownSlide(page)).toBe(`Slide 1 of ${count}`);
  });

  test('news without a translation is marked as English [NEWS-007]', async () => {
    const { page } = await visit({ locale: 'ar' });
    await page.route('**/api/news/list*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { message: { list: { lang: string }[] } };
      const untranslated = answer.message.list.map((item) => ({ ...item, lang: 'en', title: 'Harbour lights' }));
      await route.fulfill({ response, json: { ...answer, message: { ...answer.message, list: untranslated } } });
    });
    await page.goto(`${BASE}/`);
    const title = page.getByRole('heading', { name: 'Harbour lights' }).first();
    await title.waitFor();
    expect(await title.evaluate((element) => [element.getAttribute('lang'), element.getAttribute('dir')])).toEqual([
      'en',
      'ltr',
    ]);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ar');
  });

  test('each opens the link of its news [HOME-011]', async () => {
    const { page } = await visit();
    const slides = await newsOf(34);
    await page.goto(`${BASE}/`);
    await carousel(page).getByRole('group').first().waitFor();
    const links = await carousel(page)
      .locator('[role=group] a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(
      slides.slice(0, 5).map(({ id, link }) => (/^(\/(?!\/)|https:\/\/)/.test(link) ? link : `/noticeDetail?id=${id}`)),
    );
  });
});

test.describe('figures', () => {
  test('equal the answers of the calls, and link to the pages that verify them [HOME-012]', async () => {
    const { page } = await visit();
    const answered: Record<string, unknown>[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/api/status')
        response.json().then(
          (body: { message: Record<string, unknown> }) => answered.push(body.message),
          () => undefined,
        );
    });
    await page.goto(`${BASE}/`);
    const figures = page.getByTestId('figures').locator('> a');
    await page
      .getByTestId('figures')
      .getByText(/^\d+ ms$/)
      .waitFor();
    expect(await figures.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      '/allmarket',
      '/allmarket',
      '/dealCenter',
      '/status',
      '/status',
      '/solvency',
    ]);
    const plain = async (at: number): Promise<string> =>
      ((await figures.nth(at).locator('span').nth(1).textContent()) ?? '').replaceAll(',', '');
    await page.waitForFunction(() => !document.querySelector('[data-testid=figures] [class*=animate]'));
    const shown = [await plain(0), await plain(1), await plain(2)];
    expect(answered.map((told) => [told['markets'], told['volume_24h'], told['trades_today']])).toContainEqual([
      Number(shown[0]),
      expect.stringMatching(new RegExp(`^${shown[1]}(\\.|$)`)),
      Number(shown[2]),
    ]);
    await figures
      .nth(4)
      .getByText(`Rules checked: ${String(answered[0]?.['audit_checks'])}`)
      .waitFor();
    const proof = (await message('/api/solvency/latest')) as unknown as {
      currencies: { currency: string; liabilities: string; assets: string }[];
    };
    const least = Math.min(
      ...proof.currencies
        .filter(({ liabilities }) => Number(liabilities) > 0)
        .map(({ assets, liabilities }) => Math.floor((Number(assets) / Number(liabilities)) * 10_000) / 100),
    );
    expect(Number(/[\d.]+/.exec(await plain(5))?.[0])).toBeCloseTo(least, 1);
  });
});

test.describe('ways in', () => {
  test('the box opens the sign-up with the account in it; signed-in people get the markets [HOME-014]', async () => {
    const { page } = await visit();
    for (const [typed, field] of [
      ['stranger@harbour.example', 'E-mail address'],
      ['5550177001', 'Phone number'],
    ] as const) {
      await page.goto(`${BASE}/`);
      const box = page.locator('main form');
      await box.getByLabel('E-mail or phone').fill(` ${typed} `);
      await box.getByRole('button', { name: 'Register' }).click();
      await page.waitForURL(`${BASE}/register?haccount=${encodeURIComponent(typed)}`);
      await page.getByRole('heading', { name: 'Create an account' }).waitFor();
      expect(await page.getByRole('textbox', { name: field }).inputValue()).toBe(typed);
    }
    const { page: own, context } = await visit();
    await holdSession(context, await demoSession('trader3@demo.bourse'));
    await own.goto(`${BASE}/`);
    const main = own.getByRole('main');
    expect(await main.getByRole('link', { name: 'Open trading' }).getAttribute('href')).toBe('/dealCenter');
    expect(await main.getByRole('link', { name: 'Assets' }).getAttribute('href')).toBe('/finance');
    expect(await main.locator('form').count()).toBe(0);
  });

  test('both lines of the strip, and the notices in its menu, lead to their articles [HOME-015]', async () => {
    const { page } = await visit();
    const [lines, notices] = await Promise.all([newsOf(35), newsOf(11)]);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(notices.length).toBeGreaterThan(0);
    await page.goto(`${BASE}/`);
    const strip = page.getByRole('region', { name: 'Notices' });
    await strip.getByRole('link', { name: lines[1]!.title }).waitFor();
    expect(
      await strip
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')])),
    ).toEqual(lines.slice(0, 2).map(({ id, title }) => [title, `/noticeDetail?id=${id}`]));
    await strip.getByRole('button', { name: 'Notices' }).click();
    const items = page.getByRole('menuitem');
    await items.filter({ hasText: 'See all notices' }).waitFor();
    expect(await items.allTextContents()).toEqual([
      ...notices.slice(0, 5).map(({ title }) => title),
      'See all notices',
    ]);
    await items.first().click();
    await page.waitForURL(`${BASE}/noticeDetail?id=${notices[0]!.id}`);
    await page.getByRole('heading', { name: notices[0]!.title }).waitFor();
  });

  test('six tiles show the first six pairs with their prices, and lead to their markets [HOME-016]', async () => {
    const { page } = await visit();
    const told = (await message('/api/currency/quotation_new')) as unknown as {
      quotation: { symbol: string; legal_id: number; currency_id: number; now_price: string }[];
    }[];
    const pairs = told.flatMap(({ quotation }) => quotation).slice(0, 6);
    expect(pairs).toHaveLength(6);
    await page.goto(`${BASE}/`);
    const tiles = page.getByRole('region', { name: 'Markets at a glance' }).getByRole('link');
    await tiles.nth(5).waitFor();
    expect(await tiles.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
      pairs.map(({ legal_id, currency_id }) => `/dealCenter?legalId=${legal_id}&currencyId=${currency_id}`),
    );
    for (const [at, { symbol, now_price: price }] of pairs.entries()) {
      const tile = tiles.nth(at);
      const [name, shown] = await tile
        .locator('bdi, span > span')
        .first()
        .evaluate((element) => {
          const link = element.closest('a')!;
          return [link.children[0]!.textContent, link.children[1]!.textContent];
        });
      expect(name).toContain(symbol);
      // Prices move between the call and the page, but not by a tenth.
      expect(Math.abs(Number(shown!.replace(/[^\d.]/g, '')) / Number(price) - 1)).toBeLessThan(0.1);
      expect(await tile.textContent()).toMatch(/≈ \$[\d,.]+.*%/);
      // The line of the last day is drawn.
      await tile.locator('svg path[d^="M"]').waitFor({ state: 'attached' });
    }
  });

  test('features and proofs link to their screens and files [HOME-017]', async () => {
    const { page } = await visit();
    await page.goto(`${BASE}/`);
    await toTheEnd(page);
    const hrefs = (name: string): Promise<(string | null)[]> =>
      page
        .getByRole('region', { name })
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    await page.getByRole('heading', { name: 'What you can do here' }).waitFor();
    expect(await hrefs('What you can do here')).toEqual([
      '/dealCenter',
      '/leverdealCenter',
      '/secondsOrder',
      '/c2cTrade',
      '/legalTrade',
      '/manage',
    ]);
    const proofs = await hrefs('What is proved, and how you check it');
    expect(proofs).toEqual(['/solvency', '/finanrec', '/fairness', '/api/openapi.json']);
    for (const path of proofs) expect([path, (await fetch(`${BASE}${path!}`)).status]).toEqual([path, 200]);
  });

  test('pictures show the terminal in the theme of the visitor, and follow its switch [HOME-018]', async () => {
    const { page } = await visit({ theme: 'dark' });
    await page.goto(`${BASE}/`);
    await toTheEnd(page);
    const pictures = page.getByRole('region', { name: 'How it looks inside' });
    const shown = async (address: string): Promise<void> => {
      const picture = pictures.locator(`img[src="${address}"]`);
      await picture.scrollIntoViewIfNeeded();
      await page.waitForFunction(
        (src) => (document.querySelector<HTMLImageElement>(`main img[src="${src}"]`)?.naturalWidth ?? 0) > 0,
        address,
      );
      expect(await picture.getAttribute('alt')).toMatch(/\S{3}/);
    };
    await shown('/pictures/spot-dark.webp');
    await page.getByRole('switch', { name: 'White theme' }).click();
    await shown('/pictures/spot-white.webp');
    for (const [tab, name] of [
      ['C2C', 'c2c'],
      ['Proof of solvency', 'proof'],
    ] as const) {
      await pictures.getByRole('tab', { name: tab }).click();
      await shown(`/pictures/${name}-white.webp`);
    }
    await page.getByRole('switch', { name: 'White theme' }).click();
    await shown('/pictures/proof-dark.webp');
  });
});

test.describe('popups', () => {
  test('the notice, at the next visit the gift, then none; none covers the page [HOME-013]', async () => {
    const { page } = await visit();
    const [[popup], [gift]] = await Promise.all([newsOf(33), newsOf(32)]);
    for (const item of [popup!, gift!]) {
      await page.goto(`${BASE}/`);
      const dialog = page.getByRole('dialog');
      // Nothing comes over the page before the person has done anything on it.
      await page
        .getByTestId('figures')
        .getByText(/^\d+ ms$/)
        .waitFor();
      expect(await dialog.count()).toBe(0);
      await page.mouse.move(200, 300);
      await dialog.getByRole('heading', { name: item.title }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(1);
      expect(await page.locator('dialog[open]').count()).toBe(0);
      expect(await seriousBarriers(page, { without: ['region'] })).toEqual([]);
      await dialog.getByRole('button', { name: 'Got it' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.goto(`${BASE}/`);
    await page
      .getByTestId('figures')
      .getByText(/^\d+ ms$/)
      .waitFor();
    await page.mouse.move(200, 300);
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test.describe('the page frame', () => {
  test('the footer leads to rules and proofs; the fixed article is the contract [FRONT-003]', async () => {
    const { page } = await visit();
    const support = await newsOf(36);
    await page.goto(`${BASE}/`);
    await toTheEnd(page);
    const rules = page.getByRole('navigation', { name: 'Rules' });
    expect(await rules.getByRole('link', { name: 'Contract management' }).getAttribute('href')).toBe(
      `/noticeDetail?id=${support[0]?.id}`,
    );
    for (const name of ['Terms of use', 'Privacy', 'Risks', 'Status of the exchange', 'Interface (OpenAPI)'])
      expect(await page.getByRole('link', { name }).first().getAttribute('href')).toMatch(/^\/(policy|status$|api\/)/);
    for (const [name, path] of [
      ['Reference for programs', '/docs'],
      ['Licences of third parties', '/licences.txt'],
    ] as const) {
      expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(path);
      expect((await fetch(`${BASE}${path}`)).status).toBe(200);
    }
  });

  test('an unknown address answers 404 and shows ways on [FRONT-004]', async () => {
    const { page } = await visit();
    const answer = await page.goto(`${BASE}/no-such-page`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText('/no-such-page').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Markets' }).click();
    await page.waitForURL(/\/allmarket$/);
  });

  for (const [width, locale] of [
    [320, 'de'],
    [375, 'ar'],
    [768, 'de'],
    [1280, 'ar'],
  ] as const)
    test(`nothing leaves the page at ${width} px in ${locale} [FRONT-005]`, async () => {
      const { page } = await visit({ width, locale });
      await page.goto(`${BASE}/`);
      await page.locator('main h1').waitFor({ state: 'attached' });
      await page.keyboard.press('Shift');
      await page.locator('nav a[href^="/policy"]').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(
        await page.evaluate(() => [document.documentElement.scrollWidth <= document.documentElement.clientWidth]),
      ).toEqual([true]);
    });

  test('a phone browser is redirected to the set address, a desktop browser stays [FRONT-002]', async () => {
    // Told to these two alone: the setting would lead phones of other tests away too.
    for (const [width, path, heading] of [
      [390, '/noticeList', 'Notices'],
      [1440, '/allmarket', 'Markets'],
    ] as const) {
      const { page } = await visit({ width });
      await page.route('**/api/config*', async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        await route.fulfill({ response, body: text.replace('"mobile_path":""', '"mobile_path":"/noticeList"') });
      });
      await page.goto(`${BASE}/allmarket`);
      await page.waitForURL(`${BASE}${path}`);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(new URL(page.url()).pathname).toBe(path);
    }
  });
});
