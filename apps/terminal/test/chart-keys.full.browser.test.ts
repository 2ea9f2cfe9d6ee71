import { expect, newcomer, test } from '@bourse/web/testing';
import { visitAs } from './browser.js';

const shots = process.env['BOURSE_SHOTS'];
const BTC = '/dealCenter?legalId=3&currencyId=1';

test('an alert and a drawing are chosen and moved by keyboard [CHART-062]', async () => {
  const person = await newcomer();
  const { page } = await visitAs(person, BTC);
  const chart = page.getByRole('application');
  // Before the bars are there, a place on the chart has no price.
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  const draw = async (tool: string): Promise<void> => {
    await page.getByRole('button', { name: 'Drawing tools' }).click();
    await page.getByRole('menuitem', { name: tool, exact: true }).click();
  };
  const box = (await chart.boundingBox())!;
  await draw('Price alert');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 3);
  const grip = page.getByRole('button', { name: /^Price alert: / }).first();
  await grip.waitFor();
  const before = await grip.getAttribute('aria-label');
  await grip.focus();
  for (let at = 0; at < 3; at++) await page.keyboard.press('Shift+ArrowDown');
  if (shots) await page.screenshot({ path: `${shots}/chart-alert.png` });
  await page.keyboard.press('Enter');
  await expect.poll(() => grip.getAttribute('aria-label')).not.toBe(before);

  await draw('Horizontal line');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const line = page.getByRole('button', { name: /^Horizontal line/ });
  await line.focus();
  const price = page.locator('[data-drawings]').getByRole('status');
  const from = await price.textContent();
  await page.keyboard.press('Shift+ArrowUp');
  await expect(price).not.toHaveText(from ?? '');
  if (shots) await page.screenshot({ path: `${shots}/chart-drawing.png` });
  await page.keyboard.press('Delete');
  await expect(line).toHaveCount(0);
});
