import { call, expect, funded, type Person, saveScreenshot, screenBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, visit } from '../../../../test/browser.js';

let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { 3: '10000' } });
});

test('coins are converted at the price of the book, shown before and reported after [TERM-CONV-010]', async () => {
  // Somebody who sells, so that there is a price whoever else quotes.
  const seller = await funded({ change: { 1: '1' } });
  const ask = { legal_id: 3, currency_id: 1, type: 2, target_price: '56700', amount: '0.05' };
  await call('/api/coin/trade', ask, seller.token);
  const { page, context, complaints } = await visit();
  await holdSession(context, person);
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
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'convert');
  await form.getByRole('button', { name: 'Convert' }).click();
  const question = page.getByRole('dialog');
  await saveScreenshot(page, 'convert-ask');
  await question.getByRole('button', { name: 'Convert' }).click();
  await page.getByText(/USDT.? became .?0\.00\d+ BTC/).waitFor();
  await saveScreenshot(page, 'convert-done');
  // Two coins that no pair joins.
  await page.getByLabel('From').selectOption({ label: 'ADA' });
  await page.getByLabel('To').selectOption({ label: 'DOGE' });
  await page.getByText('No pair joins ADA and DOGE').waitFor();
  expect(complaints).toEqual([]);
});

test('a conversion whose end cannot be read is not offered again [TERM-CONV-012]', async () => {
  const seller = await funded({ change: { 1: '1' } });
  const ask = { legal_id: 3, currency_id: 1, type: 2, target_price: '56700', amount: '0.05' };
  await call('/api/coin/trade', ask, seller.token);
  const { page, context } = await visit();
  await holdSession(context, person);
  await page.goto(`${BASE}/account/coinExchange`);
  await page.getByLabel('From').selectOption({ label: 'USDT' });
  await page.getByLabel('To').selectOption({ label: 'BTC' });
  await page.route('**/api/coin/order?*', (route) =>
    route.fulfill({
      status: 503,
      json: { type: 'error', key: 'common.unavailable', message: 'not now', request_id: 'r' },
    }),
  );
  const form = page.getByRole('form', { name: 'Convert' });
  await form.getByLabel('You give').fill('100');
  await form.getByRole('button', { name: 'Convert' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Convert' }).click();
  await question.waitFor({ state: 'detached' });
  await expect(form.getByLabel('You give')).toHaveValue('');
});

test('on a phone in white, right to left, nothing is cut and nothing bars the way [TERM-CONV-011]', async () => {
  const { page, context } = await visit({ width: 390, height: 844, theme: 'white', locale: 'ar' });
  await holdSession(context, person);
  await page.goto(`${BASE}/coinExchange`);
  await page.locator('main form').waitFor();
  expect(await screenBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(
    true,
  );
  await saveScreenshot(page, 'convert-phone-ar');
});
