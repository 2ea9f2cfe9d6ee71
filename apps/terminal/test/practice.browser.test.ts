import { expect, test } from '@bourse/web/testing';
import { BASE, visit } from './browser.js';

test('a guest practises on a day: an order fills, a result comes, a reload keeps it [PRACTICE-020]', async () => {
  const { page, complaints } = await visit();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/coin/')) sent.push(request.url());
  });
  await page.goto(`${BASE}/practice?legalId=3&currencyId=1`);
  await page.getByRole('button', { name: 'Start practice' }).click();
  await page.getByText(/^Practice, no real money\. Replayed from/).waitFor();
  await page.getByLabel('Go to…').selectOption({ label: '06:00' });
  await page.getByRole('radio', { name: '60×' }).check({ force: true });

  // A limit above the market takes from the replayed book at once; a resting one waits for the record.
  const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
  await page.getByText('Practice order, no real money').waitFor();
  await form.getByRole('tab', { name: 'Market', exact: true }).click();
  await form.getByLabel('Amount', { exact: true }).fill('0.01');
  await form.getByRole('button', { name: 'Buy BTC', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(/^Practice: Bought 0\.01/).waitFor();
  await page.getByRole('button', { name: 'Play' }).click();
  const clock = page.getByText(/ 0[67]:\d\d:\d\d$/).first();
  await clock.filter({ hasNotText: '06:00:' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  const at = await clock.textContent();

  await page.reload();
  await page.getByRole('button', { name: 'Play' }).waitFor();
  expect(await clock.textContent()).toBe(at);
  await page.getByRole('tab', { name: 'Fills' }).click();
  const fills = page.getByRole('region', { name: 'Fills' }).getByText('Taker');
  await fills.first().waitFor();
  expect(await fills.count()).toBe(1);

  await page.getByRole('button', { name: 'End practice' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End practice' }).click();
  await page.getByRole('heading', { name: 'Result of your practice' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Result of your practice' }).waitFor();
  await page.getByRole('img', { name: /^Equity between/ }).waitFor();
  await page.getByRole('button', { name: 'Another day' }).click();
  await page.getByRole('button', { name: 'Start practice' }).waitFor();
  expect(sent).toEqual([]);
  expect(complaints.filter((one) => one.startsWith('uncaught'))).toEqual([]);
});
