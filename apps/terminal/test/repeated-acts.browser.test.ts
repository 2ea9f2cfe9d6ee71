import type { Page, Route } from '@playwright/test';
import { expect, funded, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, visitAs } from './browser.js';
import { readFarPrice } from './spot-visit.js';

const USDT = 3;
const BTC = '/dealCenter?legalId=3&currencyId=1';
const PAIR = { legal_id: '3', currency_id: '1' };
let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { [USDT]: '10000' } });
});

const formOf = (page: Page, pair = 'BTC/USDT') => page.getByRole('form', { name: `Buy ${pair}` });
const amountOf = (page: Page, pair?: string) => formOf(page, pair).getByLabel('Amount', { exact: true });
const chooseEth = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Choose a pair/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('eth/u');
  await dialog.getByRole('button', { name: /^ETH\/USDT/ }).click();
};
/** The exchange acts on the call, and its answer is lost. */
const loseAnswer = async (route: Route): Promise<void> => {
  await route.fetch();
  await route.abort();
};

test('a price and a share that were chosen for one pair do not fill the ticket of the next [TICKET-030]', async () => {
  const { page } = await visitAs(person, BTC);
  await amountOf(page).waitFor();
  await chooseEth(page);
  await formOf(page, 'ETH/USDT').waitFor();
  const book = page.getByRole('table', { name: 'Order book' });
  await book.getByRole('rowgroup').last().getByRole('button').first().click();
  await expect(amountOf(page, 'ETH/USDT')).toBeFocused();
  const picked = await formOf(page, 'ETH/USDT').getByLabel('Price', { exact: true }).inputValue();
  await amountOf(page, 'ETH/USDT').blur();
  await page.keyboard.press('5');
  await expect(amountOf(page, 'ETH/USDT')).not.toHaveValue('');
  await page.goBack();
  await expect(formOf(page).getByLabel('Price', { exact: true })).toHaveValue(/\d/);
  expect(await formOf(page).getByLabel('Price', { exact: true }).inputValue()).not.toBe(picked);
  await expect(amountOf(page)).toHaveValue('');
  await expect(amountOf(page)).not.toBeFocused();
});

test('a held Enter opens the question of an order and does not answer it [TICKET-031]', async () => {
  const { page } = await visitAs(person, BTC);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/coin/trade?')) sent.push(request.method());
  });
  await formOf(page)
    .getByLabel('Price', { exact: true })
    .fill(String(await readFarPrice()));
  await amountOf(page).fill('0.001');
  await page.keyboard.down('Enter');
  const question = page.getByRole('dialog');
  await question.getByText('This price differs by', { exact: false }).waitFor();
  for (let repeats = 0; repeats < 3; repeats++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect([await question.isVisible(), sent]).toEqual([true, []]);
  const answered = page.waitForResponse('**/api/coin/trade?*');
  await page.keyboard.press('Enter');
  expect((await answered).ok()).toBe(true);
  await callAs(person, '/api/coin/cancel_all', {});
});

test('what one person left on a page is gone when another one is signed in [ACCOUNTUI-023]', async () => {
  const { page, context } = await visitAs(person, BTC);
  const next = await funded({ change: { [USDT]: '10000' } });
  const price = String(await readFarPrice());
  await callAs(person, '/api/coin/trade', { ...PAIR, type: '1', amount: '0.001', target_price: price });
  await page.getByRole('button', { name: /^Cancel order in BTC/ }).click();
  await page.getByRole('button', { name: 'Place again' }).waitFor();
  await formOf(page).getByLabel('Price', { exact: true }).fill(price);
  await amountOf(page).fill('0.002');
  await formOf(page).getByRole('button', { name: 'Buy BTC' }).click();
  await page.getByRole('dialog').waitFor();
  // Another tab signs out and in; this one learns it from the storage.
  const other = await context.newPage();
  await other.goto(`${BASE}/manifest.webmanifest`);
  await other.evaluate(
    ([token, id]) => {
      localStorage.removeItem('token');
      localStorage.setItem('user_id', id!);
      localStorage.setItem('token', token!);
    },
    [next.token, String(next.id)],
  );
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Place again' })).toHaveCount(0);
  await expect(amountOf(page)).toHaveValue('');
});

test('a sign-out does not wait for an exchange that is silent [ACCOUNTUI-024]', async () => {
  const { page } = await visitAs(await funded({ change: { [USDT]: '1' } }), BTC);
  // Never answered.
  await page.route('**/api/user/logout*', () => undefined);
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForFunction(() => localStorage.getItem('token') === null);
  await page.getByRole('link', { name: 'Log in' }).first().waitFor();
});

test('a stop whose move got no answer is not placed a second time [ORDERS-018]', async () => {
  const { last_price: last } = await callAs<{ last_price: string }>(person, '/api/transaction/deal', PAIR);
  // Near enough to be in sight of hourly bars, too far to be triggered.
  const trigger = (BigInt(last.split('.')[0] ?? '') * 103n) / 100n;
  const stop = { ...PAIR, type: '1', order_type: 'stop_market', amount: '0.001', stop_price: `${trigger}` };
  await callAs(person, '/api/coin/trade', stop);
  const { page } = await visitAs(person, BTC);
  const hours = page.waitForResponse((answer) => answer.url().includes('period=60min'));
  await page.getByRole('radio', { name: '1h', exact: true }).click();
  await (await hours).finished();
  const handle = page.locator('[data-line]').first();
  await handle.waitFor();
  await handle.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Enter');
  const trade = '**/api/coin/trade?*';
  await page.route(trade, async (route) =>
    route.request().method() === 'POST' ? loseAnswer(route) : route.continue(),
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.getByText('1 order cancelled', { exact: true }).waitFor();
  await page.getByText('The exchange did not answer.', { exact: false }).waitFor();
  await page.unroute(trade);
  const repeated = page.waitForResponse(trade);
  await page.getByRole('button', { name: 'Place again' }).click();
  expect((await repeated).ok()).toBe(true);
  const { data } = await callAs<{ data: readonly unknown[] }>(person, '/api/coin/list?status=1');
  expect(data).toHaveLength(1);
  await callAs(person, '/api/coin/cancel_all', {});
});

test('a stop whose move is refused is open at its old price again [CHART-090]', async () => {
  const { last_price: last } = await callAs<{ last_price: string }>(person, '/api/transaction/deal', PAIR);
  const trigger = (BigInt(last.split('.')[0] ?? '') * 103n) / 100n;
  const stop = { ...PAIR, type: '1', order_type: 'stop_market', amount: '0.001', stop_price: `${trigger}` };
  await callAs(person, '/api/coin/trade', { ...stop, trigger_by: 'mark' });
  const { page } = await visitAs(person, BTC);
  const hours = page.waitForResponse((answer) => answer.url().includes('period=60min'));
  await page.getByRole('radio', { name: '1h', exact: true }).click();
  await (await hours).finished();
  const handle = page.locator('[data-line]').first();
  await handle.waitFor();
  await handle.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Enter');
  let refusals = 0;
  await page.route('**/api/coin/trade?*', async (route) => {
    const refusal = { type: 'error', key: 'trade.stopPrice', message: 'Wrong side', params: {}, request_id: 'r' };
    if (route.request().method() === 'POST' && refusals++ === 0) await route.fulfill({ status: 400, json: refusal });
    else await route.continue();
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.getByText('The order was not moved: it is open at its old price again.').waitFor();
  await expect(page.getByRole('button', { name: 'Place again' })).toHaveCount(0);
  const { data } = await callAs<{ data: { stop_price: string; trigger_by: string }[] }>(
    person,
    '/api/coin/list?status=1',
  );
  expect(data.map((row) => [Number(row.stop_price), row.trigger_by])).toEqual([[Number(trigger), 'mark']]);
  await callAs(person, '/api/coin/cancel_all', {});
});

test('a transfer that is changed after a lost answer is another transfer [WALLET-UI-027]', async () => {
  const { page } = await visitAs(person, '/transferLegal');
  const form = page.getByRole('form', { name: 'Transfer between accounts' });
  const send = async (amount: string): Promise<void> => {
    await form.getByLabel('Amount').fill(amount);
    await form.getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  };
  await form.getByLabel('Coin', { exact: true }).selectOption({ label: 'USDT' });
  const keys: (string | undefined)[] = [];
  await page.route('**/api/wallet/change*', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    await loseAnswer(route);
  });
  await send('10');
  const silence = form.getByText('Try again', { exact: false });
  await silence.waitFor();
  await form.getByLabel('Amount').fill('5');
  await expect(silence).toHaveCount(0);
  await page.unroute('**/api/wallet/change*');
  const asked = page.waitForRequest('**/api/wallet/change*');
  await send('5');
  keys.push((await asked).headers()['idempotency-key']);
  await page.waitForURL(/\/legal$/);
  expect(new Set(keys).size).toBe(2);
});

test('a conversion without an answer stays the same one when the book has moved [TERM-CONV-013]', async () => {
  const { page } = await visitAs(person, '/account/coinExchange');
  const sent: string[] = [];
  const trade = '**/api/coin/trade?*';
  await page.route(trade, async (route) => {
    const request = route.request();
    sent.push(`${request.headers()['idempotency-key']} ${(request.postData() ?? '').replace(/timestamp=\d+/, '')}`);
    await loseAnswer(route);
  });
  let dearer = 0n;
  // The asks as they are, and later each a tenth dearer.
  await page.route('**/api/transaction/deal?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { message: { out: { price: string }[] } };
    const moved = (price: string): string => `${(BigInt(price.split('.')[0]!) * (10n + dearer)) / 10n}.00`;
    const out = body.message.out.map((level) => ({ ...level, price: moved(level.price) }));
    await route.fulfill({ response, json: { ...body, message: { ...body.message, out } } });
  });
  await page.getByLabel('From').selectOption({ label: 'USDT' });
  await page.getByLabel('To').selectOption({ label: 'BTC' });
  const form = page.getByRole('form', { name: 'Convert' });
  const question = page.getByRole('dialog');
  const convert = async (): Promise<void> => {
    await form.getByRole('button', { name: 'Convert' }).click();
    await question.getByRole('button', { name: 'Convert' }).click();
  };
  await form.getByLabel('You give').fill('100');
  const figure = form.getByText(/^0\.00\d+ BTC$/).first();
  const before = await figure.textContent();
  await convert();
  await question.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  dearer = 1n;
  await expect(figure).not.toHaveText(before ?? '');
  await page.unroute(trade);
  const again = page.waitForRequest(trade);
  await convert();
  const request = await again;
  sent.push(`${request.headers()['idempotency-key']} ${(request.postData() ?? '').replace(/timestamp=\d+/, '')}`);
  expect(new Set(sent).size).toBe(1);
  await expect(form.getByLabel('You give')).toHaveValue('');
});

test('a drawing that was begun on one pair is not ended on another [CHART-064]', async () => {
  const { page } = await visitAs(person, BTC, { width: 1_720, height: 1_000 });
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  const chart = page.getByRole('application');
  const { x, y, width, height } = (await chart.boundingBox())!;
  await page.getByRole('button', { name: 'Drawing tools' }).click();
  await page.getByRole('menuitem', { name: 'Trend line', exact: true }).click();
  await page.getByText('press on the chart; Escape cancels').waitFor();
  await page.mouse.click(x + width / 3, y + height / 3);
  const bars = page.waitForResponse((answer) => /symbol=ETH.*period=|period=.*symbol=ETH/.test(answer.url()));
  await chooseEth(page);
  await (await bars).finished();
  await formOf(page, 'ETH/USDT').waitFor();
  await page.getByText(/^MA10 [\d,.]+/).waitFor();
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Drawing tools' }).click();
  await page.getByRole('menuitem', { name: 'Measure' }).waitFor();
  await expect(page.getByRole('menuitem', { name: 'Delete: Trend line' })).toHaveCount(0);
});

test('the records of a coin follow an order of another page [WALLET-UI-028]', async () => {
  const trader = await funded({ change: { [USDT]: '100' } });
  const { page } = await visitAs(trader);
  const joined = new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"user_seq"')) resolve();
      }),
    );
  });
  await page.goto(`${BASE}/dealAccount?currency_id=${USDT}`);
  await joined;
  const held = page.getByRole('main').getByText('Funds held for an order');
  await page.getByRole('main').getByRole('row').nth(1).waitFor();
  await expect(held).toHaveCount(0);
  const order = { ...PAIR, type: '1', amount: '0.001', target_price: String(await readFarPrice()) };
  await callAs(trader, '/api/coin/trade', order);
  await held.first().waitFor();
  await callAs(trader, '/api/coin/cancel_all', {});
});
