import type { Page } from '@playwright/test';
import { expect, funded, test, type Person } from '@bourse/web/testing';
import { callAs, visitAs } from './browser.js';

const USDT = 3;
const BTC = '/dealCenter?legalId=3&currencyId=1';
let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { [USDT]: '10000' } });
});

async function open(): Promise<Page> {
  const { page } = await visitAs(person, BTC);
  // The bars must be there: before, no place on the chart has a time or a price.
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  return page;
}
/** The price at the end of a text in cents: prices of BTC/USDT have two decimals. */
const cents = (text: string | null): bigint => BigInt((text ?? '').split('→').at(-1)!.replace(/\D/g, ''));

test('arrows move the line of an order, a status announces its price, and Enter asks first [CHART-062]', async () => {
  const book = await callAs<{ last_price: string }>(person, '/api/transaction/deal', {
    legal_id: '3',
    currency_id: '1',
  });
  // Near enough to be in sight of hourly bars, too far to be filled.
  const price = (BigInt(book.last_price.split('.')[0] ?? '') * 97n) / 100n;
  await callAs(person, '/api/coin/trade', {
    legal_id: '3',
    currency_id: '1',
    type: '1',
    amount: '0.001',
    target_price: `${price}`,
  });
  const page = await open();
  const hours = page.waitForResponse((answer) => answer.url().includes('period=60min'));
  await page.getByRole('radio', { name: '1h', exact: true }).click();
  // Until the bars are there, no place on the chart has a price.
  await (await hours).finished();
  const handle = page.locator('[data-line]').first();
  await handle.waitFor();
  await handle.focus();
  await page.keyboard.press('Shift+ArrowUp');
  const preview = page.getByRole('status').filter({ hasText: '→' });
  await expect.poll(async () => cents(await preview.first().textContent()) > price * 100n).toBe(true);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('New price', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText(/^Order moved to/).waitFor();
  await callAs(person, '/api/coin/cancel_all', {});
});

test('arrows move a horizontal line, a status announces its price, and Delete removes it [CHART-063]', async () => {
  const page = await open();
  const { x, y, width, height } = (await page.getByRole('application').boundingBox())!;
  await page.getByRole('button', { name: 'Drawing tools' }).click();
  await page.getByRole('menuitem', { name: 'Horizontal line', exact: true }).click();
  await page.getByText('press on the chart; Escape cancels').waitFor();
  await page.mouse.click(x + width / 3, y + height / 2);
  const line = page.getByRole('button', { name: /^Horizontal line/ });
  await line.focus();
  const status = page.locator('[data-drawings]').getByRole('status');
  await expect(status).toHaveText(/\d/);
  const before = cents(await status.textContent());
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => cents(await status.textContent()) > before).toBe(true);
  const oneStep = cents(await status.textContent());
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(async () => cents(await status.textContent()) < before).toBe(true);
  expect(oneStep).toBeGreaterThan(before);
  await page.keyboard.press('Delete');
  await expect(line).toHaveCount(0);
});
