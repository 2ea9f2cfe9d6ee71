import type { Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { call, expect, FUND, merchant, operatorToken, read, test, type Person } from '@bourse/web/testing';
import { BASE, demoSession, visitAs, type Visitor } from '../../../../test/browser.js';

const SCREEN = `${BASE}/account/aceite`;
let person: Person;
let customer: Visitor;
let desk: Visitor;
test.beforeAll(async () => {
  person = await merchant({ legal: { 3: '1000' } });
  customer = await visitAs(person);
  desk = await visitAs(await demoSession('acceptor@demo.bourse'));
});

/** Free USDT of the customer's fiat account, in hundredths. */
async function legal(): Promise<number> {
  interface Wallet {
    legal_wallet: { balance: { currency_name: string; legal_balance: string }[] };
  }
  const { legal_wallet: wallet } = (await call('/api/wallet/list', {}, person.token))['message'] as Wallet;
  return Math.round(Number(wallet.balance.find(({ currency_name: name }) => name === 'USDT')?.legal_balance) * 100);
}

const rowOf = (page: Page, list: 'My deals' | 'Orders', account: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: account }).first();

/** Orders from the acceptor of the demo as a person does. @returns the row of the new deal */
async function order(type: 'Deposit' | 'Withdraw', account: string) {
  const { page } = customer;
  await page.goto(SCREEN);
  await page.getByRole('button', { name: `${type}: Pier One` }).click();
  const form = page.getByRole('form', { name: 'Order' });
  await form.getByLabel('Mobile number').fill('13800001111');
  await form.getByLabel(type === 'Deposit' ? 'Account you pay from' : 'Account to be paid').fill(account);
  await form.getByLabel(type === 'Deposit' ? 'Pay (USD)' : 'Give (USDT)').fill('100');
  await form.getByRole('radio', { name: 'Bank' }).check();
  if (type === 'Withdraw') await form.getByLabel('Fund password').fill(FUND);
  await form.getByRole('button', { name: /^Order the/ }).click();
  const row = rowOf(page, 'My deals', account);
  await row.waitFor();
  return row;
}
async function atDesk(account: string) {
  await desk.page.goto(`${SCREEN}?tab=desk`);
  const row = rowOf(desk.page, 'Orders', account);
  await row.waitFor();
  return row;
}

test('a deposit is ordered, paid and confirmed: both see it at once [ACCUI-030]', async () => {
  const before = await legal();
  const row = await order('Deposit', '6217 0001');
  await row.getByText(/Your turn: pay .100.00. in fiat to .Pier One/).waitFor();
  await row.getByText(/^0000 1234/).waitFor();
  await row.getByRole('timer').waitFor();
  const waiting = await atDesk('6217 0001');
  await waiting.getByText(/Your turn: confirm when .100.00. in fiat have arrived/).waitFor();
  await waiting.getByRole('button', { name: 'Money has arrived' }).click();
  const dialog = desk.page.getByRole('dialog');
  await dialog.getByLabel('Fund password').fill(FUND);
  await dialog.getByRole('button', { name: 'Money has arrived' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Nobody presses anything here: the push of the balance brings the state.
  await row.getByText('Confirmed').waitFor();
  expect((await legal()) - before).toBe(9_800);
  expect([customer.complaints, desk.complaints]).toEqual([[], []]);
});

test('a withdrawal is transferred with its proof, objected to, and decided by finance [ACCUI-031]', async () => {
  const before = await legal();
  const row = await order('Withdraw', '6217 0002');
  await row.getByText(/Pier One.? sends you/).waitFor();
  expect(before - (await legal())).toBe(10_000);
  const waiting = await atDesk('6217 0002');
  await waiting.getByRole('button', { name: 'I have transferred' }).click();
  const sending = desk.page.getByRole('dialog');
  await sending
    .locator('input[type=file]')
    .setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer: await desk.page.screenshot() });
  await sending.getByText('Uploaded').waitFor();
  await sending.getByLabel('Fund password').fill(FUND);
  await sending.getByRole('button', { name: 'I have transferred' }).click();
  await sending.waitFor({ state: 'detached' });
  await row.getByText(/says that .98.00. in fiat were sent/).waitFor({ timeout: testTimeoutMs(6_000) });
  const picture = row.getByRole('link', { name: /^Proof of payment/ });
  await picture.waitFor();
  await customer.page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('li a img')].some(({ naturalWidth }) => naturalWidth > 0),
  );
  await row.getByRole('button', { name: 'Object' }).click();
  const objecting = customer.page.getByRole('dialog');
  await objecting.getByLabel('Reason').fill('Nothing has arrived');
  await objecting.getByRole('button', { name: 'Object' }).click();
  await objecting.waitFor({ state: 'detached' });
  await row.getByText('You objected').waitFor();
  expect(await row.getByRole('timer').count()).toBe(0);

  const token = await operatorToken('finance1');
  const { data } = await read('/api/admin/acceptor_deals?objected=1', token);
  const id = data.find(({ deal_account: account }) => account === '6217 0002')?.id ?? '';
  await call('/api/admin/acceptor_deals/decide', { id, outcome: 'reject', reason: 'No transfer was found' }, token);
  await row.getByText('Rejected').waitFor({ timeout: testTimeoutMs(6_000) });
  await row.getByText('No transfer was found').waitFor();
  expect((await legal()) - before).toBe(0);
  expect([customer.complaints, desk.complaints]).toEqual([[], []]);
});
