import { certified, expect, fitsWidth, type Person, saveScreenshot, screenBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, visit } from '../../../../test/browser.js';

const PHONE = { width: 390, height: 844 };
let person: Person;
test.beforeAll(async () => {
  person = await certified();
});

test('a person without a binding is led to it, binds, exchanges under the fund password [TERM-JC-010]', async () => {
  const { page, context } = await visit();
  await holdSession(context, person);
  await page.goto(`${BASE}/integralExchange`);
  await page.locator('main').getByText('Please bind your points account first').waitFor();
  await page.waitForURL(/\/bindInfo$/);
  const bind = page.locator('main form');
  await bind.getByRole('button', { name: 'Bind', exact: true }).click();
  await bind.getByText('Please enter the account').waitFor();
  await bind.getByLabel('Points account').fill('jcdemo that is far too long');
  expect(await bind.getByLabel('Points account').inputValue()).toHaveLength(20);
  await bind.getByLabel('Points account').fill('jcdemo');
  await bind.getByLabel('Password', { exact: true }).fill('wrong-one');
  await bind.getByRole('button', { name: 'Bind', exact: true }).click();
  await bind.getByText('The points account or its password is wrong').waitFor();
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'bind');
  await bind.getByLabel('Password', { exact: true }).fill('jcdemo1');
  await bind.getByRole('button', { name: 'Bind', exact: true }).click();
  await page.waitForURL(/\/integralExchange$/);

  const form = page.getByRole('form', { name: 'Exchange' });
  await form.getByLabel('Points to exchange').fill('501');
  await form.getByRole('button', { name: 'Exchange' }).click();
  await form.getByText('Not enough points can be exchanged').waitFor();
  await form.getByLabel('Points to exchange').fill('200');
  await form.getByText('≈ 18.09 HAP').waitFor();
  await form.getByRole('button', { name: 'Exchange' }).click();
  const question = page.getByRole('dialog');
  await question.getByLabel('Fund password').fill('fund66');
  await saveScreenshot(page, 'points-ask');
  await question.getByRole('button', { name: 'Exchange' }).click();
  await question.waitFor({ state: 'detached' });
  const row = page.getByRole('region', { name: 'Exchanges so far' }).getByRole('row').nth(1);
  await row.getByText('18.09').waitFor();
  expect(await row.textContent()).toContain('1.05');
  expect(await row.getByRole('link', { name: 'Complain' }).getAttribute('href')).toMatch(
    /^\/complaints\?kind=other&about=\d+$/,
  );
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'points');
  await context.close();

  // The menu has the item for who is in the programme, at its twin address too.
  const phone = await visit({ ...PHONE, theme: 'white', locale: 'ar' });
  await holdSession(phone.context, person);
  await phone.page.goto(`${BASE}/account/integralExchange`);
  await phone.page.locator('main form').waitFor();
  await phone.page.locator('main').getByRole('row').nth(1).waitFor();
  expect(await screenBarriers(phone.page)).toEqual([]);
  expect(await fitsWidth(phone.page)).toBe(true);
  await saveScreenshot(phone.page, 'points-phone-ar');
});

test('the points login only exchanges points, without a fund password [TERM-JC-011]', async () => {
  const { page } = await visit({ theme: 'white' });
  await page.goto(`${BASE}/integralExchanges`);
  const login = page.locator('main form');
  await login.getByRole('button', { name: 'Log in' }).click();
  expect(await login.getByRole('alert').count()).toBe(2);
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'points-login');
  await login.getByLabel('E-mail or phone').fill(person.account);
  await login.getByLabel('Password', { exact: true }).fill('Harbor-2468');
  await login.getByRole('button', { name: 'Log in' }).click();
  const form = page.getByRole('form', { name: 'Exchange' });
  await form.getByLabel('Points to exchange').fill('100');
  await form.getByText('≈ 9.04 HAP').waitFor();
  await form.getByRole('button', { name: 'Exchange' }).click();
  const question = page.getByRole('dialog');
  expect(await question.getByLabel('Fund password').count()).toBe(0);
  await question.getByRole('button', { name: 'Exchange' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Exchanges so far' }).getByText('9.04').first().waitFor();
  expect(await screenBarriers(page)).toEqual([]);
  await saveScreenshot(page, 'points-alone');
  // It lasts over a reload of its tab, and the terminal knows nothing of it.
  await page.reload();
  await form.waitFor();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await page.goto(`${BASE}/finance`);
  await page.waitForURL(/\/components\/login/);
  await page.goto(`${BASE}/integralExchanges`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await login.getByLabel('E-mail or phone').waitFor();
});
