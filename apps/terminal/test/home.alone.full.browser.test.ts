import type { Page } from '@playwright/test';
import { expect, test } from '@bourse/web/testing';
import { BASE, holdSession, demoSession, visit } from './browser.js';
const message = async (path: string): Promise<Record<string, unknown>> =>
  ((await (await fetch(`${BASE}${path}`)).json()) as { message: Record<string, unknown> }).message;
/** The first key draws what lies below, once the page listens. */
const toTheEnd = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor({ state: 'attached' });
  await page.keyboard.press('Shift');
  await page.getByRole('navigation', { name: 'Rules' }).waitFor();
};

test.describe('the page frame', () => {
  test('links of the operator are shown only while they are set [FRONT-006]', async () => {
    const token = await operator();
    const places: readonly (readonly [string, string])[] = [
      ['support_url', 'https://chat.example/'],
      ['app_ios', 'https://apps.example/ios'],
      ['source_url', 'https://source.example/'],
    ];
    const before = await message('/api/config');
    expect([before['support_url'], before['source_url'], (before['app'] as { ios: string }).ios]).toEqual(['', '', '']);
    const { page } = await visit();
    await page.goto(`${BASE}/`);
    await toTheEnd(page);
    for (const name of ['Support', 'Source code', 'Apps'])
      expect([
        name,
        await page.getByRole('link', { name }).count(),
        await page.getByRole('button', { name }).count(),
      ]).toEqual([name, 0, 0]);
    try {
      for (const [key, value] of places) await save(page, token, key, value);
      await page.goto(`${BASE}/`);
      await toTheEnd(page);
      expect(await page.getByRole('link', { name: 'Support' }).first().getAttribute('href')).toBe(
        'https://chat.example/',
      );
      expect(await page.getByRole('link', { name: 'Source code' }).getAttribute('href')).toBe(
        'https://source.example/',
      );
      await page.getByRole('heading', { name: 'Apps' }).waitFor();
      await page.locator('svg[role=img] title', { hasText: 'iPhone' }).first().waitFor({ state: 'attached' });
      // The support of the operator learns who asks, from the header, from the footer, and from a phone.
      const session = await demoSession('trader3@demo.bourse');
      for (const width of [1440, 390]) {
        const { page: own, context } = await visit({ width });
        await holdSession(context, session);
        await own.goto(`${BASE}/`);
        await toTheEnd(own);
        const ways = own.locator('a[href^="https://chat.example/"]');
        await ways.last().waitFor();
        const hrefs = await ways.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
        expect(hrefs.length).toBeGreaterThanOrEqual(width === 1440 ? 2 : 1);
        expect(new Set(hrefs)).toEqual(new Set([`https://chat.example/?user_id=${session.id}`]));
      }
    } finally {
      for (const [key] of places) await save(page, token, key, '');
    }
  });
});

const post = async (path: string, fields: Record<string, string>, token = ''): Promise<Record<string, unknown>> =>
  (await (
    await fetch(`${BASE}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { authorization: token },
    })
  ).json()) as Record<string, unknown>;
const operator = async (username = 'operator'): Promise<string> =>
  String((await post('/api/admin/login', { username, password: 'Harbor-2468' }))['message']);
/** Sets a setting and waits until `/api/config` has it, as rules §15 promise within five seconds. */
async function save(page: Page, token: string, key: string, value: string): Promise<void> {
  const answer = await post(
    '/api/admin/settings/save',
    { key, value, reason: 'a browser test of the home page' },
    token,
  );
  expect(answer['type']).toBe('ok');
  const id = answer['approval_id'] as number | undefined;
  if (id !== undefined)
    for (const username of ['operator2', 'operator3']) {
      const approval = { id: String(id), reason: 'a browser test of the home page' };
      expect((await post('/api/admin/approvals/approve', approval, await operator(username)))['type']).toBe('ok');
    }
  await page.waitForFunction(
    async ([name, wanted]) => {
      const { message } = (await (await fetch('/api/config')).json()) as {
        message: Record<string, unknown> & { app: { ios: string } };
      };
      return (name === 'app_ios' ? message.app.ios : message[name!]) === wanted;
    },
    [key, value],
    { polling: 200 },
  );
}
