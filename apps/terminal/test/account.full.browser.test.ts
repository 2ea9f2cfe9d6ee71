import { createHash, createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { totpCode } from '@bourse/testing/totp';
import { certified, expect, seriousBarriers, test, walkTo } from '@bourse/web/testing';
import { BASE, holdSession, demoSession, visit, visitAs, type Visitor } from './browser.js';

/** Pictures as a camera would make them, by the browser itself. */
let photo: Buffer;
test.beforeAll(async () => {
  const { page } = await visit({ width: 480, height: 300 });
  await page.setContent('<body style="background:linear-gradient(45deg,#246,#ca8)"><h1>Identity card</h1></body>');
  photo = await page.screenshot();
});

const PASSWORD = 'Anchor-1357';
const FUND = 'sea789';

interface Envelope {
  readonly type: string;
  readonly key?: string;
  readonly message: unknown;
  readonly id?: number;
}
async function call(method: string, path: string, fields: Record<string, string>, token?: string): Promise<Envelope> {
  const query = method === 'GET' && Object.keys(fields).length > 0 ? `?${new URLSearchParams(fields).toString()}` : '';
  const response = await fetch(`${BASE}${path}${query}`, {
    method,
    headers: token ? { authorization: token } : {},
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields) }),
  });
  return (await response.json()) as Envelope;
}
const tokenIn = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('token') ?? '');

/** The newest code that went out to somebody, for one purpose. */
async function codeFor(to: string, scene: string): Promise<string> {
  const letters = (await call('GET', '/dev/inbox', { to, scene })).message as { code: string }[];
  const code = letters.find((letter) => letter.code !== '')?.code;
  if (!code) throw new Error(`no code for ${to}, ${scene}`);
  return code;
}

/** Presses "Send code" and fills in the code that went out. */
async function useCode(page: Page, to: string, scene: string): Promise<void> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: /Again in/ }).waitFor();
  await page.getByLabel('Verification code').fill(await codeFor(to, scene));
}

/** A read signed with an API key, as programs do it (api §1.2). */
async function signedRead(
  path: string,
  { key, secret }: { key: string; secret: string },
): Promise<{ status: number; body: Envelope }> {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', secret)
    .update(['GET', path, timestamp, createHash('sha256').update('').digest('hex')].join('\n'))
    .digest('hex');
  const response = await fetch(`${BASE}${path}`, {
    headers: { 'X-Api-Key': key, 'X-Api-Timestamp': timestamp, 'X-Api-Signature': signature },
  });
  return { status: response.status, body: (await response.json()) as Envelope };
}

const setting = (page: Page, title: string) => page.getByText(title, { exact: true }).locator('..').locator('..');
const file = (name = 'card.png', mimeType = 'image/png', buffer = photo) => ({ name, mimeType, buffer });

test.describe('a newcomer, from the registration to an API key', () => {
  test.describe.configure({ mode: 'serial' });
  let person: Visitor, account: string, userId: number, secret: string;
  const serial = Date.now();
  test.beforeAll(async () => {
    person = await visit();
    account = `sea${serial}@demo.bourse`;
  });
  test.afterAll(async () => {});

  async function signInAgain(page: Page): Promise<void> {
    await page.goto(`${BASE}/components/login?back=${encodeURIComponent('/account/accountSet')}`);
    await page.getByLabel('E-mail address').fill(account);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('form button[type=submit]').click();
  }

  test('registers, is logged in and sees the first steps; settings name missing items [ACCOUNTUI-001]', async () => {
    const { page } = person;
    await page.goto(`${BASE}/register?haccount=${encodeURIComponent(account)}`);
    await useCode(page, account, 'register');
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('input[name=re_password]').fill(PASSWORD);
    await page.getByRole('checkbox').check();
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/account/firstSteps');
    await page.getByText('0 of 4 done').waitFor();
    await page.getByRole('link', { name: 'Account settings' }).click();
    await page.waitForURL('**/account/accountSet');
    userId = Number(await page.evaluate(() => localStorage.getItem('user_id')));
    // The address changes before the page does, and the first steps have a meter of their own.
    await page.locator('[role=meter][aria-valuetext="50 %, Middle"]').waitFor();
    await page.getByText('Creating and deleting API keys asks for it.').waitFor();
    expect(await page.getByRole('button', { name: 'Create API key' }).count()).toBe(0);
  });

  test('is younger than the solvency snapshot, and sees a message with its time [WALLET-UI-023]', async () => {
    const { page } = person;
    await page.goto(`${BASE}/solvency`);
    await page.getByRole('table').getByText('USDT', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Check my balance' }).click();
    const told = page.getByRole('status').filter({ hasText: /You are not in snapshot #\d+ yet/ });
    await told.getByText(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goto(`${BASE}/account/accountSet`);
  });

  test('sets the fund password, and is back in the settings [ACCOUNTUI-002]', async () => {
    const { page } = person;
    await page.getByRole('link', { name: 'Set: Fund password' }).first().click();
    await page.waitForURL('**/bindmpwd');
    await page.locator('input[name=password]').fill(FUND);
    await page.locator('input[name=re_password]').fill(FUND);
    await useCode(page, account, 'fund');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/account/accountSet');
    await page.getByRole('button', { name: 'Create API key' }).waitFor();
  });

  test('hands in papers, waits, is certified by an operator; a refusal shows its reason [ACCOUNTUI-003]', async () => {
    const { page } = person;
    const operator = String(
      (await call('POST', '/api/admin/login', { username: 'operator', password: 'Harbor-2468' })).message,
    );
    const decide = (pass: '0' | '1', reason: string) =>
      call('POST', '/api/admin/kyc/decide', { user_id: String(userId), pass, reason }, operator);
    const handIn = async (): Promise<void> => {
      await page.getByLabel('Full name').fill('Maria Mar');
      await page.getByLabel('ID number').fill('PT-55-0001');
      const inputs = page.locator('input[type=file]');
      await inputs.nth(0).setInputFiles(file());
      await inputs.nth(1).setInputFiles(file());
      await page.getByText('Uploaded').nth(1).waitFor();
      await page.getByRole('button', { name: 'Send for review' }).click();
      await page.getByText('Under review').waitFor();
    };
    await page.goto(`${BASE}/authentication`);
    await page.getByRole('button', { name: 'Send for review' }).click();
    expect(await page.getByRole('alert').allTextContents()).toHaveLength(4);
    await page
      .locator('input[type=file]')
      .nth(0)
      .setInputFiles(file('card.pdf', 'application/pdf', Buffer.from('%PDF-1.7')));
    await page.getByText('Only JPEG, PNG and WebP', { exact: false }).waitFor();
    // Says it is a picture, but is none: the server looks at the content.
    await page
      .locator('input[type=file]')
      .nth(1)
      .setInputFiles(file('card.png', 'image/png', Buffer.from('not a picture at all')));
    await page.getByRole('alert').filter({ hasText: 'Only JPEG' }).nth(1).waitFor();
    await handIn();

    expect((await decide('0', 'The number cannot be read')).type).toBe('ok');
    await page.getByText('The number cannot be read').waitFor();
    await handIn();
    expect((await decide('1', 'Papers are in order')).type).toBe('ok');
    await page.getByText('Certified', { exact: true }).waitFor();
    expect(person.complaints.filter((text) => !text.includes('status of 4'))).toEqual([]);
  });

  test('binds a phone and changes the e-mail by codes sent to them; the level is strong [ACCOUNTUI-004]', async () => {
    const { page } = person;
    const phone = `55${String(serial).slice(-8)}`;
    await page.goto(`${BASE}/account/accountSet`);
    await page.getByRole('link', { name: 'Bind: Phone number' }).click();
    await page.locator('input[name=mobile]').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /Again in/ }).waitFor();
    const letters = (await call('GET', '/dev/inbox', { scene: 'bind', limit: '20' })).message as {
      to: string;
      code: string;
    }[];
    await page.getByLabel('Verification code').fill(letters.find(({ to }) => to.endsWith(phone))?.code ?? '');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/account/accountSet');
    await page.waitForFunction(
      () => document.querySelector('[role=meter]')?.getAttribute('aria-valuetext') === '100 %, Strong',
    );

    const changed = `bay${serial}@demo.bourse`;
    await page.getByRole('link', { name: 'Change: E-mail address' }).click();
    await page.getByText('A change blocks withdrawals', { exact: false }).waitFor();
    await page.locator('input[name=email]').fill('nobody');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('alert').filter({ hasText: 'not a valid e-mail' }).waitFor();
    await page.locator('input[name=email]').fill(changed);
    await useCode(page, changed, 'bind');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/account/accountSet');
    await page.getByText('bay****@demo.bourse').waitFor();
    account = changed;
  });

  test('binds a bank account, saves payment settings, later by the fund password [ACCOUNTUI-005]', async () => {
    const { page } = person;
    await page.goto(`${BASE}/account/bankAuthentication`);
    for (const [name, value] of [
      ['real_name', 'Maria Mar'],
      ['bank_no', '5500 1234'],
      ['bank_name', 'Harbour Bank'],
      ['region', 'Lisbon/Alfama'],
      ['phone', '5550001'],
    ] as const)
      await page.locator(`input[name=${name}]`).fill(value);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your bank account is bound').waitFor();

    await page.goto(`${BASE}/userSetting`);
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('alert').count()).toBe(8);
    for (const [name, value] of [
      ['real_name', 'Maria Mar'],
      ['bank_name', 'Harbour Bank'],
      ['bank_account', '5500 1234'],
      ['alipay_account', 'maria@pay'],
      ['wechat_account', 'mariamar'],
      ['wechat_nickname', 'Maria'],
    ] as const)
      await page.locator(`input[name=${name}]`).fill(value);
    await page.locator('input[type=file]').nth(0).setInputFiles(file());
    await page.locator('input[type=file]').nth(1).setInputFiles(file());
    await page.getByText('Uploaded').nth(1).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const fund = page.locator('input[name=password]');
    await fund.waitFor();
    const shown = page.getByRole('img', { name: /Alipay payment code/ });
    await shown.waitFor();
    // The stored picture, from its signed address.
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll<HTMLImageElement>('main form img')].filter(
          (image) => image.src.includes('/api/upload/') && image.naturalWidth > 0,
        ).length === 2,
    );
    await page.locator('input[name=wechat_nickname]').fill('Maria Mar');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'fund password' }).waitFor();
    await fund.fill('wrong1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'Wrong fund password' }).waitFor();
    // A refused form keeps its values.
    expect(await page.locator('input[name=wechat_nickname]').inputValue()).toBe('Maria Mar');
    await fund.fill(FUND);
    const [saved] = await Promise.all([
      page.waitForResponse(/\/api\/user\/cash_save/),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(((await saved.json()) as Envelope).type).toBe('ok');
    expect(
      ((await call('POST', '/api/user/cash_info', {}, await tokenIn(page))).message as { wechat_nickname: string })
        .wechat_nickname,
    ).toBe('Maria Mar');
  });

  test('logs another device in by the authorization code, sees it, and logs it out [ACCOUNTUI-006]', async () => {
    const { page } = person;
    await page.goto(`${BASE}/account/accountSet`);
    await setting(page, 'Authorization code').getByRole('button', { name: 'Show' }).click();
    await page.getByText(/valid for/).waitFor();
    const code = await setting(page, 'Authorization code').locator('bdi').first().innerText();
    expect(code).toMatch(/^\S{8}$/);

    const other = await visit();
    await other.page.goto(`${BASE}/components/login`);
    await other.page.getByLabel('E-mail address').fill(account);
    await other.page.getByRole('button', { name: 'Use a code from another device' }).click();
    expect(await other.page.getByLabel('E-mail address').inputValue()).toBe(account);
    await other.page.locator('input[name=authorization_code]').fill(code);
    await other.page.locator('form button[type=submit]').click();
    await other.page.waitForFunction(() => localStorage.getItem('token') !== null);
    const token = await tokenIn(other.page);

    await page.reload();
    const devices = page.getByRole('region', { name: 'Logged-in devices' }).last();
    await devices
      .getByRole('button', { name: /^Log out/ })
      .first()
      .waitFor();
    // Logging in after the registration made one more: end all but this one.
    for (let left = await devices.getByRole('button', { name: /^Log out/ }).count(); left > 0; left -= 1) {
      await devices
        .getByRole('button', { name: /^Log out/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
      await page.waitForFunction(
        (rest) => document.querySelectorAll('button[aria-label^="Log out:"]').length === rest,
        left - 1,
      );
    }
    expect((await call('GET', '/api/user/info', {}, token)).type).toBe('999');
    expect((await call('GET', '/api/user/info', {}, await tokenIn(page))).type).toBe('ok');
  });

  test('makes an API key, reads with it, and deletes it [ACCOUNTUI-007]', async () => {
    const { page } = person;
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name=label]').fill('Reader');
    await dialog.locator('textarea').fill('not-an-address');
    await dialog.locator('input[name=password]').fill(FUND);
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByText('One of these is not an IP address').waitFor();
    await dialog.locator('textarea').fill('127.0.0.1\n::1');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByText('The secret is shown only now.', { exact: false }).waitFor();
    const made = {
      key: await dialog.locator('[data-testid=api-key]').innerText(),
      secret: await dialog.locator('[data-testid=api-secret]').innerText(),
    };
    // Shown once: neither Escape nor a press beside it closes it.
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('cell', { name: 'Reader', exact: true }).waitFor();
    expect((await signedRead('/api/coin/fills', made)).status).toBe(200);
    expect(await page.content()).not.toContain(made.secret);

    await page.getByRole('button', { name: 'Delete: Reader' }).click();
    await dialog.locator('input[name=password]').fill(FUND);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You have no API keys.').waitFor();
    expect((await signedRead('/api/coin/fills', made)).status).toBe(401);
  });

  test('switches the authenticator on, and logs in with it [ACCOUNTUI-008]', async () => {
    const { page } = person;
    await page.getByRole('button', { name: 'Switch on: Authenticator app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('svg[role=img], svg title').first().waitFor({ state: 'attached' });
    secret = await dialog.locator('bdi.font-mono').innerText();
    await dialog.locator('input[name=totp_code]').fill(totpCode(secret));
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch off: Authenticator app' }).waitFor();

    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForFunction(() => localStorage.getItem('token') === null);
    await signInAgain(page);
    const field = page.locator('input[name=totp]');
    await field.waitFor();
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    // The step that switched it on is used up: the code of the next one counts already.
    await field.fill(totpCode(secret, 1));
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/account/accountSet');
  });

  test('sets a word against forged mail, and freezes the account after a warning [ACCOUNTUI-009]', async () => {
    const { page } = person;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Set: Anti-phishing word' }).click();
    await dialog.locator('input[name=word]').fill('abc');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.locator('input[name=word]').fill('lighthouse');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Freeze' }).click();
    await dialog.getByText('Only support can lift it', { exact: false }).waitFor();
    await dialog.locator('input[name=password]').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Freeze' }).click();
    await dialog.getByText('Please confirm that you want this').waitFor();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Freeze' }).click();
    await dialog.waitFor({ state: 'detached' });
    const order = { legal_id: '3', currency_id: '1', type: '1', target_price: '50000', amount: '0.01' };
    expect((await call('POST', '/api/coin/trade', order, await tokenIn(page))).key).toBe('auth.frozen');
    // The word stands in the letter that tells of it.
    expect(JSON.stringify((await call('GET', '/dev/inbox', { to: account })).message)).toContain('lighthouse');
  });
});

test('a person who is led to set a fund password returns to the refused screen [ACCOUNTUI-010]', async () => {
  const { page, context } = await visit();
  await holdSession(context, await demoSession('trader3@demo.bourse'));
  const refusal = {
    contentType: 'application/json',
    body: JSON.stringify({
      type: 'not',
      key: 'fund.notSet',
      message: 'Please set a fund password first',
      request_id: 'r',
    }),
  };
  const accepted = {
    contentType: 'application/json',
    body: JSON.stringify({ type: 'ok', message: 'saved', request_id: 'r', seconds: 60 }),
  };
  await page.route('**/api/user/set_bank_account*', (route) => route.fulfill(refusal));
  await page.route('**/api/safe/update_password*', (route) => route.fulfill(accepted));
  await page.goto(`${BASE}/account/bankAuthentication`);
  for (const name of ['real_name', 'bank_no', 'bank_name', 'region', 'phone'])
    await page.locator(`input[name=${name}]`).fill('x');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.waitForURL('**/bindmpwd');
  await page.locator('input[name=password]').fill(FUND);
  await page.locator('input[name=re_password]').fill(FUND);
  await page.getByLabel('Verification code').fill('123456');
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/account/bankAuthentication');
});

test('sends no code for the fund password before the account is known [TERM-074]', async () => {
  const { page, context } = await visit();
  await holdSession(context, await demoSession('trader3@demo.bourse'));
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/user/info*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${BASE}/bindmpwd`);
  const send = page.getByRole('button', { name: 'Send code' });
  await send.waitFor();
  expect(await send.isDisabled()).toBe(true);
  release();
  await page.getByText('The code goes to').waitFor();
  expect(await send.isEnabled()).toBe(true);
});

test('a region agent sees the own region, others get a refusal [ACCOUNTUI-011]', async () => {
  const agent = await visit();
  await holdSession(agent.context, await demoSession('agent@demo.bourse'));
  await agent.page.goto(`${BASE}/account/region`);
  await agent.page.getByRole('cell', { name: 'Lisbon' }).first().waitFor();
  await agent.page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Region users' }).waitFor();
  await agent.context.close();
  const other = await visit();
  await holdSession(other.context, await demoSession('trader3@demo.bourse'));
  await other.page.goto(`${BASE}/account/region`);
  await other.page.getByText('No permission', { exact: false }).waitFor();
});

test('the invitation is copied as a link; a reset from the settings knows its account [ACCOUNTUI-012]', async () => {
  const { page, context } = await visit();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await holdSession(context, await demoSession('trader3@demo.bourse'));
  await page.goto(`${BASE}/accountSet`);
  await page.getByRole('button', { name: 'Copy link: Invite code' }).click();
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${BASE}/register?extension_code=H100003`);
  await page.getByRole('link', { name: 'Reset: Login password' }).click();
  await page.waitForURL('**/forgetPwd?fromSet=1');
  // The screen that was left names the address too.
  expect(await page.getByRole('textbox', { name: 'E-mail address' }).inputValue()).toBe('trader3@demo.bourse');
});

test('neither Escape nor the browser hides a form that is being sent [ACCOUNTUI-031]', async () => {
  const { page } = await visitAs(await certified(), '/account/accountSet');
  await page.getByRole('button', { name: /^Set: Anti/ }).click();
  const dialog = page.getByRole('dialog');
  let answer = (): Promise<void> => Promise.resolve();
  await page.route('**/api/safe/anti_phishing*', (route) => {
    const body = { type: 'error', key: 'common.fieldInvalid', message: 'Not this word', request_id: 'r' };
    answer = () => route.fulfill({ json: body });
  });
  const sent = page.waitForRequest('**/api/safe/anti_phishing*');
  await dialog.locator('input').first().fill('harbour');
  await page.keyboard.press('Enter');
  await sent;
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  // A browser that has asked once closes the dialog itself when nothing was pressed since.
  await dialog.evaluate((element: HTMLDialogElement) => element.close());
  await expect(dialog).toBeVisible();
  await answer();
  await dialog.getByText('Not this word').waitFor();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

/** Each theme, direction and width once; the gallery shows the parts that these screens are made of in all of them. */
const LOOKS = [
  { theme: 'dark', locale: 'en', width: 1440 },
  { theme: 'white', locale: 'ar', width: 390 },
] as const;
for (const look of LOOKS)
  test.describe(`in ${look.theme}, ${look.locale}, ${look.width} wide`, () => {
    let newbie: Visitor, trader: Visitor;
    test.beforeAll(async () => {
      [newbie, trader] = await Promise.all([visit(look), visit(look)]);
      await holdSession(newbie.context, await demoSession('newbie@demo.bourse'));
      await holdSession(trader.context, await demoSession('trader3@demo.bourse'));
    });
    test.afterAll(async () => {
      await Promise.all([newbie.context.close(), trader.context.close()]);
    });

    async function sound({ page, complaints }: Visitor): Promise<void> {
      expect(await seriousBarriers(page, { without: ['region'] })).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
    }

    for (const path of ['/authentication', '/account/bankAuthentication', '/userSetting', '/account/accountSet'])
      test(`${path} of a newcomer has no barrier and fits [ACCOUNTUI-020]`, async () => {
        if (newbie.page.url().startsWith(BASE)) await walkTo(newbie.page, path);
        else await newbie.page.goto(`${BASE}${path}`);
        await newbie.page.locator('main form, main [role=meter]').first().waitFor();
        await sound(newbie);
      });

    test('the dialogs of the settings have no barrier and fit [ACCOUNTUI-021]', async () => {
      const { page } = trader;
      await page.goto(`${BASE}/account/accountSet`);
      const main = page.locator('main');
      await main.getByRole('meter').waitFor();
      const texts =
        look.locale === 'en'
          ? { totp: /^Switch on/, word: /^Set: Anti/, key: 'Create API key', freeze: 'Freeze' }
          : { totp: /^تفعيل/, word: /^تعيين: كلمة/, key: 'إنشاء مفتاح API', freeze: 'تجميد' };
      for (const name of [texts.totp, texts.word, texts.key, texts.freeze]) {
        await main.getByRole('button', { name, exact: typeof name === 'string' }).click();
        await page.getByRole('dialog').waitFor();
        await page.getByRole('dialog').locator('input').first().waitFor();
        await sound(trader);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    });
  });
