import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { seriousBarriers } from '../../../../test/barriers.js';
import { BASE, holdSession, openBrowser, tokenOf, visit, type Looks } from '../../../../test/browser.js';

jest.setTimeout(180_000);

const PHONE = { width: 390, height: 844 };
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

const serious = (page: Page): Promise<string[]> => seriousBarriers(page, { without: ['region'] });
const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
/** Keeps a picture of what a person sees, where a folder for them is named. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['BOURSE_SHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
async function person(account: string, path: string, looks: Looks = {}) {
  const visitor = await visit(browser, looks);
  await holdSession(visitor.context, await tokenOf(account));
  await visitor.page.goto(`${BASE}${path}`);
  return visitor;
}

test('the team of trader1 opens by mouse and by key, down to trader3, and is searched [TERM-TEAM-010]', async () => {
  const { page, context, complaints } = await person('trader1@demo.bourse', '/team');
  const tree = page.getByRole('tree', { name: 'Members' });
  const second = tree.getByRole('treeitem').filter({ hasText: '#100002' });
  const third = tree.getByRole('treeitem').filter({ hasText: '#100003' });
  await second.waitFor();
  expect([await second.getAttribute('aria-expanded'), await third.count()]).toEqual(['false', 0]);
  await second.click();
  await third.waitFor();
  expect(await third.getAttribute('aria-level')).toBe('2');
  await page.keyboard.press('ArrowLeft');
  await third.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await third.waitFor();
  // Names are masked.
  expect(await third.textContent()).not.toContain('trader3@');
  await page.getByText('What rank 1 asks for').waitFor();
  await page.getByRole('img', { name: 'Invitation link as a QR code' }).waitFor();
  await page.getByText(/\/register\?extension_code=/).waitFor();
  expect(await serious(page)).toEqual([]);
  await look(page, 'team');
  await page.getByLabel('Search').fill('100003');
  await third.waitFor();
  await page.getByLabel('Search').fill('nobody of this name');
  await page.getByText('Nobody of this name or UID').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('who has invited nobody reads so, on a phone, right to left [TERM-TEAM-011]', async () => {
  const { page, context } = await person('acceptor@demo.bourse', '/account/tree', {
    ...PHONE,
    theme: 'white',
    locale: 'ar',
  });
  await page.getByText('لا أعضاء بعد').waitFor();
  expect(await serious(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  await look(page, 'team-phone-ar');
  await context.close();
});

test('rebates stand page after page [TERM-TEAM-012]', async () => {
  const { page, context } = await person('trader1@demo.bourse', '/');
  const row = (id: number) => ({
    id: String(id),
    value: `0.${String(id).padStart(8, '0')}`,
    currency_name: 'USDT',
    info: `Rebate ${id}`,
    created_time: '2026-01-02 00:05:00',
  });
  await page.route('**/api/profits/show_profits?*', async (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('page'));
    const data = at === 1 ? Array.from({ length: 20 }, (_, index) => row(index + 1)) : [row(21)];
    await route.fulfill({
      json: { type: 'ok', message: { data, page: at, page_size: 20, total: 21, has_more: at === 1 ? 1 : 0 } },
    });
  });
  await page.goto(`${BASE}/account/profit`);
  await page.getByText('0.00000020 USDT').or(page.getByText('0.0000002 USDT')).waitFor();
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('Rebate 21').waitFor();
  await page.getByText('No more').waitFor();
  expect(await serious(page)).toEqual([]);
  await look(page, 'profit');
  await context.close();
});

test('rebates of nobody are an empty list, by the exchange itself [TERM-TEAM-012]', async () => {
  const { page, context } = await person('acceptor@demo.bourse', '/profit', { theme: 'white' });
  await page.getByText('No rebates yet.').waitFor();
  expect(await serious(page)).toEqual([]);
  await context.close();
});
