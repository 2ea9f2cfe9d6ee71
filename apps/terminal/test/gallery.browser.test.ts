import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { BASE, openBrowser, visit, type Visitor } from './browser.js';

jest.setTimeout(180_000);

/** Where the pictures go; a person looks at them, the test only makes them. */
const PICTURES = process.env['GALLERY_PICTURES'] ?? join(tmpdir(), 'bourse-gallery');
const LOOKS = [
  { theme: 'dark', locale: 'en', width: 1440 },
  { theme: 'white', locale: 'en', width: 1440 },
  { theme: 'dark', locale: 'ar', width: 1440 },
  { theme: 'white', locale: 'ar', width: 390 },
] as const;

let browser: Browser;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

const barriers = async (page: Page): Promise<string[]> =>
  (await new AxeBuilder({ page }).disableRules(['region']).analyze()).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
  );

describe.each(LOOKS)('the gallery in $theme, $locale, $width px', ({ theme, locale, width }) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await visit(browser, { theme, locale, width });
    await visitor.page.goto(`${BASE}/dev/gallery`);
    await visitor.page.locator('[data-group=overlays]').waitFor();
  });
  afterAll(async () => {
    await visitor.context.close();
  });

  test('shows every part without a barrier, and nothing is wider than the page [UI-028]', async () => {
    const { page, complaints } = visitor;
    await page.screenshot({ path: join(PICTURES, `${theme}-${locale}-${width}.png`), fullPage: true });
    expect(await barriers(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });

  test.each(['dialog', 'sheet', 'drawer'])('the %s holds the focus, and gives it back [UI-029]', async (shape) => {
    const { page } = visitor;
    const opener = page.locator(`[data-open=${shape}]`);
    await opener.click();
    await page.locator('dialog[open]').waitFor();
    await page.screenshot({ path: join(PICTURES, `${theme}-${locale}-${width}-${shape}.png`) });
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('parts by keyboard', () => {
  let page: Page;
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await visit(browser);
    page = visitor.page;
    await page.goto(`${BASE}/dev/gallery`);
    await page.locator('[data-group=overlays]').waitFor();
  });
  afterAll(async () => {
    await visitor.context.close();
  });

  test('the first row found is taken by Enter; Escape puts back what stood there [UI-030]', async () => {
    const field = page.getByRole('combobox', { name: 'Coin' }).nth(1);
    await field.fill('et');
    expect(await field.getAttribute('aria-activedescendant')).not.toBeNull();
    await field.press('Enter');
    expect(await field.inputValue()).toBe('ETH');
    await field.fill('xr');
    await field.press('Escape');
    expect(await field.inputValue()).toBe('ETH');
  });

  test('segments are one tab stop, and the arrows choose [UI-031]', async () => {
    const group = page.getByRole('radiogroup', { name: 'Choices' });
    expect(await group.locator('[tabindex="0"]').count()).toBe(1);
    await group.getByRole('radio', { name: 'First choice' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await group.getByRole('radio', { name: 'Second choice' }).getAttribute('aria-checked')).toBe('true');
  });

  test('a header sorts and says so, the filter leaves what it finds [UI-032]', async () => {
    const group = page.locator('[data-group=tables]');
    const header = group.getByRole('columnheader', { name: 'Price' }).first();
    await header.getByRole('button').click();
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect(await group.getByRole('row').nth(1).innerText()).toContain('1,307.50');
    await group.getByRole('searchbox').fill('xrp');
    expect(await group.getByRole('table').first().getByRole('row').count()).toBe(5);
  });
});
