import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { ROUTES } from '../src/routes.js';
import { call, expect, newcomer, operatorToken, read, test, until, walkTo } from '@bourse/web/testing';
import { barriers, CONSOLE, operatorAt } from './visitors.js';

// What all lists share, what a role sees, and open acts in a language that is written from the right.

const ROWS = 23;

/** So many lines of the trail about somebody new; how the trail names them. */
async function freezes(): Promise<string> {
  const { id } = await newcomer();
  const [support, finance] = [await operatorToken('support1'), await operatorToken('finance1')];
  for (let turn = 0; turn < ROWS; turn += 1) {
    const scope = turn % 2 === 0 ? 'trade' : 'none';
    await call('/api/admin/users/freeze', { user_id: id, scope, reason: `line ${turn} of ${id}` }, support);
  }
  const lines = await until(
    async () =>
      (await read('/api/admin/audit?limit=100', finance)).data.filter(({ reason }) => reason.endsWith(` of ${id}`)),
    (found) => found.length === ROWS,
  );
  return lines[0]?.target ?? '';
}

test.describe('a list', () => {
  test('is paged, sized, sorted, narrowed to some columns and saved whole [CONSOLE-302]', async () => {
    const target = await freezes();
    const page = await operatorAt('finance1', `/audit?target=${encodeURIComponent(target)}&limit=20`);
    const rows = page.locator('tr[data-key]');
    await page.locator('tr[data-row="19"]').waitFor();
    expect(await rows.count()).toBe(20);
    expect(await barriers(page)).toEqual([]);

    // An order is that of this page, and the list says so.
    const sortedHere = page.getByText('Only the rows of this page are sorted.');
    expect(await sortedHere.count()).toBe(0);
    const header = page.getByRole('columnheader', { name: 'Time' });
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await sortedHere.waitFor();
    expect(await header.getByRole('button').getAttribute('title')).toMatch(/^Sorts the rows of this page only/);
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('descending');

    // A column that is not wanted is neither on the page nor in the file, today and tomorrow.
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemradio', { name: 'Change' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Change' }).waitFor({ state: 'detached' });

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of all rows' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
    const [head, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toBe('Time,Operator,Action,Target,Reason');
    expect(lines.length).toBe(ROWS);
    expect(new Set(lines.map((line) => /line \d+ of/.exec(line)?.[0])).size).toBe(ROWS);
    await page.getByText(`The file holds ${ROWS} rows.`).waitFor();

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/[?&]page=2/);
    // The rows of the first page go, then those of the second come.
    await page.locator('tr[data-row="3"]').waitFor({ state: 'detached' });
    await page.locator(`tr[data-row="${ROWS - 21}"]`).waitFor();
    expect(await rows.count()).toBe(ROWS - 20);
    await page.getByLabel('Rows a page').selectOption('50');
    await page.locator(`tr[data-row="${ROWS - 1}"]`).waitFor();
    expect(page.url()).not.toContain('page=2');
    // All rows are on one page: the order is that of the list.
    expect(await sortedHere.count()).toBe(0);
    await page.reload();
    await page.locator(`tr[data-row="${ROWS - 1}"]`).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Change' }).count()).toBe(0);
  });

  test('of many rows draws those near the window, and the keys lead through all of them [CONSOLE-326]', async () => {
    const token = await operatorToken('operator');
    const { total } = await until(
      () => read('/api/admin/journals?limit=20', token),
      (journals) => journals.total > 150,
    );
    const page = await operatorAt('operator', '/journals?limit=500');
    const rows = page.locator('tr[data-key]');
    await rows.nth(19).waitFor();
    expect(Number(await page.getByRole('table').getAttribute('aria-rowcount'))).toBeGreaterThan(Math.min(total, 150));
    expect(await rows.count()).toBeLessThan(100);
    expect(await barriers(page)).toEqual([]);

    await rows.first().focus();
    for (let row = 0; row < 120; row += 1) await page.keyboard.press('j');
    const reached = page.locator('tr[data-row="120"]');
    await expect(reached).toBeFocused();
    await expect(reached).toBeInViewport();
    expect(await reached.getAttribute('aria-rowindex')).toBe('122');
    // The row with the focus stays, however far the list is scrolled.
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('tr[data-row="1"]').waitFor();
    await expect(reached).toBeFocused();
    expect(await rows.count()).toBeLessThan(100);
  });

  test('of operators, of the catalog, of settings and of papers is one like the others [CONSOLE-324]', async () => {
    const page = await operatorAt('operator', '/operators?name=FINANCE&active=1');
    const keys = page.locator('tr[data-key]');
    await keys.nth(1).waitFor();
    expect(await keys.filter({ hasNotText: /finance\d/ }).count()).toBe(0);
    await page.goto(`${CONSOLE}/catalog/currencies`);
    await page.locator('tr[data-key]').nth(1).waitFor();
    const all = await keys.count();
    await page.getByRole('searchbox', { name: 'Contains' }).fill('doge');
    await page.keyboard.press('Enter');
    await page.waitForURL(/words=doge/);
    const found = await until(
      () => keys.count(),
      (now) => now < all,
    );
    expect([found > 0, found < all]).toEqual([true, true]);
    expect((await keys.allTextContents()).filter((text) => !/doge/i.test(text))).toEqual([]);
    await page.goto(`${CONSOLE}/settings?words=support_url`);
    await keys.first().waitFor();
    expect(await keys.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')))).toEqual(['support_url']);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of all rows' }).click(),
    ]);
    const [head, ...lines] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect([head, lines.length]).toEqual(['Service,Key,Value,Default,Bounds,Help', 1]);
    for (const [address, list] of [
      ['/kyc?state=2', 'kyc'],
      ['/house', 'house.movements'],
      [`/users/${(await newcomer()).id}?list=spot`, 'person.spot'],
    ] as const) {
      await page.goto(`${CONSOLE}${address}`);
      const part = page.locator(`[data-list="${list}"]`);
      for (const name of ['CSV of all rows', 'Columns']) await part.getByRole('button', { name }).waitFor();
      expect([list, await part.locator('th[aria-sort]').count()]).not.toEqual([list, 0]);
    }
  });

  test('of the audit log finds entries by prefix; open work links to its list [CONSOLE-307]', async () => {
    const page = await operatorAt('operator', '/audit?action=users.free');
    await page.locator('tr[data-row="0"]').waitFor();
    const actions = await page.locator('tr[data-key] td:nth-child(3)').allInnerTexts();
    expect([...new Set(actions.map((text) => text.split('\n').at(-1)))]).toEqual(['users.freeze']);
    await page.goto(`${CONSOLE}/`);
    for (const [name, address] of [
      ['Deposits held back', '/admin/deposits?state=held'],
      ['Deposit claims', '/admin/deposit-claims?status=1'],
    ] as const) {
      const link = page.getByRole('main').getByRole('link', { name: new RegExp(name) });
      await link.waitFor();
      expect(await link.getAttribute('href')).toBe(address);
      const asked = page.waitForRequest((request) => request.url().includes(`?${address.split('?')[1] ?? ''}`));
      await link.click();
      await asked;
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.goto(`${CONSOLE}/`);
    }
  });
});

test('support sees the screens of support, and no more by their addresses [CONSOLE-308]', async () => {
  const seen = async (page: Page): Promise<string[]> => {
    const links = page.getByRole('navigation', { name: 'Screens of the console' }).first().getByRole('link');
    await links.first().waitFor();
    return (await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))).toSorted();
  };
  const inSidebar = ROUTES.filter(({ group }) => group !== undefined);
  const addresses = (routes: typeof inSidebar): string[] =>
    routes.map(({ path }) => (path === '/' ? '/admin' : `/admin${path}`)).toSorted();
  const [support, admin] = [await operatorAt('support1', '/'), await operatorAt('operator', '/')];
  expect(await seen(admin)).toEqual(addresses(inSidebar));
  expect(await seen(support)).toEqual(addresses(inSidebar.filter(({ role }) => role === 'support')));
  const asked: string[] = [];
  support.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const [path, call_] of [
    ['/settings', '/api/admin/settings'],
    ['/withdrawals', '/api/admin/withdrawals'],
    ['/audit', '/api/admin/audit'],
  ] as const) {
    await support.goto(`${CONSOLE}${path}`);
    await support.getByText('This page requires the role').waitFor();
    expect(asked).not.toContain(call_);
  }
});

test.describe('in Arabic', () => {
  test('no open act has a barrier [CONSOLE-309]', async () => {
    const { id } = await newcomer();
    const acts: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
      ['/operators', (page) => page.getByRole('button', { name: 'Add an operator' }).click()],
      ['/breakers', (page) => page.locator('li[data-scope=c2c]').getByRole('button').click()],
      ['/settings', (page) => page.locator('tr[data-key] button').first().click()],
      ['/catalog/protocols', (page) => page.locator('tr[data-key] button').first().click()],
      ['/adjustments', (page) => page.getByRole('button', { name: 'Ask for an adjustment' }).click()],
      [`/users/${id}`, (page) => page.getByRole('button', { name: 'Freeze' }).click()],
      ['/house', (page) => page.getByRole('button', { name: 'Move money' }).click()],
    ];
    const page = await operatorAt('operator', '/', { locale: 'ar' });
    for (const [path, open] of acts) {
      await walkTo(page, `${new URL(CONSOLE).pathname}${path}`);
      await open(page);
      await page.getByRole('dialog').waitFor();
      expect([path, await barriers(page)]).toEqual([path, []]);
    }
  });
});
