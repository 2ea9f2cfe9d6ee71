import type { Page } from '@playwright/test';
import { expect, FUND, funded, merchant, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, visitAs } from './browser.js';

/* Screens that the person has left, and texts about a choice that was changed. */

const CENTRE = '/leverdealCenter?legalId=3&currencyId=1';
let trader: Person;
test.beforeAll(async () => {
  trader = await funded({ lever: { 3: '50000' }, micro: { 3: '1000' } });
});

const PAIR = { legal_id: '3', currency_id: '1' };
const open = (pair: typeof PAIR): Promise<unknown> =>
  callAs(trader, '/api/lever/submit', { ...pair, type: '1', status: '1', multiple: '20', share: '2' });
const closeAll = (pair?: typeof PAIR): Promise<unknown> =>
  callAs(trader, '/api/lever/batch_close', { ...pair, type: '0' });

test('a position that closed while another screen was shown is gone on the return [LEVERUI-056]', async () => {
  const { page } = await visitAs(trader);
  await open(PAIR);
  await open({ ...PAIR, currency_id: '2' });
  await page.goto(`${BASE}${CENTRE}`);
  const row = (pair: string) => page.getByRole('region', { name: 'Open positions' }).getByRole('link', { name: pair });
  await row('BTC/USDT').waitFor();
  await row('ETH/USDT').waitFor();
  await page.getByRole('link', { name: 'Markets', exact: true }).first().click();
  await page.waitForURL('**/allmarket');
  await closeAll(PAIR);
  await page
    .getByText(/^Position closed/)
    .first()
    .waitFor();
  await page.goBack();
  await row('ETH/USDT').waitFor();
  await expect(row('BTC/USDT')).toHaveCount(0);
  await closeAll();
});

test('whoever goes elsewhere before a position has opened stays there [LEVERUI-057]', async () => {
  const { page } = await visitAs(trader);
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/lever/submit*', async (route) => {
    const response = await route.fetch();
    await answered;
    await route.fulfill({ response });
  });
  await page.goto(`${BASE}${CENTRE}`);
  const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
  await form.getByLabel('Leverage multiple').selectOption('20');
  await form.getByRole('textbox', { name: 'Contracts' }).fill('2');
  const asked = page.waitForRequest('**/api/lever/submit*');
  await form.getByRole('button', { name: 'Open long' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await asked;
  await page.getByRole('link', { name: 'Markets', exact: true }).first().click();
  await page.waitForURL('**/allmarket');
  const taken = page.waitForResponse('**/api/lever/submit*');
  answer();
  await taken;
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
  expect(new URL(page.url()).pathname).toBe('/allmarket');
  await closeAll();
});

test('a fault of a stake goes with the duration whose limits it names [MICROUI-053]', async () => {
  const { page } = await visitAs(trader, '/secondsOrder');
  await page.getByRole('radio', { name: '30 seconds +40 %' }).click();
  await page.getByRole('button', { name: /^Up/ }).click();
  const fault = page.getByText('Please enter the stake');
  await fault.waitFor();
  await page.getByRole('radio', { name: /^60 s|^1 min/ }).click();
  await expect(fault).toHaveCount(0);
});

/** Holds the answers of an address. @returns gives them, and waits until the page has had time for them */
async function holdAnswers(page: Page, address: string): Promise<() => Promise<void>> {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(address, async (route) => {
    const response = await route.fetch();
    await answered;
    await route.fulfill({ response });
  });
  return async () => {
    const taken = page.waitForResponse(address);
    answer();
    await taken;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
  };
}
async function goToMarkets(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Markets', exact: true }).first().click();
  await page.waitForURL('**/allmarket');
}

test('whoever goes elsewhere before an ad is published stays there [TERM-070]', async () => {
  const { page } = await visitAs(await merchant({ legal: { 3: '1000' } }), '/c2cRelease');
  const answer = await holdAnswers(page, '**/api/c2c_send*');
  const box = page.getByRole('form', { name: 'Sell USDT' });
  await box.getByLabel('Quantity').fill('20');
  await box.getByLabel('Price').fill('6.42');
  await box.getByLabel('Fund password').fill(FUND);
  const asked = page.waitForRequest('**/api/c2c_send*');
  await box.getByRole('button', { name: 'Publish' }).click();
  await asked;
  await goToMarkets(page);
  await answer();
  expect(new URL(page.url()).pathname).toBe('/allmarket');
});

test('the statement that could not be read can be read again [TERM-072]', async () => {
  const { page } = await visitAs(trader);
  let isDown = true;
  for (const address of ['**/api/statement/check*', '**/api/wallet/holds*'])
    await page.route(address, async (route) => {
      const refusal = { type: 'error', key: 'common.unavailable', message: 'down', params: {}, request_id: 'r' };
      await (isDown ? route.fulfill({ status: 503, json: refusal }) : route.continue());
    });
  await page.goto(`${BASE}/finance`);
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(retry).toHaveCount(2, { timeout: 15_000 });
  isDown = false;
  await retry.first().click();
  await page.getByText(/^✓ /).waitFor();
});

test('a policy that moved to the next page meanwhile is listed once [TERM-073]', async () => {
  const { page } = await visitAs(trader);
  const policy = (id: string) => ({
    ...{ id, insurance_type_id: 1, status: 4, amount: id, premium: '1', currency_name: 'USDT', claimable: 0 },
    ...{ created_at: '2026-01-01 00:00:00', ended_at: '' },
  });
  await page.route('**/api/insurance/my?*', async (route) => {
    const isFirst = new URL(route.request().url()).searchParams.get('page') !== '2';
    const data = (isFirst ? ['901', '902'] : ['902', '903']).map(policy);
    await route.fulfill({
      json: { type: 'ok', message: { data, page: isFirst ? 1 : 2, limit: 2, has_more: isFirst ? 1 : 0, total: 4 } },
    });
  });
  await page.goto(`${BASE}/microInsurance`);
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('903 USDT').waitFor();
  await expect(page.getByText('902 USDT')).toHaveCount(1);
});
