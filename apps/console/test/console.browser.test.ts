import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { ROUTES } from '../src/routes.js';
import { call, newcomer, read, upload } from './calls.js';
import { appealOf, operatorToken, rich, withBank } from './people.js';
import { totpCode } from './totp.js';
import { barriers, CONSOLE, desk, open, openBrowser, PASSWORD, signIn, walk, type Desk } from './visit.js';

const SCREENS = ROUTES.map(({ path }) => path);
/** What stands in an address in the place of `:id` or `:name`; each thing is made once, for all looks. */
const THINGS: Readonly<Record<string, () => Promise<string>>> = {
  '/users/:id': once(async () => String((await applicant()).id)),
  '/kyc/:id': once(async () => String((await applicant()).id)),
  '/complaints/:id': once(async () => {
    const fields = { kind: 'deposit', subject: 'Slow', text: 'It took long.' };
    return String((await call('/api/complaint/add', fields, (await applicant()).token))['id']);
  }),
  '/appeals/:id': once(async () => {
    // Of their own: people of the demo have one deal at a time, and other tests need it.
    const [owner, taker] = [await rich('100'), await rich('100')];
    await Promise.all([withBank(owner), withBank(taker)]);
    return (await appealOf(owner, taker)).id;
  }),
  '/news/:id': once(async () => {
    const { data } = await read<{ data: { id: number }[] }>('/api/admin/news', await operatorToken('support1'));
    return String(data[0]?.id);
  }),
  '/catalog/:name': once(() => Promise.resolve('pairs')),
};
const applicant = once(async () => {
  const person = await newcomer();
  const [front_pic, reverse_pic] = [await upload(person.token, 'kyc'), await upload(person.token, 'kyc')];
  const papers = { name: 'Ada Lovelace', card_id: `P${randomInt(1e8, 1e9)}`, front_pic, reverse_pic };
  await call('/api/user/real_name', papers, person.token);
  return person;
});
/** Where a screen stands; an address of a thing that nobody makes here is a screen that nobody looks at. */
async function addressOf(path: string): Promise<string> {
  if (!path.includes(':')) return path;
  const thing = THINGS[path];
  if (!thing) throw new Error(`nothing to show at ${path}`);
  return path.replace(/:\w+/, await thing());
}
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('addresses of screens answer 200, all others below /admin 404, with the page [CONSOLE-001]', async () => {
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${CONSOLE}${path}`, { headers: { accept: 'text/html' } })).status;
  expect(await Promise.all(['', '/', '/approvals', '/users/7'].map(statusOf))).toEqual([200, 200, 200, 200]);
  expect(await Promise.all(['/nowhere', '/users/7/more', '/users/'].map(statusOf))).toEqual([404, 404, 404]);
});

describe('two operators at once', () => {
  let first: Desk;
  let second: Desk;
  beforeAll(async () => {
    [first, second] = await Promise.all([desk(browser), desk(browser)]);
    await Promise.all([signIn(first, 'operator'), signIn(second, 'operator2')]);
  });
  afterAll(() => Promise.all([first.context.close(), second.context.close()]));

  test('each is signed in as themselves, in a tab that keeps its own token [CONSOLE-002]', async () => {
    for (const [{ page }, name] of [
      [first, 'operator'],
      [second, 'operator2'],
    ] as const) {
      await page.locator('header').getByText(name, { exact: true }).waitFor();
      expect(await page.evaluate(() => localStorage.getItem('console.token'))).toBeNull();
    }
  });

  test('what one asks for waits until the other approves it [CONSOLE-003]', async () => {
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

  test('the overview draws the last hour, with its figures in words [CONSOLE-323]', async () => {
    await open(first, '/');
    // A step takes 15 s; the page reads again every 20 s.
    for (const name of ['calls', 'refused', 'failed', 'ack']) {
      const chart = first.page.locator(`figure[data-chart=${name}]`);
      await chart.locator('path').waitFor({ state: 'attached', timeout: 90_000 });
      expect(await chart.textContent()).toMatch(/now \d+\.\d+(?: ms)?, at most \d+\.\d+(?: ms)?/);
    }
  }, 180_000);

  test('a list keeps its filter in the address, and the keys lead through it [CONSOLE-004]', async () => {
    await open(first, '/audit');
    await first.page.locator('tr[data-row="0"]').waitFor();
    await first.page.keyboard.press('/');
    await first.page.keyboard.type('operator');
    await first.page.keyboard.press('Enter');
    await first.page.waitForURL('**/audit?operator=operator');
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

test('an operator sets up the own authenticator: secret, first code, and it is on [CONSOLE-011]', async () => {
  const username = `totp${crypto.randomUUID().slice(0, 8)}`;
  const [asking, approving] = [await tokenOf('operator', PASSWORD), await tokenOf('operator2', PASSWORD)];
  const access = { username, password: 'Lantern-13579', roles: 'support', reason: 'a desk for the night' };
  const { approval_id: id } = await act(asking, 'operators', access);
  await act(approving, 'approvals/approve', { id: String(id), reason: 'known to both of us' });
  const own = 'Lantern-24680-mine';
  const token = await tokenOf(username, access.password, { new_password: own });
  const visitor = await desk(browser);
  await visitor.context.addInitScript((kept) => sessionStorage.setItem('console.token', kept), token);
  await open(visitor, '/account');
  const section = visitor.page.getByRole('region', { name: 'Authenticator' });
  await section.getByText('Off', { exact: true }).waitFor();
  await section.getByRole('button', { name: 'Set up an authenticator' }).click();
  const dialog = visitor.page.getByRole('dialog');
  await dialog.locator('input[name=password]').fill(own);
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  expect(await barriers(visitor)).toEqual([]);
  const secret = (await dialog.locator('.font-mono').textContent()) ?? '';
  // A wrong code turns nothing on.
  await dialog.locator('input[name=totp_code]').fill(totpCode(secret) === '123456' ? '654321' : '123456');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('alert').first().waitFor();
  await dialog.locator('input[name=totp_code]').fill(totpCode(secret));
  await dialog.locator('button[type=submit]').click();
  await section.getByText('On', { exact: true }).waitFor();
  await section.getByRole('button', { name: 'Replace the authenticator' }).waitFor();
  // From now on the password alone opens nothing.
  expect(await tokenOf(username, own).catch(String)).toContain('login.totpRequired');
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

/**
 * Each screen as a desk and as a phone, in both themes and from the right: white at a desk is seen in Arabic. Dark, it
 * is loaded at its address, in the others it is reached from another.
 */
const LOOKS = [
  { theme: 'dark', locale: 'en', width: 1440 },
  { theme: 'white', locale: 'en', width: 375 },
  { theme: 'white', locale: 'ar', width: 1440 },
] as const;
describe.each(LOOKS)('the screens, $theme, $locale, $width pixels', ({ theme, locale, width }) => {
  let visitor: Desk;
  beforeAll(async () => {
    visitor = await desk(browser, { theme, locale });
    await signIn(visitor, 'operator');
  });
  afterAll(() => visitor.context.close());

  test.each(SCREENS)(
    '%s has no barriers and fits at 1440 and 375 pixels [CONSOLE-006] [CONSOLE-126] [CONSOLE-309]',
    async (path) => {
      const { page } = visitor;
      await page.setViewportSize({ width, height: 900 });
      const address = await addressOf(path);
      if (theme === 'dark') await open(visitor, address);
      else await walk(page, address);
      expect(
        await page.evaluate(() => [document.documentElement.dataset['theme'], document.documentElement.dir]),
      ).toEqual([theme, locale === 'ar' ? 'rtl' : 'ltr']);
      const found = await barriers(visitor);
      for (const other of [1440, 375]) {
        await page.setViewportSize({ width: other, height: 900 });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (wider > 0) found.push(`${wider} px wider than ${other}`);
      }
      expect(found).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
    // A thing may have to be made first, which takes deposits by the chain.
    240_000,
  );
});

test('who reads Chinese reads it everywhere, others English beside their own language [CONSOLE-007]', async () => {
  for (const [locale, heading] of [
    ['zh', '待审批'],
    ['de', 'Approvals'],
  ] as const) {
    const visitor = await desk(browser, { locale });
    await signIn(visitor, 'operator');
    await open(visitor, '/approvals');
    expect(await visitor.page.locator('main h1').first().textContent()).toBe(heading);
    await visitor.context.close();
  }
});

/** Signs in by the API. @throws with the key of a refusal */
async function tokenOf(username: string, password: string, more: Record<string, string> = {}): Promise<string> {
  return (await post('login', { username, password, ...more }, '')).message;
}
const act = (token: string, path: string, fields: Record<string, string>): Promise<Answer> => post(path, fields, token);
interface Answer {
  readonly type: string;
  readonly key?: string;
  readonly message: string;
  readonly approval_id?: number;
}
async function post(path: string, fields: Record<string, string>, authorization: string): Promise<Answer> {
  const url = new URL(`/api/admin/${path}`, CONSOLE);
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers: { authorization } });
  const answer = (await response.json()) as Answer;
  if (answer.type !== 'ok') throw new Error(`${path}: ${answer.key ?? answer.message}`);
  return answer;
}
