import {
  call,
  expect,
  fitsWidth,
  FUND,
  funded,
  type Person,
  saveScreenshot,
  screenBarriers,
  test,
} from '@bourse/web/testing';
import { BASE, holdSession, visit } from '../../../../test/browser.js';

const PHONE = { width: 390, height: 844 };

let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { 3: '10000' } });
  // A term of 30 days: the list of terms has a row.
  const term = { config_id: 3, currency_id: 3, amount: '1000', password: FUND };
  await call('/api/currency/lhDeposit', term, person.token);
});

test('a guest sees the result of a term day by day, and the links to sign in [TERM-SAVE-010]', async () => {
  const { page, complaints } = await visit();
  await page.goto(`${BASE}/manage`);
  await page.getByRole('radio', { name: /^USDT/ }).click();
  await page.getByRole('radio', { name: /30 days/ }).click();
  await page.getByLabel('Amount').fill('1000');
  await page.getByText('+7 USDT').waitFor();
  await page.getByText('1,007 USDT').waitFor();
  const days = page.getByRole('region', { name: 'Interest day by day' }).getByRole('row');
  expect(await days.count()).toBe(31);
  expect(await days.nth(1).textContent()).toContain('0.23333333');
  expect(await days.nth(30).textContent()).toContain('7.00000000');
  await page.getByRole('img', { name: /^Interest rises from 0.23333333 USDT .* to 7 USDT after day 30/ }).waitFor();
  expect(await page.getByLabel('Fund password').count()).toBe(0);
  await page.locator('main').getByRole('link', { name: 'Log in' }).waitFor();
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'manage-guest');
  expect(complaints).toEqual([]);
});

for (const looks of [
  { theme: 'dark', locale: 'en', ...PHONE },
  { theme: 'white', locale: 'ar', ...PHONE },
  { theme: 'white', locale: 'en', width: 1440, height: 900 },
] as const)
  test(`both pages fit, ${looks.theme} ${looks.locale} ${looks.width}, without a barrier [TERM-SAVE-012]`, async () => {
    const { page, context, complaints } = await visit(looks);
    await holdSession(context, person);
    for (const path of ['/manage', '/manageList']) {
      await page.goto(`${BASE}${path}`);
      await page.locator('main').getByRole('row').nth(1).waitFor();
      expect(await screenBarriers(page)).toEqual([]);
      expect(await fitsWidth(page)).toBe(true);
      await saveScreenshot(page, `${path.slice(1)}-${looks.theme}-${looks.locale}-${looks.width}`);
    }
    expect(complaints).toEqual([]);
  });
