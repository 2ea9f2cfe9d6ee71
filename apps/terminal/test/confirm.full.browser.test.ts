import type { Page } from '@playwright/test';
import { barriersOf, expect, funded, test } from '@bourse/web/testing';
import { BASE, holdSession, signIn, visit, visitAs, type Visitor } from './browser.js';

const PASSWORD = 'Harbor-2468';

interface Envelope {
  readonly type: string;
  readonly key?: string;
  readonly message: unknown;
  readonly id?: number;
}
async function post(path: string, fields: Record<string, string>, token?: string): Promise<Envelope> {
  const response = await fetch(`${BASE}${path}`, {
    method: 'POST',
    headers: token ? { authorization: token } : {},
    body: new URLSearchParams(fields),
  });
  return (await response.json()) as Envelope;
}
async function read(path: string, token?: string): Promise<Envelope> {
  const response = await fetch(`${BASE}${path}`, { headers: token ? { authorization: token } : {} });
  return (await response.json()) as Envelope;
}

/** Somebody new, in a session without a password behind it: it came from another device. */
async function unconfirmed(): Promise<{ account: string; token: string; id: number }> {
  const account = `confirm${process.hrtime.bigint()}@example.org`;
  await post('/api/sms_mail', { user_string: account, scene: 'register' });
  const [letter] = (await read(`/dev/inbox?to=${encodeURIComponent(account)}&scene=register`)).message as {
    code: string;
  }[];
  await post('/api/user/register', {
    type: 'email',
    user_string: account,
    code: letter?.code ?? '',
    password: PASSWORD,
    re_password: PASSWORD,
  });
  const first = await post('/api/user/login', { user_string: account, password: PASSWORD });
  const shown = await read('/api/user/authorization_code', first.message as string);
  const entered = await post('/api/user/device_login', {
    user_string: account,
    authorization_code: shown.message as string,
  });
  return { account, token: entered.message as string, id: entered.id ?? 0 };
}
const authenticator = (page: Page) =>
  page.getByText('Authenticator app', { exact: true }).locator('..').locator('..').getByRole('button');
const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

test.describe('a change of the protection of an account requires the password again [HARD-103]', () => {
  let person: Visitor;
  test.beforeAll(async () => {
    person = await visit();
    await holdSession(person.context, await unconfirmed());
  });
  test.afterAll(async () => {});

  test('declining leaves everything as it was, without a message', async () => {
    const { page } = person;
    await page.goto(`${BASE}/account/accountSet`);
    await authenticator(page).click();
    await question(page).waitFor();
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Authenticator app' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('[data-toast]').count()).toBe(0);
  });

  test('a wrong password is refused there, the right one completes the call', async () => {
    const { page } = person;
    await authenticator(page).click();
    const dialog = question(page);
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Enter your login password', { exact: true }).waitFor();
    await dialog.locator('input[name=confirm_password]').fill('Wrong-1234');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Wrong account or password').waitFor();
    await dialog.locator('input[name=confirm_password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // The secret came: the call that was refused went out again by itself.
    await page.getByRole('dialog', { name: 'Authenticator app' }).locator('svg').first().waitFor();
    // For ten minutes nothing more is asked.
    await page.reload();
    await authenticator(page).click();
    await page.getByRole('dialog', { name: 'Authenticator app' }).locator('svg').first().waitFor();
    expect(await question(page).count()).toBe(0);
  });
});

test('a browser is known by its own id, which survives the logout [HARD-310]', async () => {
  const visitor = await visit();
  const { page } = visitor;
  const ids: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/user/log')) ids.push(request.headers()['x-device-id']);
  });
  await signIn(visitor, 'trader2@demo.bourse');
  await page
    .getByRole('button', { name: /Account|trader2/ })
    .first()
    .waitFor();
  await page.evaluate(() => localStorage.clear());
  await signIn(visitor, 'trader2@demo.bourse');
  expect(ids.length).toBeGreaterThanOrEqual(2);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(1);
});

test('a profile that arrives after the sign-out leaves nothing in the browser [ACCOUNTUI-022]', async () => {
  const { page } = await visitAs(await funded({ change: { 3: '10' } }));
  const steps: { answer?: () => void; release?: () => void } = {};
  const answered = new Promise<void>((resolve) => (steps.answer = resolve));
  const released = new Promise<void>((resolve) => (steps.release = resolve));
  await page.route('**/api/user/info*', async (route) => {
    const response = await route.fetch();
    steps.answer?.();
    await released;
    await route.fulfill({ response });
  });
  await page.goto(`${BASE}/dealCenter`);
  await answered;
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForFunction(() => localStorage.getItem('token') === null);
  const arrived = page.waitForResponse('**/api/user/info*');
  steps.release?.();
  await (await arrived).finished();
  // The page has read the answer before a timer that starts after it.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(await page.evaluate(() => ['user_id', 'accountNum'].map((key) => localStorage.getItem(key)))).toEqual([
    null,
    null,
  ]);
});

for (const look of [
  { theme: 'dark', locale: 'en', width: 1440, height: 900 },
  { theme: 'white', locale: 'de', width: 375, height: 812 },
  { theme: 'dark', locale: 'ar', width: 375, height: 812 },
] as const)
  test.describe(`in ${look.theme}, ${look.locale}, ${look.width} wide`, () => {
    test('the question has no barrier and fits', async () => {
      const person = await visit(look);
      await holdSession(person.context, await unconfirmed());
      const { page } = person;
      await page.goto(`${BASE}/bindEmail`);
      await page.locator('input[name=email], input[type=email]').first().fill('elsewhere@example.org');
      await page.locator('input[name=code]').fill('123456');
      await page.locator('main form button[type=submit]').click();
      await page.locator('input[name=confirm_password]').waitFor();
      const shots = process.env['SHOTS'];
      if (shots) await page.screenshot({ path: `${shots}/confirm-${look.theme}-${look.locale}.png` });
      const box = await page.locator('dialog[open]').boundingBox();
      expect(box).not.toBeNull();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(look.width);
      expect(box!.y).toBeGreaterThanOrEqual(0);
      const violations = await barriersOf(page, { within: 'dialog[open]' });
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
      expect(person.complaints).toEqual([]);
      await person.context.close();
    });
  });
