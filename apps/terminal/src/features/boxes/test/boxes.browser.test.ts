import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { barriersOf } from '@bourse/web/testing';
import { BASE, holdSession, openBrowser, tokenOf, visit } from '../../../../test/browser.js';

jest.setTimeout(120_000);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

test('a person puts an amount aside and sees the box by its push, a refusal in its words [TEMPLATE-005]', async () => {
  const visitor = await visit(browser, { locale: 'de' });
  await holdSession(visitor.context, await tokenOf('trader2@demo.bourse'));
  const { page, complaints } = visitor;
  await page.goto(`${BASE}/box`);
  await page.getByRole('heading', { level: 1, name: 'Boxen' }).waitFor();
  await page.getByText('Keine Box ist offen').waitFor();
  await page.getByRole('button', { name: 'Zur Seite legen' }).click();
  await page.getByText('Bitte einen Betrag eingeben').waitFor();
  // Nothing but the push changes the list: the screen reads it once.
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/template/boxes')) reads += 1;
  });
  for (let count = 1; count <= 3; count += 1) {
    await page.getByLabel('Betrag').fill('0.001');
    await page.getByRole('button', { name: 'Zur Seite legen' }).click();
    await page
      .locator('tbody tr')
      .nth(count - 1)
      .waitFor();
  }
  expect(reads).toBe(0);
  await page.getByLabel('Betrag').fill('0.001');
  await page.getByRole('button', { name: 'Zur Seite legen' }).click();
  await page.getByText('Sie dürfen 3 zugleich offen haben').waitFor();
  expect((await barriersOf(page)).map(({ id }) => id)).toEqual([]);
  expect(complaints).toEqual([]);
  await visitor.context.close();
});

test('a guest is asked to sign in first [TEMPLATE-005]', async () => {
  const { page, context } = await visit(browser);
  await page.goto(`${BASE}/box`);
  await page.waitForURL(/\/components\/login\?back=%2Fbox/);
  await context.close();
});
