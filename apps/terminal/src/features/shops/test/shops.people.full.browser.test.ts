import { testTimeoutMs } from '@bourse/testing/eventually';
import { call, expect, FUND, merchant, operatorToken, read, test } from '@bourse/web/testing';
import { BASE, demoSession, visitAs, type Visitor } from '../../../../test/browser.js';

let seller: Visitor;
let buyer: Visitor;
test.beforeAll(async () => {
  seller = await visitAs(await demoSession('seller@demo.bourse'));
  buyer = await visitAs(await merchant({ legal: { 3: '1000' } }));
});

async function move(direction: 'Move in' | 'Move out', quantity: string): Promise<void> {
  const { page } = seller;
  await page.getByRole('button', { name: direction }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Quantity').fill(quantity);
  await dialog.getByLabel('Fund password').fill(FUND);
  await dialog.getByRole('button', { name: direction }).click();
  await dialog.waitFor({ state: 'detached' });
}
/** The figures under "Merchant balance". */
const balanceShown = () =>
  seller.page.getByText('Merchant balance', { exact: true }).locator('..').locator('bdi').textContent();

test('a seller moves coins, applies for a second shop, and reads the decision [SHOPUI-020]', async () => {
  const { page, complaints } = seller;
  await page.goto(`${BASE}/myLegalShops`);
  await page.getByRole('heading', { name: 'Harbour Desk' }).waitFor();
  const before = await balanceShown();
  await move('Move out', '600');
  await page.waitForFunction(
    (was) => ![...document.querySelectorAll('bdi')].some(({ textContent }) => textContent === was),
    before,
  );
  await page.getByRole('button', { name: 'Open a shop' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Deposit .500 USDT., up to .5,000 USDT. a deal/).waitFor();
  await dialog.getByLabel('Name of the shop').fill('Coin Corner');
  await dialog.getByLabel('Coin', { exact: true }).selectOption('BTC');
  await dialog.getByLabel('Fund password').fill(FUND);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Coin Corner · BTC' }).click();
  await page.getByText('The exchange is reviewing your application.').waitFor();

  const support = await operatorToken('support1');
  const { data } = await read('/api/admin/shops?status=0', support);
  const id = String(data.find(({ name }) => name === 'Coin Corner')?.id);
  await call('/api/admin/shops/decide', { id, pass: '0', reason: 'One shop is enough' }, support);
  await page
    .getByText('The application was refused and the deposit came back.')
    .waitFor({ timeout: testTimeoutMs(6_000) });

  await page.getByRole('radio', { name: 'Harbour Desk · USDT' }).click();
  await move('Move in', '600');
  await page.waitForFunction(
    (was) => [...document.querySelectorAll('bdi')].some(({ textContent }) => textContent === was),
    before,
  );
  expect(complaints).toEqual([]);
});

/** An act of one of the two on the page of the deal. */
async function act({ page }: Visitor, name: string, first?: () => Promise<unknown>): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await first?.();
  await dialog.getByLabel('Fund password').fill(FUND);
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('an ad is published, taken by money, paid and released; the rest comes back [SHOPUI-021]', async () => {
  const { page } = seller;
  await page.goto(`${BASE}/myLegalShops?tab=publish`);
  const form = page.getByRole('form', { name: 'Sell USDT' });
  const before = await balanceShown();
  for (const [name, value] of [
    ['Quantity', '100'],
    ['Price', '6.4'],
    ['Minimum per deal', '10'],
    ['Maximum per deal', '50'],
    ['Fund password', FUND],
  ] as const)
    await form.getByLabel(name).fill(value);
  await form.getByText('100.1 USDT').waitFor();
  await form.getByRole('button', { name: 'Publish' }).click();
  const own = page.getByRole('region', { name: 'Ads' }).locator('tbody tr').filter({ hasText: '6.40 CNY' });
  await own.getByText('On the shelf').waitFor();

  await buyer.page.goto(`${BASE}/legalTrade`);
  const offered = buyer.page.locator('tbody tr').filter({ hasText: '6.40 CNY' });
  await offered.getByText('10 – 50 USDT').waitFor();
  await offered.getByRole('button', { name: /^Buy/ }).click();
  const dialog = buyer.page.getByRole('dialog');
  await dialog.getByLabel('You buy').fill('50.1');
  await dialog.getByLabel('Fund password').fill(FUND);
  await dialog.getByRole('button', { name: 'Buy USDT' }).click();
  await dialog.getByText(/Only from .10 USDT. to .50 USDT/).waitFor();
  await dialog.getByLabel('You pay').fill('128');
  expect(await dialog.getByLabel('You buy').inputValue()).toBe('20');
  await dialog.getByRole('button', { name: 'Buy USDT' }).click();
  await buyer.page.waitForURL('**/c2cDetail?id=*');
  await act(buyer, 'Paid');

  await page.getByRole('tab', { name: 'Deals' }).click();
  await page.getByRole('region', { name: 'Deals' }).locator('tbody tr').first().getByRole('link').first().click();
  await page.waitForURL('**/c2cDetail?id=*');
  await act(seller, 'Release the coins', () => page.getByLabel(/^I have seen/).check());
  await buyer.page.getByText('Completed').first().waitFor();

  await page.goto(`${BASE}/myLegalShops`);
  await own.getByText('80 USDT').waitFor();
  await own.getByRole('button', { name: 'Remove ad' }).click();
  await page.getByRole('dialog').getByLabel('Fund password').fill(FUND);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove ad' }).click();
  await own.getByText('Taken off').waitFor();
  const amount = (text: string | null): number => Number(text?.replace(/[^\d.]/g, ''));
  const spent = async (): Promise<string> => (amount(before) - amount(await balanceShown())).toFixed(2);
  await expect.poll(spent).toBe('20.02');
  expect([seller.complaints, buyer.complaints]).toEqual([[], []]);
});
