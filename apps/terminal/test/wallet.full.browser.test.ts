import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { expect, FUND, funded, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, demoSession, holdSession, visit, type Visitor } from './browser.js';
import { OUTSIDE, payIn, USDT } from './wallet-calls.js';

test.describe.configure({ mode: 'serial' });

let session: Person;
let person: Visitor;
let page: Page;
test.beforeAll(async () => {
  session = await funded({ change: { [USDT.id]: '3000' } });
  // A withdrawal, which the statement names.
  const out = { currency: String(USDT.id), type: String(USDT.trc20), address: OUTSIDE, number: '150' };
  await callAs(session, '/api/wallet/out', { ...out, pay_password: FUND });
  person = await visit();
  await holdSession(person.context, session);
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = person.page;
});

const row = (text: string) =>
  page
    .getByRole('list', { name: /^(Deposits|Withdrawals)$/ })
    .getByRole('listitem')
    .filter({ hasText: text })
    .first();

test.describe('deposits', () => {
  test('a deposit below the minimum shows the missing amount, and returns on request [WALLET-UI-002]', async () => {
    await payIn(session, '40');
    await page.goto(`${BASE}/rechargeMoney?id=${USDT.id}&current=USDT`);
    const deposit = row('+40.00000000 USDT');
    await deposit.getByText('Kept: below the minimum').waitFor({ timeout: testTimeoutMs(18_000) });
    await deposit.getByText(/Kept so far \S?40\S? of \S?100\S? USDT\. Deposit another \S?60\S? USDT/).waitFor();
    await deposit.getByRole('button', { name: 'Send back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send back' }).click();
    await dialog.getByText('The fund password is exactly 6 letters or digits').waitFor();
    await dialog.getByLabel('Address it goes to').fill(OUTSIDE);
    await dialog.getByLabel('Fund password').fill(FUND);
    await dialog.getByRole('button', { name: 'Send back' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('+40.00000000 USDT')
      .getByText('Sent back')
      .waitFor({ timeout: testTimeoutMs(12_000) });
  });

  test('a claim is sent and listed among the claims [WALLET-UI-003]', async () => {
    await page.goto(`${BASE}/rechargeMoney?id=${USDT.id}&current=USDT`);
    await page.getByText('Deposit not arrived?').click();
    const form = page.getByRole('form', { name: 'Deposit not arrived?' });
    await form.getByRole('button', { name: 'Send claim' }).click();
    await form.getByText('Please enter the transaction or the sender').waitFor();
    await form.getByLabel('Amount (USDT)').fill('77.5');
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

test.describe('records', () => {
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
    const transfer = list.getByRole('row').filter({ hasText: '-12.50000000 USDT' }).first();
    await transfer.waitFor();
    expect(await transfer.textContent()).toContain('+12.50000000 USDT');
    expect(await list.getByRole('link', { name: /Withdrawal/ }).count()).toBe(0);
    // A press shows the lines of the journal.
    await transfer.getByRole('button', { name: /^Journal \d+$/ }).click();
    const booked = page.getByRole('dialog', { name: /^Journal \d+$/ }).getByRole('row');
    for (const account of ['Coin', 'Fiat'])
      await booked
        .filter({ hasText: `${account} · Available` })
        .getByText(/^[+-]12\.50000000 USDT$/)
        .waitFor();
    await page.keyboard.press('Escape');
    // Holds are shown when they are asked for.
    await page.getByLabel('Cause', { exact: true }).selectOption({ label: 'Withdrawal' });
    await list.getByText('Withdrawal').first().waitFor();
    expect(await list.getByText('Funds held for a withdrawal').count()).toBe(0);
    await page.getByLabel('Show frozen and released amounts').check();
    await list.getByText('Funds held for a withdrawal').first().waitFor();
    // A text that is no date is said when the field is left; a date makes the period one's own.
    const from = page.getByLabel('From time');
    await from.fill('2026-02-30 10:00');
    await expect(page.getByText('Write the date as')).toHaveCount(0);
    await from.blur();
    await page.getByText('Write the date as 2026-01-31 18:30.').waitFor();
    await from.fill('2020-01-01 00:00');
    await expect(page.getByText('Write the date as')).toHaveCount(0);
    await expect(page.getByRole('radio', { name: '7 days' })).not.toBeChecked();
    await page.getByRole('radio', { name: '7 days' }).click();
    await expect(from).toHaveValue(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
    await page.getByLabel('Cause', { exact: true }).selectOption({ label: 'Transfer' });
    await transfer.waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^statement(-\d{4}-\d{2}-\d{2}){2}\.csv$/);
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
    const { page, context, complaints } = await visit();
    await holdSession(context, await demoSession('trader3@demo.bourse'));
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
