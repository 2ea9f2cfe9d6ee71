import type { Page } from '@playwright/test';
import { expect, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, visit, type Visitor } from './browser.js';

/** Passkeys are bound to a name: an address has none. */
const SITE = BASE.replace('127.0.0.1', 'localhost');
const PASSWORD = 'Anchor-1357';
const shots = process.env['BOURSE_SHOTS'];

async function registered(account: string): Promise<void> {
  const post = async (path: string, fields: Record<string, string>): Promise<{ type: string; key?: string }> =>
    (await (await fetch(`${BASE}${path}`, { method: 'POST', body: new URLSearchParams(fields) })).json()) as {
      type: string;
    };
  await post('/api/sms_mail', { user_string: account, scene: 'register' });
  const inbox = await fetch(`${BASE}/dev/inbox?${new URLSearchParams({ to: account, scene: 'register' })}`);
  const letters = ((await inbox.json()) as { message: { code: string }[] }).message;
  const answer = await post('/api/user/register', {
    type: 'email',
    user_string: account,
    code: letters[0]?.code ?? '',
    password: PASSWORD,
    re_password: PASSWORD,
  });
  expect(answer).toMatchObject({ type: 'ok' });
}

/** An authenticator of the browser's own, which verifies its user at once. */
async function addAuthenticator({ context, page }: Visitor): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const isSignedIn = (page: Page): Promise<unknown> => page.waitForFunction(() => localStorage.getItem('token') !== null);
async function byPassword(page: Page, account: string): Promise<void> {
  await page.goto(`${SITE}/components/login?back=${encodeURIComponent('/account/accountSet')}`);
  await page.getByLabel('E-mail address').fill(account);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('form button[type=submit]').click();
}
async function picture(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/passkeys-${name}.png` });
}

for (const look of [
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'white', width: 390, height: 844 },
] as const)
  test(`a passkey is added, signs in, is the second step and is removed, ${look.width} wide [AUTH-111]`, async () => {
    const person = await visit(look);
    const { page } = person;
    const account = `passkey${look.width}_${Date.now()}@demo.bourse`;
    await registered(account);
    await addAuthenticator(person);
    await byPassword(page, account);
    await page.waitForURL('**/account/accountSet');

    const section = page.locator('section[aria-label=Passkeys]');
    await section.getByText('You have no passkeys.').waitFor();
    await section.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.locator('input[name=label]').fill('');
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    await dialog.getByText('Give the passkey a name').waitFor();
    await dialog.locator('input[name=label]').fill('Work laptop');
    await picture(page, `add-${look.width}`);
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    await section.getByText('Work laptop').waitFor();
    await section.getByRole('button', { name: 'Rename: Work laptop' }).click();
    await dialog.locator('input[name=label]').fill('Old laptop');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await section.getByText('Old laptop').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await section.scrollIntoViewIfNeeded();
    await picture(page, `list-${look.width}`);
    expect(await seriousBarriers(page)).toEqual([]);

    await page.evaluate(() => localStorage.removeItem('token'));
    await page.goto(`${SITE}/components/login`);
    await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
    await picture(page, `login-${look.width}`);
    expect(await seriousBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await isSignedIn(page);

    await page.evaluate(() => localStorage.removeItem('token'));
    await byPassword(page, account);
    await page.getByText('Please confirm with your passkey').waitFor();
    await picture(page, `step-${look.width}`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/account/accountSet');

    await section.getByRole('button', { name: 'Remove: Old laptop' }).click();
    await dialog.locator('input[name=password]').fill(PASSWORD);
    await picture(page, `remove-${look.width}`);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await section.getByText('You have no passkeys.').waitFor();
    // The console reports each refused call with its status.
    expect(person.complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await person.context.close();
  });
