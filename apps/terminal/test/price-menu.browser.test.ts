import type { Page } from '@playwright/test';
import { demoSession, expect, test } from '@bourse/web/testing';
import { visitAs } from './browser.js';

const BTC = '/dealCenter?legalId=3&currencyId=1';

async function open(looks: { width?: number; height?: number } = {}): Promise<Page> {
  const { page } = await visitAs(await demoSession('trader2@demo.bourse'), BTC, looks);
  // The bars must be there: before, no place on the chart has a price.
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  return page;
}
const digits = (text: string | null): string => (text ?? '').replace(/[^\d.]/g, '').replace(/\.0+$/, '');

test('a right press on the chart fills the ticket and sends nothing [CHART-071]', async () => {
  const page = await open();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/coin/trade')) sent.push(request.url());
  });
  const chart = page.getByRole('application');
  const { width, height } = (await chart.boundingBox())!;
  const press = (at: number) =>
    chart.click({ button: 'right', position: { x: width / 3, y: Math.round(height * at) } });
  await press(0.5);
  const limit = page.getByRole('menuitem', { name: /^Sell limit at/ });
  const price = digits(await limit.textContent());
  await limit.click();
  const ticket = page.getByRole('form', { name: 'Sell BTC/USDT' });
  await expect(ticket.getByRole('textbox', { name: 'Price', exact: true })).toHaveValue(price);
  await expect(ticket.getByRole('textbox', { name: /^Amount/ })).toBeFocused();
  // Far above the last price only a stop that buys can wait.
  await press(0.03);
  const stop = page.getByRole('menuitem', { name: /^(Buy|Sell) stop at/ });
  const words = (await stop.textContent()) ?? '';
  await stop.click();
  const side = words.startsWith('Buy') ? 'Buy' : 'Sell';
  const stopTicket = page.getByRole('form', { name: `${side} BTC/USDT` });
  await expect(stopTicket.getByRole('textbox', { name: /^Stop/ })).toHaveValue(digits(words));
  expect(sent).toEqual([]);
});

test('Enter on the chart opens the menu, and Escape returns the focus [CHART-072]', async () => {
  const page = await open();
  const chart = page.getByRole('application');
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: /^Buy limit at/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chart).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const ticket = page.getByRole('form', { name: 'Sell BTC/USDT' });
  await expect(ticket.getByRole('textbox', { name: /^Amount/ })).toBeFocused();
});

test('a long touch on a phone opens the menu, and an order opens the ticket [CHART-073]', async () => {
  const page = await open({ width: 390, height: 844 });
  const box = (await page.getByRole('application').boundingBox())!;
  const device = await page.context().newCDPSession(page);
  const touchPoints = [{ x: box.x + 120, y: box.y + 90 }];
  await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const order = page.getByRole('menuitem', { name: /^Buy limit at/ });
  await order.waitFor();
  await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await order.click();
  await expect(page.getByRole('dialog').getByRole('form', { name: 'Buy BTC/USDT' })).toBeVisible();
});
