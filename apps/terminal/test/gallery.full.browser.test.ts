import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { barriersOf, expect, test } from '@bourse/web/testing';
import { BASE, visit, type Visitor } from './browser.js';

/** Where pictures go, made only when somebody wants to look at them: the test compares none. */
const PICTURES = process.env['GALLERY_PICTURES'];
/** Each theme, each direction and each kind of window once. */
const LOOKS = [
  { theme: 'dark', locale: 'en', width: 1440 },
  { theme: 'white', locale: 'ar', width: 390 },
] as const;

test.beforeAll(async () => {
  if (PICTURES) mkdirSync(PICTURES, { recursive: true });
});

const barriers = async (page: Page): Promise<string[]> =>
  (await barriersOf(page, { without: ['region'] })).map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
  );

for (const { theme, locale, width } of LOOKS)
  test.describe(`the gallery in ${theme}, ${locale}, ${width} px`, () => {
    let visitor: Visitor;
    test.beforeAll(async () => {
      visitor = await visit({ theme, locale, width });
      await visitor.page.goto(`${BASE}/dev/gallery`);
      await visitor.page.locator('[data-group=overlays]').waitFor();
    });
    test.afterAll(async () => {
      await visitor.context.close();
    });

    test('shows every part without a barrier, and nothing is wider than the page [UI-028]', async () => {
      const { page, complaints } = visitor;
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${theme}-${locale}-${width}.png`), fullPage: true });
      expect(await barriers(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
    });

    for (const shape of ['dialog', 'sheet', 'drawer'])
      test(`the ${shape} holds the focus, and gives it back [UI-029]`, async () => {
        const { page } = visitor;
        const opener = page.locator(`[data-open=${shape}]`);
        await opener.click();
        await page.locator('dialog[open]').waitFor();
        if (PICTURES) await page.screenshot({ path: join(PICTURES, `${theme}-${locale}-${width}-${shape}.png`) });
        expect(await barriers(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.locator('dialog[open]').waitFor({ state: 'detached' });
        expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
      });
  });

test.describe('parts by keyboard', () => {
  let page: Page;
  let visitor: Visitor;
  test.beforeAll(async () => {
    visitor = await visit();
    page = visitor.page;
    await page.goto(`${BASE}/dev/gallery`);
    await page.locator('[data-group=overlays]').waitFor();
  });
  test.afterAll(async () => {});

  test('Tab goes through messages once, and each shows where the focus is [UI-034]', async () => {
    const stops = page.getByRole('region', { name: 'Messages: First choice' }).getByRole('button');
    const count = await stops.count();
    await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('button:not([tabindex="-1"])')];
      all
        .filter((button) => !button.closest('section[aria-live]'))
        .at(-1)
        ?.focus();
    });
    const seen: (number | undefined)[] = [];
    for (let at = 0; at <= count; at += 1) {
      await page.keyboard.press('Tab');
      const places = await stops.evaluateAll((all) => all.map((button) => button === document.activeElement));
      seen.push(places.includes(true) ? places.indexOf(true) : undefined);
      if (places.includes(true))
        expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
          'solid',
        );
    }
    expect(seen).toEqual([...Array.from({ length: count }, (_, at) => at), undefined]);
  });

  test('segments are one tab stop, and the arrows choose [UI-031]', async () => {
    const group = page.getByRole('radiogroup', { name: 'Choices' });
    expect(await group.locator('[tabindex="0"]').count()).toBe(1);
    await group.getByRole('radio', { name: 'First choice' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await group.getByRole('radio', { name: 'Second choice' }).getAttribute('aria-checked')).toBe('true');
  });

  test('a conversation names speakers and states, quiet while earlier messages come [UI-036, UI-037]', async () => {
    const logs = page.locator('[data-group=chats]').getByRole('log');
    expect(
      await logs.evaluateAll((all) => all.map((log) => [log.getAttribute('aria-live'), log.getAttribute('aria-busy')])),
    ).toEqual([
      ['polite', 'false'],
      ['polite', 'false'],
      ['off', 'true'],
      ['polite', 'false'],
      ['polite', 'false'],
    ]);
    const log = logs.nth(1);
    expect(await log.getByText('New messages').count()).toBe(1);
    expect(
      await log
        .locator('li[data-from]')
        .evaluateAll((all) => all.map((item) => item.querySelector('.sr-only')?.textContent)),
    ).toEqual(['The exchange: ', 'First choice: ', 'First choice: ', 'You: ', 'First choice: ']);
    const picture = log.getByRole('link', { name: 'Picture, opens in a new tab' });
    expect([await picture.getAttribute('target'), await picture.getAttribute('rel')]).toEqual([
      '_blank',
      'noreferrer noopener',
    ]);
    await logs.nth(2).getByText('The picture cannot be shown').waitFor();
    expect(await logs.nth(3).getByText('Earlier messages could not be loaded').count()).toBe(1);
    expect(await logs.nth(4).getByText('No messages yet').count()).toBe(1);
  });

  test('a conversation shows its end, loads earlier messages without moving, follows new ones [UI-038]', async () => {
    const log = page.getByRole('log', { name: /Seller/ });
    const left = (): Promise<number> => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    expect(await left()).toBeLessThanOrEqual(1);
    // Scrolled to the top it asks for earlier messages; what was read stays where it stood.
    const text = await log.locator('li[data-from]').first().innerText();
    const offset = (): Promise<number> =>
      log.evaluate((box, words) => {
        const item = [...box.querySelectorAll<HTMLElement>('li')].find((other) => other.innerText === words);
        return item?.offsetTop ?? Number.NaN;
      }, text);
    const top = (await offset()) - 10;
    await log.evaluate((box) => box.scrollTo({ top: 10 }));
    await log.getByText('First choice 5').waitFor({ state: 'attached' });
    const scrolled = await log.evaluate((box) => box.scrollTop);
    expect(scrolled).toBeGreaterThan(100);
    expect(Math.abs((await offset()) - scrolled - top)).toBeLessThanOrEqual(2);
    expect(await log.getAttribute('aria-live')).toBe('off');
    // For those who do not scroll there is a button, until there is nothing earlier.
    await log.getByRole('button', { name: 'Show earlier messages' }).focus();
    while ((await log.getByRole('button', { name: 'Show earlier messages' }).count()) > 0)
      await log.getByRole('button', { name: 'Show earlier messages' }).press('Enter');
    await log.getByText('First choice 15').waitFor({ state: 'attached' });
    await log.evaluate((box) => box.scrollTo({ top: 0 }));
    await page.getByRole('button', { name: 'To the newest message' }).first().click();
    expect(await left()).toBeLessThanOrEqual(32);
    await log.getByRole('button', { name: 'Try again' }).click();
    expect(await log.getByText('Not sent').count()).toBe(0);
    expect(await log.getByText('Sending…').count()).toBe(2);
  });
});
