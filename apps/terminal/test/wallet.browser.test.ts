import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { BASE, holdSession, openBrowser, tokenOf, visit, type Visitor } from './browser.js';

jest.setTimeout(240_000);

/** A TRON address outside the exchange: its checksum is right, and nobody here owns it. */
const OUTSIDE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const FUND_PASSWORD = 'fund66';
/** USDT and its TRC20 network (rules §15). */
const USDT = { id: 3, trc20: 4 };

let browser: Browser;
let session: { token: string; id: number };
let person: Visitor;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  // Nobody else of the demo starts with nothing: all this person has came in here.
  session = await tokenOf('agent@demo.bourse');
  person = await visit(browser);
  await holdSession(person.context, session);
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = person.page;
});
afterAll(async () => {
  await browser.close();
});

async function call<T>(path: string, fields?: Record<string, string>): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    headers: { authorization: session.token },
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  });
  const body = (await response.json()) as { type: string; message: T };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
const available = async (): Promise<string> =>
  (await call<{ change_balance: string }>('/api/wallet/get_info', { currency: String(USDT.id) })).change_balance;
/** Sends coins to the person's own address on the simulated chain, as a stranger would. */
const pay = async (number: string): Promise<void> => {
  const address = await call<string>('/api/wallet/get_in_address', {
    currency: String(USDT.id),
    type: String(USDT.trc20),
  });
  await call('/dev/chain/deposit', { address, number, currency: String(USDT.id), type: String(USDT.trc20) });
};
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

describe('deposits', () => {
  test('the address shows with its picture; what arrives is seen by block until credited [WALLET-UI-001]', async () => {
    const before = await available();
    await page.goto(`${BASE}/rechargeMoney?id=${USDT.id}&current=USDT`);
    await page.getByText('TRC20', { exact: true }).click();
    const address = await call<string>('/api/wallet/get_in_address', {
      currency: String(USDT.id),
      type: String(USDT.trc20),
    });
    await page.getByText(address, { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Address for USDT on TRC20 as a QR code' }).waitFor();
    await page.getByRole('button', { name: 'Copy: Deposit address' }).click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

    await pay('2500.5');
    const deposit = row('+2,500.50000000 USDT');
    await deposit.waitFor();
    await deposit.getByText('Credited').waitFor({ timeout: 90_000 });
    expect(await deposit.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('6');
    expect(minus(await available(), before)).toBe('2500.50000000');
  });

  test('what is below the minimum says what is missing, and goes back on request [WALLET-UI-002]', async () => {
    await pay('40');
    await page.goto(`${BASE}/rechargeMoney?id=${USDT.id}&current=USDT`);
    const deposit = row('+40.00000000 USDT');
    await deposit.getByText('Kept: below the minimum').waitFor({ timeout: 90_000 });
    await deposit.getByText(/Kept so far \S?40\S? of \S?100\S? USDT\. Deposit another \S?60\S? USDT/).waitFor();
    await deposit.getByRole('button', { name: 'Send back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send back' }).click();
    await dialog.getByText('The fund password is exactly 6 letters or digits').waitFor();
    await dialog.getByLabel('Address it goes to').fill(OUTSIDE);
    await dialog.getByLabel('Fund password').fill(FUND_PASSWORD);
    await dialog.getByRole('button', { name: 'Send back' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('+40.00000000 USDT').getByText('Sent back').waitFor({ timeout: 60_000 });
  });

  test('a claim is sent and stands among the claims [WALLET-UI-003]', async () => {
    await page.getByText('Deposit not arrived?').click();
    const form = page.getByRole('form', { name: 'Deposit not arrived?' });
    await form.getByRole('button', { name: 'Send claim' }).click();
    await form.getByText('Please enter the transaction or the sender').waitFor();
    await form.getByLabel('Amount (USDT)').fill('77,5');
    await form.getByLabel('Transaction or sender').fill('f00dfeed');
    await form.getByRole('button', { name: 'Send claim' }).click();
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLInputElement>('form[aria-label="Deposit not arrived?"] [name=account]')?.value ===
        '',
    );
    await page.goto(`${BASE}/account/chargeRecord?current=${USDT.id}`);
    const claim = page.getByRole('row').filter({ hasText: 'f00dfeed' });
    await claim.getByText('77.50000000 USDT').waitFor();
    await claim.getByText('Not reviewed yet').waitFor();
  });
});

describe('withdrawals', () => {
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
    await form.getByLabel('Fund password').fill(FUND_PASSWORD);
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
    const inbox = await call<{ scene: string; code: string }[]>(`/dev/inbox?scene=draw_address&limit=5`);
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
    await call('/dev/clock', { advance_seconds: String(24 * 3_600 + 60) });
    await page.reload();
    const form2 = await openPanel();
    await form2.getByText(OUTSIDE, { exact: true }).waitFor();
    // What the field cannot take is refused in words, and changes nothing (terminal rule 2).
    await form2.getByLabel('Quantity').fill('15');
    await form2.getByLabel('Quantity').fill('15e1');
    await form2.getByText('Only digits and one decimal point').waitFor();
    expect(await form2.getByLabel('Quantity').inputValue()).toBe('15');
    await form2.getByLabel('Quantity').fill('150');
    await form2.getByText('148.50000000 USDT', { exact: true }).waitFor();
    await form2.getByLabel('Fund password').fill(FUND_PASSWORD);
    await form2.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('dialog', { name: 'Withdraw now?' }).getByRole('button', { name: 'Confirm' }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('form[aria-label="Withdraw USDT"] [name=number]')?.value === '',
    );
    await page.goto(`${BASE}/account/coinRecord?tab=withdrawals`);
    const withdrawal = row('150.00000000 USDT');
    await withdrawal.getByRole('button', { name: 'Copy: Transaction' }).waitFor({ timeout: 90_000 });
    await withdrawal
      .getByRole('listitem')
      .filter({ hasText: 'Done' })
      .filter({ hasText: '✓' })
      .waitFor({ timeout: 90_000 });
    expect(person.complaints).toEqual([]);
  });
});

describe('records', () => {
  test('a transfer by its own page shows both balances and leads to the list [WALLET-UI-020]', async () => {
    await page.goto(`${BASE}/transferLegal`);
    const form = page.getByRole('form', { name: 'Transfer between accounts' });
    await form.getByLabel('Coin', { exact: true }).selectOption({ label: 'USDT' });
    await form.getByRole('button', { name: 'Transfer', exact: true }).click();
    await form.getByText('Please enter an amount').waitFor();
    await form.getByLabel('Amount').fill('12.5');
    await form.getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(/\/legal$/);
  });

  test('the statement names every cause, is checked against its sums, is saved as a file [WALLET-UI-021]', async () => {
    await page.goto(`${BASE}/finanrec`);
    await page.getByText('Every balance equals the sum of its journals').waitFor();
    await page.getByRole('button', { name: 'Sums per account' }).click();
    const sums = page.getByRole('region', { name: 'Sums per account' });
    await sums.getByText('✓ Yes').filter({ visible: true }).first().waitFor();
    expect(await sums.getByText('✗').count()).toBe(0);
    const list = page.getByRole('region', { name: 'Statement' });
    await list
      .getByRole('link', { name: /Withdrawal/ })
      .first()
      .waitFor();
    await page.getByLabel('Cause', { exact: true }).selectOption({ label: 'Transfer' });
    await list.getByRole('row').filter({ hasText: '-12.50000000 USDT' }).first().waitFor();
    expect(await list.getByRole('link', { name: /Withdrawal/ }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^statement-\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines[0]).toBe(
      'time,account,state,currency,amount,balance_after,is_fee,cause_type,cause_id,journal_id,info',
    );
    expect(lines.slice(1).length).toBeGreaterThanOrEqual(2);
    expect(lines.slice(1).every((line) => line.includes(',transfer,'))).toBe(true);
  });

  test('a proof is fetched and hashed again in the browser; a changed one is found out [WALLET-UI-022]', async () => {
    // Somebody who had coins when the snapshot was taken.
    const { page, context, complaints } = await visit(browser);
    await holdSession(context, await tokenOf('trader3@demo.bourse'));
    await page.goto(`${BASE}/solvency`);
    await page.getByRole('table').getByText('USDT', { exact: true }).waitFor();
    await page.getByText('simulated chain').waitFor();
    await page.getByRole('button', { name: 'Check my balance' }).click();
    await page.getByText(/✓ Your .* USDT are part of the .* USDT the exchange owes\./).waitFor();
    await page.getByText('The root is the one published to everyone.').waitFor();
    expect(await page.getByRole('status').getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
    await page.getByText('Check a proof by hand').click();
    const form = page.getByRole('form', { name: 'Check a proof by hand' });
    const proof = await form.locator('textarea').inputValue();
    await form.getByRole('button', { name: 'Check this proof' }).click();
    await page.getByText(/✓ Your .* are part of/).waitFor();
    const changed = JSON.parse(proof) as { leaf: { balance: string } };
    changed.leaf.balance = '1';
    await form.locator('textarea').fill(JSON.stringify(changed));
    await form.getByRole('button', { name: 'Check this proof' }).click();
    await page.getByText('✗ The leaf is not of this person and balance.').waitFor();
    await form.locator('textarea').fill('nothing');
    await form.getByRole('button', { name: 'Check this proof' }).click();
    await page.getByText('This is not a proof.').waitFor();
    expect(complaints).toEqual([]);
  });
});
