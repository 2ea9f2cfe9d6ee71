import { expect, funded, test, type Person } from '@bourse/web/testing';
import { visitAs } from './browser.js';

const PHONE = { width: 390, height: 844 };
let trader: Person;
test.beforeAll(async () => {
  trader = await funded({ change: { 3: '1000' }, lever: { 3: '5000' } });
});

test('an order that was typed on a phone stays while its sheet is closed [SPOTVIEW-090]', async () => {
  const { page } = await visitAs(trader, '/dealCenter?legalId=3&currencyId=1', PHONE);
  const open = page.locator('.sticky').getByRole('button', { name: /^Buy/ });
  await open.click();
  const form = page.getByRole('dialog').getByRole('form', { name: 'Buy BTC/USDT' });
  const amount = form.getByRole('textbox', { name: /^Amount/ });
  await form.getByRole('textbox', { name: 'Price', exact: true }).fill('41000');
  await amount.fill('0.0123');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await open.click();
  await expect(amount).toHaveValue('0.0123');
  await expect(form.getByRole('textbox', { name: 'Price', exact: true })).toHaveValue(/^41,?000/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await expect(form).toBeHidden();
});

test('a leverage order that was typed on a phone stays while its sheet is closed [LEVERUI-070]', async () => {
  const { page } = await visitAs(trader, '/leverdealCenter?legalId=3&currencyId=1', PHONE);
  const open = page.getByRole('button', { name: /long$/i }).last();
  await open.click();
  const form = page.getByRole('dialog').getByRole('form', { name: 'Leverage order in BTC/USDT' });
  const contracts = form.getByRole('textbox', { name: 'Contracts' });
  await form.getByLabel('Leverage multiple').selectOption('20');
  await contracts.fill('2');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await open.click();
  await expect(contracts).toHaveValue('2');
  await expect(form.getByLabel('Leverage multiple')).toHaveValue('20');
});
