import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { BASE, openBrowser, visit, type Looks } from './browser.js';

jest.setTimeout(120_000);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

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
  const { page } = await visit(browser, looks);
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

/** Waits until the drawing is as expected. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('the chart is not drawn as expected');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const UNTIL = Date.UTC(2100, 0, 1);

describe.each([
  { theme: 'dark', locale: 'en', label: 'Simulated history until', spoken: 'Simulated market' },
  { theme: 'white', locale: 'ar', label: 'تاريخ محاكى حتى', spoken: 'سوق محاكاة' },
] as const)('simulated bars in the $theme theme, $locale', ({ theme, locale, label, spoken }) => {
  test('carry no colour of a market and are named wherever they are read [CHART-006]', async () => {
    const page = await chart({ theme, locale }, UNTIL);
    await page.getByText(label).waitFor();
    await until(async () => (await marketPixels(page)) === 0);
    await page.getByRole('application').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(spoken).and(page.locator('[aria-live]')).waitFor({ state: 'attached' });
    await page.context().close();
  });

  test('bars of the market carry its colours and no such name [CHART-006]', async () => {
    const page = await chart({ theme, locale }, undefined);
    await until(async () => (await marketPixels(page)) > 100);
    expect(await page.getByText(label).count()).toBe(0);
    await page.context().close();
  });
});

test('the table of bars names each simulated one [CHART-006]', async () => {
  const page = await chart({}, UNTIL);
  await page.getByText('Simulated history until').waitFor();
  await page.getByRole('button', { name: 'As table' }).click();
  const rows = page.getByRole('dialog').locator('tbody tr');
  await rows.first().waitFor();
  expect(await rows.filter({ hasText: 'SIM' }).count()).toBe(await rows.count());
  await page.context().close();
});
