import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { MAKER_ID } from '@bourse/contract';
import { call, expect, newcomer, operatorToken, read, test, until } from '@bourse/web/testing';
import { barriers, confirm, operatorAt } from './visitors.js';

// The books of the house as operators read them, and the house's own money, which two of them move.

const USDT = '3';
const TRC20 = '4';

/** Somebody who has just registered and been sent USDT by the simulated chain; the number of the deposit. */
async function depositOf(number: string, finance: string): Promise<{ person: string; account: string; cause: string }> {
  const { id, account, token } = await newcomer();
  const { message: address } = await call('/api/wallet/get_in_address', { currency: USDT, type: TRC20 }, token);
  await call('/dev/chain/deposit', { address: address as string, number, currency: USDT, type: TRC20 });
  await call('/dev/chain/blocks', { count: '8' });
  const { data } = await until(
    () => read(`/api/admin/journals?user_id=${id}&cause_type=deposit`, finance),
    ({ data: journals }) => journals.length > 0,
  );
  return { person: String(id), account, cause: data[0]?.cause_id ?? '' };
}
/** Decimal text as a whole number of its last place. */
const unitsOf = (text: string): bigint => BigInt(text.replace(/[.,]/g, ''));
const amountIn = (row: Locator): Promise<string> => row.getByRole('cell').last().innerText();

test.describe('the books in the console', () => {
  test('an operator finds the journal of a deposit, and its legs sum to zero [CONSOLE-210]', async () => {
    const { person, account, cause } = await depositOf('1234.5', await operatorToken('finance1'));
    const page = await operatorAt('finance1', '/journals');
    await page.locator('tr[data-row="0"]').waitFor();
    await page.locator('input[name=user_id]').fill(person);
    await page.keyboard.press('Enter');
    await page.locator('input[name=cause_type]').fill('deposit');
    await page.keyboard.press('Enter');
    await page.locator('input[name=cause_id]').fill(cause);
    // The list of all three filters, not that of the first two.
    await Promise.all([
      page.waitForResponse((response) => response.url().includes(`cause_id=${cause}`)),
      page.keyboard.press('Enter'),
    ]);
    const row = page.locator('tr[data-key]', { hasText: person });
    await row.getByText('0 USDT', { exact: true }).waitFor();
    expect(await page.locator('tr[data-key]').count()).toBe(1);
    expect(await row.getByRole('link', { name: account }).getAttribute('href')).toContain(`/users/${person}`);

    // Enter opens it, with every leg.
    await row.focus();
    await page.keyboard.press('Enter');
    const legs = page.getByRole('dialog').locator('[data-currency=USDT]');
    await legs.locator('tbody tr').first().waitFor();
    const amounts = await Promise.all((await legs.locator('tbody tr').all()).map(amountIn));
    expect(amounts.toSorted()).toEqual(['-1,234.50000000', '1,234.50000000']);
    expect(amounts.reduce((sum, text) => sum + unitsOf(text), 0n)).toBe(0n);
    expect(await legs.locator('[data-sum]').innerText()).toBe('0.00000000 USDT');
    expect(await barriers(page)).toEqual([]);
  });

  test('an operator saves the journals of a day as a file that holds every leg [CONSOLE-211]', async () => {
    const newest = '/api/admin/journals?limit=1';
    const [known] = (await read(newest, await operatorToken('finance1'))).data;
    const day = known?.time.slice(0, 10) ?? '';

    const page = await operatorAt('finance1', '/exports');
    await page.getByLabel('What', { exact: true }).selectOption('journals');
    await page.locator('input[name=from]').fill(day);
    await page.locator('input[name=to]').fill(day);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`journals-${day}-${day}.csv`);
    const [head = '', ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(head.replace('\uFEFF', '').split(',')).toEqual(
      expect.arrayContaining(['journal_id', 'cause_type', 'owner', 'currency', 'amount']),
    );
    const saved = lines
      .filter((line) => line.includes(`,${known?.id},`))
      .map((line) => line.split(',').slice(1).join(','));
    const legs = known?.legs.map(({ owner, account, state, currency, amount }) =>
      [known.id, known.cause_type, known.cause_id, owner, account, state, currency, amount].join(','),
    );
    expect(legs?.length).toBeGreaterThan(1);
    expect(saved.toSorted()).toEqual(legs?.toSorted());
    await page.getByText(`Saved as journals-${day}-${day}.csv.`).waitFor();

    // A span that ends before it begins is asked of nobody.
    await page.locator('input[name=to]').fill('2020-01-01');
    await page.getByText('The first day is after the last.').waitFor();
    expect(await page.getByRole('button', { name: 'Save as CSV' }).isDisabled()).toBe(true);
    expect(await barriers(page)).toEqual([]);
  });

  test('money of the house moves when two operators want it, not by one [CONSOLE-213]', async () => {
    const note = `moved in a test ${randomBytes(3).toString('hex')}`;
    const finance = await operatorToken('finance1');
    const balance = async (account: string): Promise<bigint> => {
      const rows = await read('/api/admin/house', finance);
      return unitsOf(rows.find((row) => row.account === account && row.currency === 'USDT')?.balance ?? '0.00000000');
    };
    const before = await balance('h.points');

    const one = await operatorAt('finance1', '/house?account=h.points');
    await one.getByRole('button', { name: 'Move money' }).click();
    const dialog = one.getByRole('dialog');
    await dialog.getByLabel('From', { exact: true }).selectOption('h.capital');
    await dialog.getByLabel('To', { exact: true }).selectOption('h.points');
    await dialog.getByLabel('Coin', { exact: true }).selectOption({ label: 'USDT' });
    await dialog.locator('input[name=amount]').fill('2.5');
    await dialog.locator('textarea[name=note]').fill(note);
    expect(await barriers(one)).toEqual([]);
    await confirm(one);
    const asked = one.locator('tr', { hasText: note });
    await asked.getByRole('button', { name: 'Take back' }).waitFor();
    // Who asked can take it back, and cannot approve it.
    expect(await asked.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(await balance('h.points')).toBe(before);

    const two = await operatorAt('finance2', '/house?account=h.points&currency=usdt');
    const waiting = two.locator('tr', { hasText: note });
    await waiting.getByText('h.capital → h.points').waitFor();
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await confirm(two);
    await waiting.waitFor({ state: 'detached' });
    const after = await until(
      () => balance('h.points'),
      (now) => now !== before,
    );
    expect(after - before).toBe(250_000_000n);
    await two.locator('[data-list=house]').getByRole('button', { name: 'Refresh' }).click();
    const shown = two.locator('tr[data-key="h.points USDT"]');
    await until(
      async () => unitsOf(await shown.getByRole('cell').nth(2).innerText()),
      (now) => now === after,
    ).then((now) => expect(now).toBe(after));
  });

  test('every check of the auditors is shown, and is right [CONSOLE-214]', async () => {
    const page = await operatorAt('support1', '/reconciliation');
    await page.getByText('Everything adds up').waitFor();
    const { checks } = await read('/api/admin/reconciliation', await operatorToken('support1'));
    expect(checks.length).toBeGreaterThan(10);
    const rows = page.locator('tr[data-key]');
    await rows.first().waitFor();
    const names = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-key')));
    expect(names.toSorted()).toEqual(
      checks
        .slice(0, 50)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(await rows.getByText('Right', { exact: true }).count()).toBe(names.length);
    await page.getByLabel('Result', { exact: true }).selectOption('0');
    await page.getByText('Nothing here.').waitFor();
  });

  test('orders of one person are listed, and the next product keeps the person [CONSOLE-215]', async () => {
    const page = await operatorAt('support1', `/orders?user_id=${MAKER_ID}`);
    const owners = page.locator('[data-list="orders.spot"] tr[data-key] a[href*="/users/"]');
    await owners.first().waitFor();
    expect([...new Set(await owners.allInnerTexts())]).toEqual([String(MAKER_ID)]);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Leverage' }).click();
    await page.waitForURL(`**/orders?product=lever&user_id=${MAKER_ID}`);
    await page.locator('[data-list="orders.lever"]').getByText('Rows: 0').waitFor();
  });
});
