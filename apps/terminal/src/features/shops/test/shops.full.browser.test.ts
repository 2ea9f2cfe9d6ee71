import { mkdirSync } from 'node:fs';
import type { Shop } from '@bourse/contract';
import { expect, fitsWidth, screenBarriers, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, demoSession, visit, type Looks } from '../../../../test/browser.js';
import { SHOP, stubShops } from './stubs.js';

const PHONE = { width: 390, height: 844 };
let customer: { token: string; id: number };
let seller: { token: string; id: number };
test.beforeAll(async () => {
  [customer, seller] = await Promise.all([demoSession('trader3@demo.bourse'), demoSession('seller@demo.bourse')]);
});

/** A person at an address whose shops are stubbed; a guest without a session. */
async function at(path: string, session?: typeof customer, looks: Looks = {}, shops?: readonly Shop[]) {
  const visitor = await visit(looks);
  if (session) await holdSession(visitor.context, session);
  const stubs = await stubShops(visitor.page);
  stubs.shops = shops;
  await visitor.page.goto(`${BASE}${path}`);
  return { ...visitor, stubs };
}

test.describe('the market of shops', () => {
  test('is open to guests; a deal requires sign-in [SHOPUI-010]', async () => {
    const { page, complaints } = await at('/legalTrade');
    await page.getByRole('button', { name: /^Harbour Desk/ }).waitFor();
    await page.getByText('Verified').first().waitFor();
    await page.getByText('10 – 500 USDT').waitFor();
    expect(await screenBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: /^Buy USDT/ }).click();
    await page.waitForURL(/\/components\/login\?back=%2FlegalTrade/);
    expect(complaints).toEqual([]);
  });

  test('asks by side, coin, currency, way and amount [SHOPUI-011]', async () => {
    const { page, stubs } = await at('/legalTrade', customer);
    await page.getByRole('button', { name: /^Harbour Desk/ }).waitFor();
    await page.getByRole('radio', { name: 'CNY' }).click();
    await page.getByLabel('Payment method').selectOption('Bank transfer');
    await page.getByLabel('Amount to trade').fill('650');
    await page.getByRole('radio', { name: 'Sell' }).click();
    await page.getByText('No shop offers this now').waitFor();
    await page.getByRole('radio', { name: 'BTC' }).click();
    const wanted = { type: 'buy', currency_id: '1', coin_code: 'CNY', way: 'bank', money: '650', page: '1' };
    const newest = () => stubs.asked.filter(({ path }) => path === 'ads').at(-1)?.query;
    await expect.poll(newest).toEqual(wanted);
  });

  test('takes an ad by money with the total counted, and names the limits it refuses by [SHOPUI-012]', async () => {
    const { page, complaints, stubs } = await at('/legalTrade', customer);
    await page.getByRole('button', { name: /^Buy USDT/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('You pay').fill('32.5');
    expect(await dialog.getByLabel('You buy').inputValue()).toBe('5');
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Buy USDT' }).click();
    await dialog.getByText(/Only from .10 USDT. to .500 USDT/).waitFor();
    await dialog.getByLabel('You buy').fill('40');
    expect(await dialog.getByLabel('You pay').inputValue()).toBe('260.00');
    stubs.refuseNext = { key: 'legal.aboveMax', message: 'At most 500 USDT a deal' };
    await dialog.getByRole('button', { name: 'Buy USDT' }).click();
    await dialog.getByText('At most 500 USDT a deal').waitFor();
    expect(await seriousBarriers(page, { within: 'dialog' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Buy USDT' }).click();
    await page.waitForURL('**/c2cDetail?id=8001');
    expect(stubs.posted.at(-1)).toEqual({ path: 'do_deal', fields: { id: '71', number: '40', password: 'fund66' } });
    expect(complaints).toEqual([]);
  });

  test('shows a shop, and accepts the application of a person without one [SHOPUI-013]', async () => {
    const { page, stubs } = await at('/legalTrade', customer, {}, []);
    await page.getByRole('button', { name: /^Harbour Desk/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'Ads on offer' }).getByRole('listitem').waitFor();
    expect(await seriousBarriers(page, { within: 'dialog' })).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open a shop' }).click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('alert').first().waitFor();
    await dialog.getByLabel('Name of the shop').fill('Harbour Desk');
    await dialog.getByText(/Deposit .2,000 USDT., up to .50,000 USDT. a deal/).waitFor();
    await dialog.getByRole('radio', { name: /^Advanced/ }).check();
    await dialog.getByLabel('Fund password').fill('fund66');
    stubs.refuseNext = { key: 'balance.insufficient', message: 'Insufficient balance' };
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('Insufficient balance').waitFor();
    stubs.shops = [{ ...SHOP, status: 0 }];
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/Harbour Desk. is under review. .500 USDT. are held as its deposit/).waitFor();
    expect(stubs.posted.at(-1)).toEqual({
      path: 'shop_apply',
      fields: { name: 'Harbour Desk', currency_id: '3', level: 'advanced', password: 'fund66' },
    });
  });
});

test.describe('one’s own shops', () => {
  test('are for sellers [SHOPUI-014]', async () => {
    const { page } = await at('/myLegalShops', customer);
    await page.getByText('No permission: this page is for sellers only.').waitFor();
  });

  test('transfer the merchant balance up to its amount [SHOPUI-015]', async () => {
    const { page, complaints, stubs } = await at('/myLegalShops', seller);
    await page.getByText('20,000').first().waitFor();
    expect(await screenBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Move out' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Quantity').fill('20000.1');
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Move out' }).click();
    await dialog.getByText(/More than is there: at most .20,000 USDT/).waitFor();
    await dialog.getByLabel('Quantity').fill('150.5');
    await dialog.getByRole('button', { name: 'Move out' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)).toEqual({
      path: 'merchant_transfer',
      fields: { shop_id: '5', number: '150.5', direction: 'out', password: 'fund66' },
    });
    expect(complaints).toEqual([]);
  });

  test('publish with least, most and quantity, and take an ad off [SHOPUI-016]', async () => {
    const { page, stubs } = await at('/myLegalShops', seller);
    await page.getByRole('tab', { name: 'Publish an ad' }).click();
    const form = page.getByRole('form', { name: 'Sell USDT' });
    await form.getByText('Available in the merchant balance').waitFor();
    await form.getByRole('button', { name: 'Publish' }).click();
    for (const fault of ['Please enter the quantity', 'Please enter the minimum', 'Please enter the maximum'])
      await form.getByText(fault).waitFor();
    expect(await screenBarriers(page)).toEqual([]);
    for (const [name, value] of [
      ['Quantity', '100'],
      ['Price', '6.5'],
      ['Minimum per deal', '20'],
      ['Maximum per deal', '10'],
      ['Fund password', 'fund66'],
    ] as const)
      await form.getByLabel(name).fill(value);
    await form.getByText('The maximum is below the minimum').waitFor();
    await form.getByLabel('Maximum per deal').fill('50');
    await form.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('tab', { name: 'Ads', selected: true }).waitFor();
    expect(stubs.posted.at(-1)?.fields).toMatchObject({
      shop_id: '5',
      type: 'sell',
      total_number: '100',
      min_number: '20',
      max_number: '50',
    });
    await page.getByText('Taken off').waitFor();
    expect(await page.getByRole('button', { name: 'Remove ad' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Remove ad' }).click();
    await page.getByRole('dialog').getByLabel('Fund password').fill('fund66');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove ad' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)).toEqual({ path: 'back_send', fields: { id: '71', password: 'fund66' } });
  });

  test('list the deals of the shop, each a way to its page [SHOPUI-017]', async () => {
    const { page } = await at('/myLegalShops?tab=deals', seller);
    const row = page.getByRole('region', { name: 'Deals' }).locator('tbody tr');
    await row.getByText('tra****@demo.bourse').waitFor();
    expect(await row.getByRole('link').getAttribute('href')).toBe('/c2cDetail?id=8001');
    await page.getByRole('radio', { name: /Coin Corner/ }).click();
    await page.getByRole('tab', { name: 'Publish an ad' }).click();
    await page.getByText('Ads can be published once the shop is open.').waitFor();
  });
});

for (const { theme, locale } of [
  { theme: 'dark', locale: 'en' },
  { theme: 'white', locale: 'ar' },
] as const)
  test.describe(`in ${theme} and ${locale}`, () => {
    test('market, shop and publishing have no serious barrier and fit a phone [SHOPUI-018]', async () => {
      const { page, context } = await at('/legalTrade', seller, { theme, locale });
      const shots = process.env['SHOTS'];
      if (shots) mkdirSync(shots, { recursive: true });
      for (const [name, path] of [
        ['market', '/legalTrade'],
        ['ads', '/myLegalShops'],
        ['publish', '/myLegalShops?tab=publish'],
        ['deals', '/myLegalShops?tab=deals'],
      ] as const) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`${BASE}${path}`);
        await page.locator('main').getByText('Harbour Desk').first().waitFor();
        if (name === 'ads' || name === 'deals') await page.locator('main tbody tr').first().waitFor();
        expect([name, await screenBarriers(page)]).toEqual([name, []]);
        if (shots) await page.screenshot({ path: `${shots}/shop-${theme}-${name}.png`, fullPage: true });
        await page.setViewportSize(PHONE);
        expect([name, await fitsWidth(page)]).toEqual([name, true]);
        if (shots) await page.screenshot({ path: `${shots}/shop-${theme}-${name}-phone.png`, fullPage: true });
      }
      await context.close();
    });
  });
