import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { call, expect, FUND, newcomer, read, test, until } from '@bourse/web/testing';
import { balance, rich } from './people.js';
import { barriers, confirm, operatorAt, personAt } from './visitors.js';

// Money in and out, and by hand: each time two operators in two browsers of their own.

const USDT = 3;
const TRC20 = 4;
const TRON_ADDRESS = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';

const rowOf = (page: Page, id: string | number): Locator => page.locator(`tr[data-key="${id}"]`);

test.describe('money in and out', () => {
  test('a withdrawal above the ceiling is sent by two operators, not by the first alone [CONSOLE-200]', async () => {
    const person = await rich('20000');
    const asked = { address: TRON_ADDRESS, number: '10000', currency: USDT, type: TRC20, pay_password: FUND };
    const { id } = await call('/api/wallet/out', asked, person.token);
    const own = async (): Promise<{ state: string; tx_id: string } | undefined> =>
      (await read('/api/wallet/out_list', person.token)).data.find((row) => row.id === id);

    const one = await operatorAt('finance1', '/withdrawals?state=review');
    const two = await operatorAt('finance2', '/withdrawals?state=review');
    const [firstRow, secondRow] = [rowOf(one, String(id)), rowOf(two, String(id))];
    await firstRow.getByText('0/2', { exact: true }).waitFor();
    await secondRow.getByText('0/2', { exact: true }).waitFor();
    expect(await barriers(one)).toEqual([]);

    await firstRow.getByRole('button', { name: 'Approve' }).click();
    await one.getByRole('dialog').getByText('Your approval alone does not send it').waitFor();
    await confirm(one);
    await firstRow.getByText('1/2', { exact: true }).waitFor();
    await firstRow.getByText('Waits for a second person').waitFor();
    expect(await own()).toMatchObject({ state: 'review', tx_id: '' });
    // Who has approved is read from the audit trail; to them the button is gone.
    await firstRow.getByText('finance1', { exact: true }).waitFor();
    await firstRow.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });

    await two.reload();
    await secondRow.getByText('finance1', { exact: true }).waitFor();
    await secondRow.getByRole('button', { name: 'Approve' }).click();
    await confirm(two);
    await secondRow.waitFor({ state: 'detached' });
    const sent = await until(own, (row) => row !== undefined && row.tx_id !== '');
    expect(sent?.tx_id).toMatch(/./);
  });

  test('an adjustment of one is approved by another, and is in the statement [CONSOLE-201]', async () => {
    const person = await newcomer();
    const note = `lost parcel ${randomBytes(3).toString('hex')}`;
    const one = await operatorAt('finance1', `/adjustments?user_id=${person.id}`);
    await one.getByRole('button', { name: 'Ask for an adjustment' }).click();
    const dialog = one.getByRole('dialog');
    await dialog.locator('input[name=user_id]').fill(String(person.id));
    await dialog.getByLabel('Coin').selectOption({ label: 'USDT' });
    await dialog.locator('input[name=amount]').fill('25.5');
    await dialog.locator('input[name=reason_code]').fill('goodwill');
    await dialog.locator('textarea[name=note]').fill(note);
    expect(await barriers(one)).toEqual([]);
    await confirm(one);
    const asked = one.locator('tr[data-key]', { hasText: note });
    await asked.getByText('Waits for another operator').waitFor();
    // Who asked can take it back, and cannot approve it.
    expect(await asked.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await balance(person.token)).toBe('0.00000000');

    const two = await operatorAt('finance2', `/adjustments?user_id=${person.id}`);
    const waiting = two.locator('tr[data-key]', { hasText: note });
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await confirm(two);
    await waiting.getByText('Approved', { exact: true }).waitFor();
    await waiting.getByText('finance2', { exact: true }).waitFor();

    const { data } = await read('/api/statement/list?cause_type=adjustment', person.token);
    expect(data).toEqual([expect.objectContaining({ value: '25.50000000', info: expect.stringContaining(note) })]);
    expect(await balance(person.token)).toBe('25.50000000');
    // The person reads it on the page of the statement.
    const reader = await personAt(person, '/finanrec');
    await reader.getByText(note).first().waitFor();
  });
});
