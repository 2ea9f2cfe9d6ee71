import { expect, test } from '@bourse/web/testing';
import { BASE, visit } from './browser.js';

test('the markets page lists movers on a phone, and each opens its market [MARKETS-003]', async () => {
  const { page } = await visit({ width: 390, height: 844 });
  await page.goto(`${BASE}/allmarket`);
  const list = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(list('Gainers')).toBeInViewport({ ratio: 1 });
  await expect(list('Highest volume')).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // Some pair has moved; which way depends on the recorded day.
  const first = list('Gainers').or(list('Losers')).getByRole('link').first();
  const symbol = await first.getByText(/^[A-Z]+\/[A-Z]+$/).textContent();
  await first.click();
  await page.getByRole('application', { name: new RegExp(`^Price chart of ${symbol}\\.`) }).waitFor();
});
