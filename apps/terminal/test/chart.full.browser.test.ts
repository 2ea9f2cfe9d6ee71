import type { Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { expect, funded, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, visitAs, waitForPreference } from './browser.js';

const USDT = 3;
const BTC = '/dealCenter?legalId=3&currencyId=1';
/** Most attempts to drag a line: the chart may rescale during one. */
const GRASPS_MAX = 5;
let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { [USDT]: '10000' } });
});

async function open(path: string): Promise<Page> {
  const { page } = await visitAs(person, path);
  await page.getByRole('application').locator('canvas').first().waitFor();
  return page;
}
const draw = async (page: Page, tool: string): Promise<void> => {
  await page.getByRole('button', { name: 'Drawing tools' }).click();
  await page.getByRole('menuitem', { name: tool, exact: true }).click();
};

test('an indicator is drawn with its parameters, and kept for its pair alone [CHART-040]', async () => {
  const page = await open(BTC);
  await page.getByRole('button', { name: 'Indicators' }).click();
  await page.getByRole('checkbox', { name: 'RSI', exact: true }).check();
  const length = page.getByLabel('RSI Length');
  await length.fill('7');
  await length.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByText(/^RSI7 \d/).waitFor();
  await page.reload();
  await page.getByText(/^RSI7 \d/).waitFor();
  await page.goto(`${BASE}/dealCenter?legalId=3&currencyId=2`);
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  await expect(page.getByText(/^RSI7/)).toHaveCount(0);
});

test('Escape ends a tool, and a drawn line survives a reload until it is deleted [CHART-041]', async () => {
  const page = await open(BTC);
  // Before the bars are there, a place on the chart has no time, and a press draws nothing.
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  const box = (await page.getByRole('application').boundingBox())!;
  const [x, y] = [box.x + box.width / 3, box.y + box.height / 2];
  await draw(page, 'Trend line');
  await page.getByText('press on the chart; Escape cancels').waitFor();
  await page.keyboard.press('Escape');
  await expect(page.getByText('press on the chart; Escape cancels')).toHaveCount(0);
  await draw(page, 'Horizontal line');
  await page.getByText('press on the chart; Escape cancels').waitFor();
  await page.mouse.click(x, y);
  await expect(page.getByText('press on the chart; Escape cancels')).toHaveCount(0);
  await waitForPreference(page, 'chart.drawings.BTC/USDT');
  await page.reload();
  await page.getByRole('application').locator('canvas').first().waitFor();
  const offered = page.getByRole('menuitem', { name: 'Delete: Horizontal line' });
  const menu = page.getByRole('button', { name: 'Drawing tools' });
  await menu.click();
  await offered.click();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Measure' }).waitFor();
  expect(await offered.count()).toBe(0);
});

test('a dragged limit order moves to the new price after a confirmation [CHART-042]', async () => {
  const book = await callAs<{ in: { price: string }[] }>(person, '/api/transaction/deal', {
    legal_id: '3',
    currency_id: '1',
  });
  // A little below the best bid: the line is in sight, and the order rests.
  const whole = (BigInt((book.in.at(-1)?.price ?? '0').split('.')[0] ?? '0') * 999n) / 1000n;
  const order = { legal_id: '3', currency_id: '1', type: '1', amount: '0.001', target_price: `${whole}` };
  await callAs(person, '/api/coin/trade', order);
  const page = await open(BTC);
  await page.getByRole('radio', { name: '1h', exact: true }).click();
  const handle = page.locator('[data-line]').first();
  const dialog = page.getByRole('dialog');
  for (let grasps = 0; grasps < GRASPS_MAX && !(await dialog.isVisible()); grasps++) {
    await handle.hover();
    const at = (await handle.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(at.x + 8, at.y + 42, { steps: 5 });
    await page.mouse.up();
    await dialog.waitFor({ timeout: testTimeoutMs(400) }).catch(() => undefined);
  }
  await dialog.getByText('New price', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText(/^Order moved to/).waitFor();
  await page.getByRole('tab', { name: 'Open orders (1)' }).waitFor();
  const moved = (await page.getByRole('region', { name: 'Open orders' }).getByRole('row').last().textContent()) ?? '';
  expect(moved).not.toContain(whole.toLocaleString('en-US'));
  await callAs(person, '/api/coin/cancel_all', {});
});
