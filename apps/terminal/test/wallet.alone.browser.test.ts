import type { Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { certified, expect, FUND, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, holdSession, visit, type Visitor } from './browser.js';
import { OUTSIDE, payIn, readAddress, USDT } from './wallet-calls.js';

test.describe.configure({ mode: 'serial' });

let session: Person;
let person: Visitor;
let page: Page;
test.beforeAll(async () => {
  session = await certified();
  person = await visit();
  await holdSession(person.context, session);
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = person.page;
});

const available = async (): Promise<string> =>
  (await callAs<{ change_balance: string }>(session, '/api/wallet/get_info', { currency: String(USDT.id) }))
    .change_balance;
const minus = (a: string, b: string): string => {
  const cut = (text: string): bigint => BigInt(text.replace('.', ''));
  const text = (cut(a) - cut(b)).toString().padStart(9, '0');
  return `${text.slice(0, -8)}.${text.slice(-8)}`;
};
const row = (text: string) =>
  page
    .getByRole('list', { name: /^(Deposits|Withdrawals)$/ })
    .getByRole('listitem')
    .filter({ hasText: text })
    .first();

test.describe('deposits', () => {
  test('the address has its picture; a deposit is shown by block until credited [WALLET-UI-001]', async () => {
    const before = await available();
    await page.goto(`${BASE}/rechargeMoney?id=${USDT.id}&current=USDT`);
    await page.getByText('TRC20', { exact: true }).click();
    const address = await readAddress(session);
    await page.getByText(address, { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Address for USDT on TRC20 as a QR code' }).waitFor();
    await page.getByRole('button', { name: 'Copy: Deposit address' }).click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

    await payIn(session, '2500.5');
    const deposit = row('+2,500.50000000 USDT');
    await deposit.waitFor();
    await deposit.getByText('Credited').waitFor({ timeout: testTimeoutMs(18_000) });
    expect(await deposit.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('6');
    expect(minus(await available(), before)).toBe('2500.50000000');
  });

  test('on a demo install one press sends coins to the own address [WALLET-UI-024]', async () => {
    const before = await available();
    await page.goto(`${BASE}/rechargeMoney?id=${USDT.id}&current=USDT`);
    await page.getByRole('button', { name: /^Get .10,000 USDT. for the demo$/ }).click();
    await page.getByText(/^.10,000 USDT. are on their way to your account$/).waitFor();
    await row('+10,000.00000000 USDT')
      .getByText('Credited')
      .waitFor({ timeout: testTimeoutMs(18_000) });
    expect(minus(await available(), before)).toBe('10000.00000000');
  });
});

test.describe('withdrawals', () => {
  const openPanel = async (): Promise<ReturnType<Page['getByRole']>> => {
    await page.goto(`${BASE}/finance`);
    await page.getByRole('button', { name: 'Withdraw USDT' }).click();
    const form = page.getByRole('form', { name: 'Withdraw USDT' });
    await form.getByText('TRC20', { exact: true }).click();
    return form;
  };

  test('one panel is open at a time, and pressing it again closes it [WALLET-UI-010]', async () => {
    await page.goto(`${BASE}/finance`);
    await page.getByRole('button', { name: 'Deposit BTC' }).click();
    await page.getByRole('region', { name: 'Deposit BTC' }).waitFor();
    await page.getByRole('button', { name: 'Withdraw USDT' }).click();
    await page.getByRole('form', { name: 'Withdraw USDT' }).waitFor();
    expect(await page.getByRole('region', { name: 'Deposit BTC' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Withdraw USDT' }).click();
    expect(await page.getByRole('form', { name: 'Withdraw USDT' }).count()).toBe(0);
  });

  test('a large one waits in review and is taken back: the amount returns [WALLET-UI-011]', async () => {
    const before = await available();
    const form = await openPanel();
    await form.getByLabel('Quantity').fill('5');
    await form.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await form
      .getByText(/at least \S?10\S? USDT|minimum.*10/i)
      .first()
      .waitFor();
    await form.getByLabel('Address').fill(OUTSIDE);
    await form.getByLabel('Quantity').fill('1500');
    await form.getByText('15.00000000 USDT', { exact: true }).waitFor();
    await form.getByText('1,485.00000000 USDT', { exact: true }).waitFor();
    await form.getByLabel('Fund password').fill(FUND);
    await form.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw now?' });
    await dialog.getByText(OUTSIDE).waitFor();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('form[aria-label="Withdraw USDT"] [name=number]')?.value === '',
    );
    expect(minus(before, await available())).toBe('1500.00000000');

    await page.goto(`${BASE}/account/coinRecord?tab=withdrawals`);
    const withdrawal = row('1,500.00000000 USDT');
    await withdrawal.getByRole('listitem').filter({ hasText: 'In review' }).waitFor();
    await withdrawal.getByRole('button', { name: 'Cancel withdrawal' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel withdrawal' }).click();
    await withdrawal.getByText('Cancelled, returned').waitFor();
    expect(await available()).toBe(before);
  });

  test('an address is bound with a code, cools, then receives; the sent shows its hash [WALLET-UI-012]', async () => {
    await page.goto(`${BASE}/withdraw_address?id=${USDT.id}`);
    await page.getByText('TRC20', { exact: true }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /Again in/ }).waitFor();
    const inbox = await callAs<{ scene: string; code: string }[]>(session, `/dev/inbox?scene=draw_address&limit=5`);
    const form = page.getByRole('form', { name: 'Withdrawal addresses' });
    await form.getByLabel('Address').fill(OUTSIDE);
    await form.getByLabel('Verification code').fill(inbox[0]?.code ?? '');
    await form.getByRole('button', { name: 'Bind address' }).click();
    const bound = page
      .getByRole('list', { name: 'Bound addresses' })
      .getByRole('listitem')
      .filter({ hasText: OUTSIDE });
    await bound.getByText(/Usable in \S+/).waitFor();

    const cooling = await openPanel();
    await cooling.getByText(/Usable in \S+/).waitFor();
    // A day of the exchange's clock later it may be used.
    await callAs(session, '/dev/clock', { advance_seconds: String(24 * 3_600 + 60) });
    // The page of withdrawals has the same form, with its list below.
    await page.goto(`${BASE}/finance`);
    await page.getByRole('main').getByRole('link', { name: 'Withdraw', exact: true }).last().click();
    await page.getByRole('heading', { name: 'Withdraw coins' }).waitFor();
    const form2 = page.getByRole('form', { name: 'Withdraw USDT' });
    await form2.getByText('TRC20', { exact: true }).click();
    await form2.getByText(OUTSIDE, { exact: true }).waitFor();
    // What the field cannot take is refused in words, and changes nothing (terminal rule 2).
    await form2.getByLabel('Quantity').fill('15');
    await form2.getByLabel('Quantity').fill('15e1');
    await form2.getByText('Only digits and one decimal point').waitFor();
    expect(await form2.getByLabel('Quantity').inputValue()).toBe('15e1');
    await form2.getByLabel('Quantity').fill('150');
    await form2.getByText('148.50000000 USDT', { exact: true }).waitFor();
    await form2.getByLabel('Fund password').fill(FUND);
    await form2.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('dialog', { name: 'Withdraw now?' }).getByRole('button', { name: 'Confirm' }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('form[aria-label="Withdraw USDT"] [name=number]')?.value === '',
    );
    const withdrawal = row('150.00000000 USDT');
    await withdrawal.getByRole('button', { name: 'Copy: Transaction' }).waitFor({ timeout: testTimeoutMs(18_000) });
    await withdrawal
      .getByRole('listitem')
      .filter({ hasText: 'Done' })
      .filter({ hasText: '✓' })
      .waitFor({ timeout: testTimeoutMs(18_000) });
    expect(person.complaints).toEqual([]);
  });
});
