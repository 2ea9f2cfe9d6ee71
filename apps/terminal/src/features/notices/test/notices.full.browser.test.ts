import type { Page } from '@playwright/test';
import { expect, newcomer, operatorToken, seriousBarriers, test, type Person } from '@bourse/web/testing';
import { BASE, holdSession, visit, type Looks } from '../../../../test/browser.js';

let session: Person;
let support = '';
test.beforeAll(async () => {
  session = await newcomer();
  support = await operatorToken('support1');
});

async function call<T>(token: string, path: string, fields: Record<string, string>, method = 'POST'): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    method,
    headers: { authorization: token },
    body: new URLSearchParams(fields),
  });
  const body = (await response.json()) as { type: string; message: T };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
async function openAt(path: string, looks: Looks = {}, signedIn = true): Promise<Page> {
  const visitor = await visit(looks);
  if (signedIn) await holdSession(visitor.context, session);
  await visitor.page.goto(`${BASE}${path}`);
  return visitor.page;
}
const say = (title: string): Promise<unknown> =>
  call(support, '/api/admin/notices', {
    user_id: String(session.id),
    title,
    content: '<p>Text of it</p><p><a href="/complaints">Open</a></p>',
    reason: 'a test of messages',
  });

test.describe('personal notices', () => {
  test('are shown at once, and marked as read singly or together [INBOX-001] [INBOX-002] [INBOX-003]', async () => {
    const page = await openAt('/account/accountMessage');
    await page.getByText('Live', { exact: true }).first().waitFor();
    const title = `Message ${Date.now()}`;
    await say(title);
    await page.getByRole('region', { name: 'Messages', exact: true }).getByText(title).waitFor();
    await page.getByRole('button', { name: /^Notices, \d+ unread$/ }).waitFor();
    const row = page.getByRole('list', { name: 'Message centre' }).getByRole('link', { name: title });
    await row.waitFor();
    expect(await row.textContent()).toContain('(unread)');
    expect(await seriousBarriers(page)).toEqual([]);
    await row.click();
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByText('Text of it').waitFor();
    // A link inside changes the page without loading it again.
    await page.evaluate(() => Object.assign(globalThis, { stays: true }));
    await page.getByRole('main').getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { name: 'Complaints' }).waitFor();
    expect(await page.evaluate(() => 'stays' in globalThis)).toBe(true);
    await page.goto(`${BASE}/msgList`);
    const read = page.getByRole('list', { name: 'Message centre' }).getByRole('link', { name: title });
    await read.waitFor();
    expect(await read.textContent()).not.toContain('(unread)');
    await say(`${title} again`);
    const second = page.getByRole('list', { name: 'Message centre' }).getByRole('link', { name: `${title} again` });
    await second.getByText('(unread)').waitFor();
    expect(await second.textContent()).toContain('Text of it');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await second.getByText('(unread)').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0);
  });

  test('without entries show an empty state [INBOX-002]', async () => {
    const page = await openAt('/msgDetail?id=999999999');
    await page.getByText('This notice does not exist any more').waitFor();
  });
});

test.describe('help', () => {
  test('lists articles of support and about the exchange, and finds them as one types [HELP-001]', async () => {
    const page = await openAt('/help', {}, false);
    const main = page.getByRole('main');
    await main.getByRole('link', { name: /^Keeping your account safe/ }).waitFor();
    await main.getByRole('link', { name: /^About Bourse/ }).waitFor();
    await main.getByLabel('Search help').fill('6 confirmations');
    await main.getByRole('link', { name: /^Deposits/ }).waitFor();
    await main.getByRole('link', { name: /^About Bourse/ }).waitFor({ state: 'detached' });
    expect(await seriousBarriers(page)).toEqual([]);
    await main.getByLabel('Search help').fill('zzzz');
    await main.getByText('Nothing fits “zzzz”.').first().waitFor();
    await main.getByLabel('Search help').fill('');
    await main.getByRole('link', { name: /^Deposits/ }).click();
    await page.getByRole('heading', { name: 'Deposits' }).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('heading', { name: 'Help centre' }).waitFor();
  });

  for (const { path, ...looks } of [
    { path: '/help', theme: 'white', locale: 'ar', width: 390 },
    { path: '/help', theme: 'dark', locale: 'de', width: 1280 },
    { path: '/msgList', theme: 'white', locale: 'ar', width: 390 },
    { path: '/noticeList', theme: 'dark', locale: 'en', width: 390 },
  ] as const)
    test(`and lists have no barrier ${path} ${JSON.stringify(looks)} [HELP-002]`, async () => {
      const page = await openAt(path, looks);
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await page.getByRole('main').getByRole('listitem').first().waitFor();
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
});
