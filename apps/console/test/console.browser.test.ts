import type { Page } from '@playwright/test';
import { barriers, desk, open, signIn, type Desk } from './visit.js';
import { expect, test } from '@bourse/web/testing';
import { KINDS, LOOKS, screenCheck } from './screen-checks.js';
import { CONSOLE } from './visitors.js';

for (const look of LOOKS)
  test.describe(`the screens, ${look.theme}, ${look.locale}, ${look.width} pixels`, () => {
    const check = screenCheck(look);
    for (const path of KINDS)
      test(`${path} has no barriers, fits 1440 and 375 pixels [CONSOLE-006] [CONSOLE-126] [CONSOLE-309]`, async () => {
        expect(await check(path)).toEqual([]);
      });
  });

test('addresses of screens answer 200, all others below /admin 404, with the page [CONSOLE-001]', async () => {
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${CONSOLE}${path}`, { headers: { accept: 'text/html' } })).status;
  expect(await Promise.all(['', '/', '/approvals', '/users/7'].map(statusOf))).toEqual([200, 200, 200, 200]);
  expect(await Promise.all(['/nowhere', '/users/7/more', '/users/'].map(statusOf))).toEqual([404, 404, 404]);
});

test.describe('two operators at once', () => {
  let first: Desk;
  let second: Desk;
  test.beforeAll(async () => {
    [first, second] = await Promise.all([desk(), desk()]);
    await Promise.all([signIn(first, 'operator'), signIn(second, 'operator2')]);
  });
  test.afterAll(() => Promise.all([first.context.close(), second.context.close()]));

  test('a guarded change shows old and new value and its time until it is stopped [HARD-465]', async () => {
    const reason = 'a test of guarded rows';
    const act = async (page: Page): Promise<void> => {
      const dialog = page.getByRole('dialog');
      await dialog.locator('textarea[name=reason]').fill(reason);
      await dialog.locator('button[type=submit]').click();
    };
    const row = first.page.locator('tr[data-key="day"]');
    await open(first, '/settings?words=day');
    await row.getByText('two people').waitFor();
    await row.getByRole('button', { name: 'Change day' }).click();
    await first.page.getByRole('dialog').getByText('one hour after a second admin approves it').waitFor();
    await first.page.getByRole('dialog').locator('input[name=value]').fill('150000');
    await act(first.page);
    await first.page.getByRole('dialog').getByText('Nothing has changed yet').waitFor();
    await first.page.getByRole('dialog').locator('button[data-autofocus]').click();
    await row.getByText('not approved yet').waitFor();
    expect(await row.locator('del').innerText()).toContain('100,000 USD');
    expect(await row.locator('ins').innerText()).toContain('150,000 USD');

    const approval = second.page.locator('tr[data-key]', { hasText: 'settings/save' }).filter({ hasText: 'day' });
    await open(second, '/approvals?state=waiting');
    await approval.first().getByRole('button', { name: 'Approve' }).click();
    await act(second.page);
    await open(first, '/settings?words=day');
    await row.getByText('in force from').waitFor();
    expect(await barriers(first)).toEqual([]);
    // An admin can refuse it within the hour; the admin who approved it is offered no second approval.
    await open(second, '/approvals?state=approved');
    expect(await approval.first().getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await approval.first().getByRole('button', { name: 'Refuse' }).click();
    await act(second.page);
    await open(first, '/settings?words=day');
    await row.waitFor();
    expect(await row.locator('ins').count()).toBe(0);
  });

  test('each is signed in as themselves, in a tab that keeps its own token [CONSOLE-002]', async () => {
    for (const [{ page }, name] of [
      [first, 'operator'],
      [second, 'operator2'],
    ] as const) {
      await page.locator('header').getByText(name, { exact: true }).waitFor();
      expect(await page.evaluate(() => localStorage.getItem('console.token'))).toBeNull();
    }
  });

  test('a request of one operator waits until the other approves it [CONSOLE-003]', async () => {
    const name = `desk${crypto.randomUUID().slice(0, 8)}`;
    await open(first, '/operators');
    await first.page.getByRole('button', { name: 'Add an operator' }).click();
    const dialog = first.page.getByRole('dialog');
    await dialog.locator('input[name=username]').fill(name);
    await dialog.getByRole('combobox').selectOption('support');
    await dialog.locator('input[name=password]').fill('Lantern-13579');
    await dialog.locator('button[type=submit]').click();
    // Without a reason nothing is sent.
    await dialog.getByText('At least 5 characters.').waitFor();
    await dialog.locator('textarea[name=reason]').fill('a desk for the night');
    await dialog.locator('button[type=submit]').click();
    await dialog.getByText('Nothing has changed yet').waitFor();
    await dialog.locator('button[data-autofocus]').click();

    await open(first, '/approvals?state=waiting');
    const asked = first.page.locator('tr[data-key]', { hasText: name });
    await asked.waitFor();
    // Who asked can take it back, and cannot approve it.
    expect(await asked.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await open(second, '/approvals?state=waiting');
    const row = second.page.locator('tr[data-key]', { hasText: name });
    await row.getByRole('button', { name: 'Approve' }).click();
    const decision = second.page.getByRole('dialog');
    await decision.locator('textarea[name=reason]').fill('known to both of us');
    await decision.locator('button[type=submit]').click();
    await row.waitFor({ state: 'detached' });

    await open(first, '/operators');
    await first.page.locator('tr[data-key]', { hasText: name }).waitFor();
    // The trail has both of them, each with what was theirs to do.
    await open(first, `/audit?target=operator:${name}`);
    const lines = first.page.locator('tr[data-key]');
    await lines.nth(1).waitFor();
    expect(await lines.count()).toBe(2);
    await lines.filter({ hasText: 'operators.request' }).filter({ hasText: 'a desk for the night' }).waitFor();
    await lines.filter({ hasText: 'operators.approve' }).filter({ hasText: 'known to both of us' }).waitFor();
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  test('a list keeps its filter in the address, and the keys lead through it [CONSOLE-004]', async () => {
    await open(first, '/audit');
    await first.page.locator('tr[data-row="0"]').waitFor();
    await first.page.keyboard.press('/');
    await first.page.keyboard.type('operator');
    // The answer replaces the old rows: none of them may take the focus.
    const filtered = first.page.waitForResponse(
      (answer) => answer.url().includes('/api/admin/audit?') && answer.url().includes('operator=operator'),
    );
    await first.page.keyboard.press('Enter');
    await first.page.waitForURL('**/audit?operator=operator');
    await (await filtered).finished();
    await first.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await first.page.locator('tr[data-row="0"]').focus();
    await first.page.keyboard.press('ArrowDown');
    const at = await first.page.evaluate(() => document.activeElement?.getAttribute('data-row'));
    expect(at).toBe(String(Math.min(1, (await first.page.locator('tr[data-row]').count()) - 1)));
  });

  test('sign-out ends the session and shows nothing but the way in [CONSOLE-005]', async () => {
    await second.page.getByRole('button', { name: 'Signed-in operator' }).click();
    await second.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.page.locator('input[name=username]').waitFor();
    expect(await second.page.locator('nav').count()).toBe(0);
  });
});
