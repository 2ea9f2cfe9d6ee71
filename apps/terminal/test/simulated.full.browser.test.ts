import type { Page } from '@playwright/test';
import { expect, test } from '@bourse/web/testing';
import { BASE, visit, type Looks } from './browser.js';

/** Pixels of the chart's canvases in the colours of rising and falling candles. */
const marketPixels = (page: Page): Promise<number> =>
  page
    .getByRole('application')
    .locator('canvas')
    .evaluateAll((canvases) => {
      const style = getComputedStyle(document.documentElement);
      const colours = ['--up', '--down'].map((name) => parseInt(style.getPropertyValue(name).trim().slice(1), 16));
      return (canvases as HTMLCanvasElement[]).reduce((sum, canvas) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
          if (colours.includes((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!)) found += 1;
        return sum + found;
      }, 0);
    });

/** The chart of a day a bar, whose bars are simulated before a moment (ms), or not at all. */
async function chart(looks: Looks, simulatedBefore: number | undefined): Promise<Page> {
  const { page } = await visit(looks);
  await page.route('**/api/currency/new_timeshar*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as object;
    await route.fulfill({ response, json: { ...body, simulated_before: simulatedBefore } });
  });
  await page.goto(`${BASE}/dealCenter`);
  await page.getByRole('radio', { name: '1D', exact: true }).click();
  await page.getByRole('application').locator('canvas').first().waitFor();
  return page;
}

const UNTIL = Date.UTC(2100, 0, 1);

for (const { theme, locale, label, spoken } of [
  { theme: 'dark', locale: 'en', label: 'Simulated history until', spoken: 'Simulated market' },
  { theme: 'white', locale: 'ar', label: 'تاريخ محاكى حتى', spoken: 'سوق محاكاة' },
] as const)
  test.describe(`simulated bars in the ${theme} theme, ${locale}`, () => {
    test('carry no colour of a market and are named wherever they are read [CHART-006]', async () => {
      const page = await chart({ theme, locale }, UNTIL);
      await page.getByText(label).waitFor();
      await expect.poll(() => marketPixels(page)).toBe(0);
      await page.getByRole('application').focus();
      await page.keyboard.press('ArrowLeft');
      await page.getByText(spoken).and(page.locator('[aria-live]')).waitFor({ state: 'attached' });
      await page.context().close();
    });

    test('bars of the market carry its colours and no such name [CHART-006]', async () => {
      const page = await chart({ theme, locale }, undefined);
      await expect.poll(() => marketPixels(page)).toBeGreaterThan(100);
      expect(await page.getByText(label).count()).toBe(0);
      await page.context().close();
    });
  });

test('the table of bars names each simulated one [CHART-006]', async () => {
  const page = await chart({}, UNTIL);
  await page.getByText('Simulated history until').waitFor();
  await page.getByRole('button', { name: 'View as table' }).click();
  const rows = page.getByRole('dialog').locator('tbody tr');
  await rows.first().waitFor();
  expect(await rows.filter({ hasText: 'SIM' }).count()).toBe(await rows.count());
});
