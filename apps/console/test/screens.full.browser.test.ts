import { testTimeoutMs } from '@bourse/testing/eventually';
import { totpCode } from '@bourse/testing/totp';
import { barriers, desk, open } from './visit.js';
import { expect, PASSWORD, test } from '@bourse/web/testing';
import { KINDS, LOOKS, screenCheck, SCREENS } from './screen-checks.js';
import { CONSOLE, holdOperator } from './visitors.js';

/** The search with results; without a text it is one of the screens. */
const RESULTS = '/search?text=trader3';
const OTHERS = [...SCREENS.filter((path) => !KINDS.includes(path)), RESULTS];

for (const look of LOOKS)
  test.describe(`the screens, ${look.theme}, ${look.locale}, ${look.width} pixels`, () => {
    const check = screenCheck(look);
    for (const path of OTHERS)
      test(`${path} has no barriers, fits 1440 and 375 pixels [CONSOLE-006] [CONSOLE-126] [CONSOLE-309]`, async () => {
        expect(await check(path)).toEqual([]);
      });
  });

test('the overview draws the last hour, with its figures in words [CONSOLE-323]', async () => {
  const visitor = await desk();
  await holdOperator(visitor.context, 'operator');
  await open(visitor, '/');
  // A step takes 15 s; the page reads again every 20 s.
  for (const name of ['calls', 'refused', 'failed', 'ack']) {
    const chart = visitor.page.locator(`figure[data-chart=${name}]`);
    await chart
      .locator('canvas')
      .first()
      .waitFor({ state: 'attached', timeout: testTimeoutMs(40_000) });
    expect(await chart.textContent()).toMatch(/now \d+\.\d+(?: ms)?, at most \d+\.\d+(?: ms)?/);
  }
});

test('an operator sets up the own authenticator: secret, first code, and it is on [CONSOLE-011]', async () => {
  const username = `totp${crypto.randomUUID().slice(0, 8)}`;
  const [asking, approving] = [await tokenOf('operator', PASSWORD), await tokenOf('operator2', PASSWORD)];
  const access = { username, password: 'Lantern-13579', roles: 'support', reason: 'a desk for the night' };
  const { approval_id: id } = await act(asking, 'operators', access);
  await act(approving, 'approvals/approve', { id: String(id), reason: 'known to both of us' });
  const own = 'Lantern-24680-mine';
  const token = await tokenOf(username, access.password, { new_password: own });
  const visitor = await desk();
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
});

test('Chinese readers read Chinese everywhere, others English beside their own language [CONSOLE-007]', async () => {
  for (const [locale, heading] of [
    ['zh', '待审批'],
    ['de', 'Approvals'],
  ] as const) {
    const visitor = await desk({ locale });
    await holdOperator(visitor.context, 'operator');
    await open(visitor, '/approvals');
    expect(await visitor.page.locator('main h1').first().textContent()).toBe(heading);
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
