import type { Page, WebSocketRoute } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { call, certified, expect, FUND, funded, test, withBank, type Person } from '@bourse/web/testing';
import { BASE, callAs, visitAs, type Visitor } from './browser.js';

/* What a screen holds while its data is read again: after missed events, another language, a save of its own. */

const USDT = 3;
const BTC = '/dealCenter?legalId=3&currencyId=1';
let trader: Person;
test.beforeAll(async () => {
  trader = await funded({ change: { [USDT]: '10000' } });
});

/** Opens a page whose socket loses the next private event on request, and cannot read it afterwards. */
async function openLossy(person: Person, path: string): Promise<Visitor & { miss(): Promise<void> }> {
  const visitor = await visitAs(person);
  const { page } = visitor;
  let losing = false;
  const open: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!losing || !String(message).includes('"balance_update"')) return socket.send(message);
      losing = false;
    });
    open.push(socket);
  });
  await page.route('**/api/stream/since*', (route) => route.abort());
  await page.goto(`${BASE}${path}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  const move = (from: string, to: string): Promise<unknown> =>
    callAs(person, '/api/wallet/change', { number: '1', currency_id: String(USDT), from_field: from, to_field: to });
  return {
    ...visitor,
    async miss() {
      // The header reads the notices again with all else of the person.
      const again = page.waitForResponse(/\/api\/notice\/list/, { timeout: testTimeoutMs(20_000) });
      losing = true;
      await move('change', 'legal');
      await move('legal', 'change');
      await again;
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    },
  };
}

test('payment settings that are being typed stay when events were missed [ACCOUNTUI-025]', async () => {
  const { page, miss } = await openLossy(trader, '/userSetting');
  const name = page.locator('input[name=real_name]');
  await name.fill('Maria Mar');
  await miss();
  await expect(name).toHaveValue('Maria Mar');
});

test('the secret of an authenticator that is set up stays when events were missed [ACCOUNTUI-026]', async () => {
  const { page, miss } = await openLossy(trader, '/account/accountSet');
  await page.getByRole('button', { name: 'Switch on: Authenticator app' }).click();
  const secret = page.getByRole('dialog').locator('bdi.font-mono');
  const shown = await secret.innerText();
  await miss();
  expect(await secret.innerText()).toBe(shown);
});

test('saved payment settings are there when one comes back to them [ACCOUNTUI-027]', async () => {
  const person = await certified();
  await withBank(person);
  const { page } = await visitAs(person, '/account/accountSet');
  const view = page.getByRole('link', { name: 'View: Payment settings' });
  await view.click();
  const nickname = page.locator('input[name=wechat_nickname]');
  await expect(nickname).toHaveValue('Ines');
  await nickname.fill('Ines Mar');
  await page.locator('input[name=password]').fill(FUND);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/account/accountSet');
  await view.click();
  await expect(nickname).toHaveValue('Ines Mar');
});

test('another language also changes the words of the exchange in a list [I18N-008]', async () => {
  const { page } = await visitAs(trader, '/finanrec');
  const { data } = await callAs<{ data: { info: string }[] }>(trader, '/api/statement/journals');
  const german = await fetch(`${BASE}/api/statement/journals`, {
    headers: { authorization: trader.token, lang: 'de' },
  }).then(async (response) => ((await response.json()) as { message: { data: { info: string }[] } }).message.data);
  const [words, translated] = [data.at(-1)?.info ?? '', german.at(-1)?.info ?? ''];
  expect(translated).not.toBe(words);
  const statement = page.getByRole('table').last();
  await statement.getByText(words, { exact: false }).first().waitFor();
  await page.getByRole('button', { name: /Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.locator('html[lang=de]').waitFor();
  await statement.getByText(translated, { exact: false }).first().waitFor();
  await expect(statement.getByText(words, { exact: false })).toHaveCount(0);
});

/** The page as an exchange in a local network serves it, over plain http. */
const withoutSecureContext = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined }));

test('lines and price alerts are set on a page that came over plain http [CHART-081]', async () => {
  const { page, complaints } = await visitAs(trader);
  await withoutSecureContext(page);
  await page.goto(`${BASE}${BTC}`);
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  const box = (await page.getByRole('application').boundingBox())!;
  const menu = page.getByRole('button', { name: 'Drawing tools' });
  for (const [tool, done] of [
    ['Horizontal line', page.getByRole('menuitem', { name: 'Delete: Horizontal line' })],
    ['Price alert', undefined],
  ] as const) {
    await menu.click();
    await page.getByRole('menuitem', { name: tool, exact: true }).click();
    await page.getByText('press on the chart; Escape cancels').waitFor();
    await page.mouse.click(box.x + box.width / 3, box.y + box.height / (done ? 2 : 3));
    await expect(page.getByText('press on the chart; Escape cancels')).toHaveCount(0);
    if (!done) continue;
    await menu.click();
    await done.waitFor();
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: /^Remove price alert/ }).waitFor({ state: 'attached' });
  expect(complaints.filter((text) => text.startsWith('uncaught'))).toEqual([]);
});

test('an order that was filled before its answer came is not open again [SPOTVIEW-082]', async () => {
  const { page } = await visitAs(trader, BTC);
  await page.getByText('Live', { exact: true }).first().waitFor();
  const tab = page.getByRole('tab', { name: /^Open orders/ });
  await page.getByRole('tab', { name: /^Open orders \(\d+\)/ }).waitFor();
  const before = await tab.textContent();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/coin/trade?**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { order: { status: number; filled_amount: string; cancelled: number } };
    await answered;
    // The state in which it was accepted.
    const order = { ...body.order, status: 1, filled_amount: '0' };
    await route.fulfill({ response, json: { ...body, order } });
  });
  await page.getByRole('tab', { name: 'Market', exact: true }).click();
  const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
  await form.getByLabel('Amount', { exact: true }).fill('0.002');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(/^Bought 0\.0020 BTC/).waitFor();
  await expect(tab).toHaveText(before ?? '');
  const taken = page.waitForResponse(/\/api\/coin\/trade\?/);
  answer();
  await taken;
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(await tab.textContent()).toBe(before);
});

test('whoever leaves a page that has bound an address stays where they went [ACCOUNTUI-028]', async () => {
  const person = await certified();
  const { page } = await visitAs(person, '/bindPhone');
  const phone = `55${String(Date.now()).slice(-8)}`;
  await page.locator('input[name=mobile]').fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: /Again in/ }).waitFor();
  const { message: letters } = (await (await fetch(`${BASE}/dev/inbox?scene=bind&limit=20`)).json()) as {
    message: { to: string; code: string }[];
  };
  await page.getByLabel('Verification code').fill(letters.find(({ to }) => to.endsWith(phone))?.code ?? '');
  await page.locator('form button[type=submit]').click();
  await page.getByText('Phone number bound').waitFor();
  await page.getByRole('link', { name: 'Markets', exact: true }).first().click();
  await page.waitForURL('**/allmarket');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2_000)));
  expect(new URL(page.url()).pathname).toBe('/allmarket');
});

test('an open complaint and the typed reply stay when it cannot be read again [ACCOUNTUI-030]', async () => {
  const { id } = await call(
    '/api/complaint/add',
    { kind: 'other', subject: 'A statement without a line', text: 'It has no line for my deposit.' },
    trader.token,
  );
  const { page, miss } = await openLossy(trader, `/complaints?id=${String(id)}`);
  const reply = page.getByRole('textbox');
  await reply.fill('It was the deposit of Monday.');
  const body = { type: 'error', key: 'common.unavailable', message: 'Service unavailable', request_id: 'r' };
  const refused = page.waitForResponse(/\/api\/complaint\/detail/);
  await page.route(/\/api\/complaint\/detail/, (route) => route.fulfill({ status: 503, json: body }));
  await miss();
  expect((await refused).status()).toBe(503);
  await expect(page.getByRole('heading', { name: 'A statement without a line' })).toBeVisible();
  await expect(reply).toHaveValue('It was the deposit of Monday.');
});
