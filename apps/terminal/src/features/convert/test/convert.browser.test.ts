import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { seriousBarriers } from '@bourse/web/testing';
import { BASE, holdSession, openBrowser, tokenOf, visit } from '../../../../test/browser.js';

jest.setTimeout(180_000);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

const serious = (page: Page): Promise<string[]> => seriousBarriers(page, { without: ['region'] });
/** Keeps a picture of what a person sees, where a folder for them is named. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['BOURSE_SHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Somebody who sells, so that there is a price whoever else quotes. */
async function offer(account: string, fields: Record<string, string>): Promise<void> {
  const { token } = await tokenOf(account);
  const response = await fetch(`${BASE}/api/coin/trade`, {
    method: 'POST',
    headers: { authorization: token },
    body: new URLSearchParams(fields),
  });
  expect(((await response.json()) as { type: string }).type).toBe('ok');
}

test('coins are converted at the price of the book, shown before and told after [TERM-CONV-010]', async () => {
  await offer('trader3@demo.bourse', {
    legal_id: '3',
    currency_id: '1',
    type: '2',
    target_price: '56700',
    amount: '0.05',
  });
  const { page, context, complaints } = await visit(browser);
  await holdSession(context, await tokenOf('trader2@demo.bourse'));
  await page.goto(`${BASE}/account/coinExchange`);
  await page.getByLabel('From').selectOption({ label: 'USDT' });
  await page.getByLabel('To').selectOption({ label: 'BTC' });
  const form = page.getByRole('form', { name: 'Convert' });
  await form.getByRole('button', { name: 'Convert' }).click();
  await form.getByText('Please enter the amount').waitFor();
  await form.getByLabel('You give').fill('500');
  await form.getByText('BTC/USDT').waitFor();
  await form
    .getByText(/^0\.00\d+ BTC$/)
    .first()
    .waitFor();
  expect(await serious(page)).toEqual([]);
  await look(page, 'convert');
  await form.getByRole('button', { name: 'Convert' }).click();
  const question = page.getByRole('dialog');
  await look(page, 'convert-ask');
  await question.getByRole('button', { name: 'Convert' }).click();
  await page.getByText(/USDT.? became .?0\.00\d+ BTC/).waitFor();
  await look(page, 'convert-done');
  // Two coins that no pair joins.
  await page.getByLabel('From').selectOption({ label: 'ADA' });
  await page.getByLabel('To').selectOption({ label: 'DOGE' });
  await page.getByText('No pair joins ADA and DOGE').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('on a phone in white, right to left, nothing is cut and nothing bars the way [TERM-CONV-011]', async () => {
  const { page, context } = await visit(browser, { width: 390, height: 844, theme: 'white', locale: 'ar' });
  await holdSession(context, await tokenOf('trader2@demo.bourse'));
  await page.goto(`${BASE}/coinExchange`);
  await page.locator('main form').waitFor();
  expect(await serious(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(
    true,
  );
  await look(page, 'convert-phone-ar');
  await context.close();
});
