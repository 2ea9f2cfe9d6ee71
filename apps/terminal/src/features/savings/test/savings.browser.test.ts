import type { Locator } from '@playwright/test';
import { expect, funded, type Person, saveScreenshot, screenBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, visit } from '../../../../test/browser.js';

let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { 3: '10000' } });
});

/** The colour that a row stands on. */
const ground = (row: Locator): Promise<string> => row.evaluate((element) => getComputedStyle(element).backgroundColor);

test('a person subscribes, finds the order, ends it at a cost [TERM-SAVE-011, 004] [COMPLAINT-023]', async () => {
  const { page, context, complaints } = await visit();
  await holdSession(context, person);
  await page.goto(`${BASE}/manage`);
  await page.getByRole('radio', { name: /^USDT/ }).click();
  await page.getByRole('radio', { name: /60 days/ }).click();
  const form = page.getByRole('form', { name: 'Subscribe' });
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await form.getByText('Please enter the amount').waitFor();
  await form.getByLabel('Amount').fill('99');
  await form.getByText('At least').waitFor();
  await form.getByLabel('Amount').fill('1234');
  await form.getByLabel('Fund password').fill('fund66');
  await form.getByRole('button', { name: 'Subscribe' }).click();
  const question = page.getByRole('dialog');
  await question.getByText('+11.106 USDT').waitFor();
  await saveScreenshot(page, 'manage-confirm');
  await question.getByRole('button', { name: 'Subscribe' }).click();
  await page.waitForURL(/\/manageList$/);
  const row = page.getByRole('row').filter({ hasText: '1,234 USDT' }).first();
  await row.getByText('Accruing, locked').waitFor();
  expect(await row.textContent()).toContain('11.106');
  const complain = row.getByRole('link', { name: 'Complain' });
  expect(await complain.getAttribute('href')).toMatch(/\/complaints\?kind=other&about=.+/);
  // The accrued interest is emphasized without the pointer on it.
  await page.mouse.move(1, 1);
  const accruing = await ground(row);
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'manage-list');
  await row.getByRole('button', { name: 'End early' }).click();
  const ending = page.getByRole('dialog');
  await ending.getByText('All interest of this term is lost.').waitFor();
  await ending.getByText('1,234 USDT').waitFor();
  await ending.getByLabel('Fund password').fill('fund66');
  await saveScreenshot(page, 'manage-cancel');
  await ending.getByRole('button', { name: 'End early' }).click();
  await ending.waitFor({ state: 'detached' });
  const ended = page.getByRole('row').filter({ hasText: '1,234 USDT' }).first();
  await ended.getByText('Cancelled').waitFor();
  await page.mouse.move(1, 1);
  expect(await ground(ended)).not.toBe(accruing);
  // As the server would tell it of a term that is over. Nothing of the page before is under way then: what a page that
  // is left had asked for cannot be read any more.
  await page.goto(`${BASE}/help`);
  await page.route('**/api/currency/deposit/lhDepositOrderList*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"status":3', '"status":2') });
  });
  await page.goto(`${BASE}/manageList`);
  await ended.getByText('Matured, expired').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.goto(`${BASE}/manger`);
  await page.locator('main a[href="/manageList"]').last().waitFor();
  expect(complaints).toEqual([]);
});
