import { readFileSync } from 'node:fs';
import { call, expect, funded, type Person, saveScreenshot, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, visit } from '../../../../test/browser.js';

let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { 3: '1000', 1: '0.5' } });
});

test('the reference currency is chosen once, shown everywhere, and follows the account [WALLET-UI-050]', async () => {
  const first = await visit();
  await holdSession(first.context, person);
  await first.page.goto(`${BASE}/finance`);
  await first.page
    .getByText(/^≈ \$[\d,]+\.\d\d$/)
    .first()
    .waitFor();
  await first.page.getByRole('button', { name: /^Currency of approximate values/ }).click();
  await first.page.getByRole('menuitemradio', { name: /^CNY/ }).click();
  await first.page
    .getByText(/^≈ CN¥[\d,]+\.\d\d$/)
    .first()
    .waitFor();
  expect(await first.page.getByText(/≈ \$/).count()).toBe(0);
  await saveScreenshot(first.page, 'wallet-cny');
  // Another browser of the same person.
  const { page, context, complaints } = await visit();
  await holdSession(context, person);
  await page.goto(`${BASE}/dealCenter`);
  await page
    .getByText(/^≈ CN¥[\d,]+\.\d\d$/)
    .first()
    .waitFor();
  await saveScreenshot(page, 'spot-cny');
  await page.goto(`${BASE}/`);
  await page
    .getByText(/^≈ CN¥[\d,]+\.\d\d$/)
    .first()
    .waitFor();
  await saveScreenshot(page, 'home-cny');
  await page.goto(`${BASE}/preferences`);
  expect(await page.getByRole('radio', { name: /^CNY/ }).isChecked()).toBe(true);
  expect(await page.getByRole('radio', { name: /^EUR/ }).count()).toBe(0);
  await page.getByText(/1 USDT = 6\.5 CNY/).waitFor();
  await page.getByText(/Index price of/).waitFor();
  await saveScreenshot(page, 'preferences');
  await page.getByRole('radio', { name: /^BTC/ }).check();
  await page.goto(`${BASE}/account/accountCenter`);
  await page
    .getByText(/^≈ \d+\.\d{8} BTC$/)
    .first()
    .waitFor();
  await call('/api/set/currency', { currency: 'USD' }, person.token);
  expect([...complaints, ...first.complaints]).toEqual([]);
});

test('value by day and profit are a chart and figures; a year is saved for taxes [WALLET-UI-051]', async () => {
  const { page, context, complaints } = await visit();
  await holdSession(context, person);
  await page.goto(`${BASE}/finance`);
  await page.locator('canvas').first().waitFor();
  await page.getByRole('radio', { name: '7 days' }).click();
  await page.getByRole('button', { name: 'Figures' }).click();
  const table = page.getByRole('region', { name: 'Value by day' });
  await table
    .getByText(/^≈ \$[\d,]+\.\d\d$/)
    .first()
    .waitFor();
  expect(await seriousBarriers(page, { without: ['region'] })).toEqual([]);
  await saveScreenshot(page, 'equity');
  await page.goto(`${BASE}/finanrec`);
  await page.getByLabel('Format').selectOption('cointracking');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV: Statement for taxes' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-cointracking\.csv$/);
  const [head, ...rows] = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(head).toContain('"Type","Buy Amount"');
  expect(rows.map((row) => row.split(',').slice(0, 3))).toEqual(
    expect.arrayContaining([
      ['Deposit', '1000.00000000', 'USDT'],
      ['Deposit', '0.50000000', 'BTC'],
    ]),
  );
  await saveScreenshot(page, 'statement-year');
  expect(complaints).toEqual([]);
});

test('on a phone, right to left, the wallet keeps its width, and an empty one shows it [WALLET-UI-052]', async () => {
  const { page, context } = await visit({ width: 390, height: 844, theme: 'white', locale: 'ar' });
  await holdSession(context, await funded({}));
  await page.goto(`${BASE}/finance`);
  await page.getByText('لا شيء لعرضه بعد').waitFor();
  await saveScreenshot(page, 'wallet-phone-empty');
  await page.goto('about:blank');
  await holdSession(context, person);
  await page.goto(`${BASE}/finance`);
  await page.locator('canvas').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(
    true,
  );
  await saveScreenshot(page, 'wallet-phone');
});
