import type { Locator, Page } from '@playwright/test';
import { expect, funded, test, type Person } from '@bourse/web/testing';
import { BASE, holdSession, visit } from './browser.js';

const USDT = 3;
const PAIRS = { BTC: { legal_id: '3', currency_id: '1' }, LTC: { legal_id: '3', currency_id: '5' } };
let session: Person;
test.beforeAll(async () => {
  session = await funded({ change: { [USDT]: '100000' } });
});

async function call<T>(path: string, fields: Record<string, string>): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    method: 'POST',
    headers: { authorization: session.token },
    body: new URLSearchParams(fields),
  });
  const body = (await response.json()) as { type: string; message: T };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
async function openAt(path: string, width = 1440, signedIn = true): Promise<Page> {
  const visitor = await visit({ width });
  if (signedIn) await holdSession(visitor.context, session);
  await visitor.page.goto(`${BASE}${path}`);
  return visitor.page;
}
const amountOf = (form: Locator): Locator => form.getByLabel('Amount', { exact: true });
/** Passed once it is opened. */
const gate = (): [passed: Promise<void>, open: () => void] => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return [passed, open];
};
const place = (coin: keyof typeof PAIRS, fields: Record<string, string>): Promise<string> =>
  call('/api/coin/trade', { ...PAIRS[coin], type: '1', ...fields });

test.describe('orders in lists', () => {
  test('a stop is listed as a stop with its trigger, in the panel and in the list of orders [ORDERS-001]', async () => {
    await place('BTC', { amount: '0.01', order_type: 'stop_market', stop_price: '900000' });
    const page = await openAt('/accountEntrust');
    await page.getByRole('tab', { name: 'Buying' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Stop market' });
    await row.getByText('Stop 900,000.00').waitFor();
    expect(await row.getByText('0.00', { exact: true }).count()).toBe(0);
    await page.goto(`${BASE}/dealCenter?legalId=3&currencyId=1`);
    // Far above what is shown, the line's handle is hidden; its words are there.
    await page
      .getByRole('button', { name: /^Cancel: Stop 900,000\.00 → Buy 0\.0100/, includeHidden: true })
      .waitFor({ state: 'attached' });
    await call('/api/coin/cancel_all', {});
  });

  test('eight open orders are shown, the ninth on request [ORDERS-011]', async () => {
    for (let at = 1; at <= 9; at += 1) await place('LTC', { amount: '1', target_price: `20.0${at}` });
    const page = await openAt('/dealCenter?legalId=3&currencyId=1');
    await page.getByRole('tab', { name: 'Open orders (9)' }).waitFor();
    const region = page.getByRole('region', { name: 'Open orders' });
    const rows = region.getByRole('row').filter({ hasText: /20\.0\d/ });
    await rows.nth(7).waitFor();
    expect(await rows.count()).toBe(8);
    await region.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(8).waitFor();
    expect(await region.getByRole('button', { name: 'Load more' }).count()).toBe(0);
    await call('/api/coin/cancel_all', {});
  });

  test('this pair only: the server is asked, no order of the pair hides behind other pages [ORDERS-002]', async () => {
    await place('BTC', { amount: '0.01', target_price: '20000' });
    for (let at = 0; at < 9; at += 1) await place('LTC', { amount: '1', target_price: '20' });
    await place('BTC', { amount: '0.01', target_price: '20001' });
    const page = await openAt('/dealCenter?legalId=3&currencyId=1');
    await page.getByRole('tab', { name: 'Open orders (11)' }).waitFor();
    await page.getByRole('checkbox', { name: 'This pair only' }).check();
    await page.getByRole('tab', { name: 'Open orders (2)' }).waitFor();
    await page.getByText('20,000.00').first().waitFor();
    await page.getByRole('checkbox', { name: 'This pair only' }).uncheck();
    await call('/api/coin/cancel_all', PAIRS.LTC);
  });

  for (const width of [390, 800])
    test(`at ${width} px orders are distinguishable before one is cancelled [ORDERS-003]`, async () => {
      const page = await openAt('/dealCenter?legalId=3&currencyId=1', width);
      const region = page.getByRole('region', { name: 'Open orders' });
      for (const price of ['20,000.00', '20,001.00']) {
        const row = region.getByRole('row').filter({ hasText: price });
        await row.scrollIntoViewIfNeeded();
        const cancel = row.getByRole('button', { name: /Cancel order in BTC/ });
        const [figure, button] = [await row.getByText(price).boundingBox(), await cancel.boundingBox()];
        if (!figure || !button) throw new Error('the row is not drawn');
        const apart =
          figure.x + figure.width <= button.x ||
          button.x + button.width <= figure.x ||
          figure.y + figure.height <= button.y ||
          button.y + button.height <= figure.y;
        expect([price, apart, figure.x + figure.width <= width]).toEqual([price, true, true]);
      }
      await page.goto(`${BASE}/accountEntrust`);
      await page.getByRole('tab', { name: 'Buying' }).click();
      const price = await page.getByText('20,001.00').first().boundingBox();
      expect((price?.x ?? 0) + (price?.width ?? width)).toBeLessThanOrEqual(width);
    });
});

test.describe('typed text', () => {
  test('the search of pairs takes the first row with Enter, and Escape closes it at once [ORDERS-005]', async () => {
    const page = await openAt('/dealCenter?legalId=3&currencyId=1');
    await page.getByRole('form').first().waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog').getByRole('combobox');
    await search.fill('ltc');
    await search.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^LTC/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('x');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

test.describe('the question before an order', () => {
  test('"Do not ask again" counts once it is confirmed, for both sides, and can be undone [ORDERS-010]', async () => {
    const book = await call<{ in: { price: string }[] }>('/api/transaction/deal', PAIRS.BTC);
    // Below the best bid: it rests, and is not so far away that the question may not be skipped.
    const price = `${(BigInt((book.in.at(-1)?.price ?? '0').split('.')[0] ?? '0') * 99n) / 100n}.00`;
    const page = await openAt('/dealCenter?legalId=3&currencyId=1');
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const press = async (): Promise<void> => {
      await form.getByLabel('Price', { exact: true }).fill(price);
      await form.getByLabel('Amount', { exact: true }).fill('0.001');
      await form.getByRole('button', { name: 'Buy BTC' }).click();
    };
    const dialog = page.getByRole('dialog');
    const skip = dialog.getByLabel('Do not ask again for limit orders');
    await press();
    await skip.check();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await press();
    expect(await skip.isChecked()).toBe(false);
    await skip.check();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const said = form.getByText('Limit orders go out without a question.');
    await said.waitFor();
    await page.getByRole('tab', { name: 'Sell', exact: true }).first().click();
    const sell = page.getByRole('form', { name: 'Sell BTC/USDT' });
    await sell.getByText('Limit orders go out without a question.').waitFor();
    await page.getByRole('tab', { name: 'Buy', exact: true }).first().click();
    await form.getByRole('button', { name: 'Ask again' }).click();
    await said.waitFor({ state: 'detached' });
    // Taken: until then the button has its answer to wait for.
    await page.waitForFunction(
      (field) => (field as HTMLInputElement).value === '',
      await amountOf(form).elementHandle(),
    );
    await press();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await call('/api/coin/cancel_all', PAIRS.BTC);
  });

  test('text typed while an order is in flight stays when it is accepted [ORDERS-012]', async () => {
    const page = await openAt('/dealCenter?legalId=3&currencyId=1');
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const [answered, answer] = gate();
    await page.route('**/api/coin/trade?**', async (route) => {
      const response = await route.fetch();
      await answered;
      await route.fulfill({ response });
    });
    await form.getByLabel('Price', { exact: true }).fill('20000');
    await amountOf(form).fill('0.001');
    const taken = page.waitForResponse('**/api/coin/trade?**');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await amountOf(form).fill('0.002');
    answer();
    await taken;
    await page.getByRole('tab', { name: 'Open orders (1)' }).waitFor();
    expect(await amountOf(form).inputValue()).toBe('0.002');
    await call('/api/coin/cancel_all', PAIRS.BTC);
  });
});

test('the ticket sends an OCO pair and an order with exits, and the lists show them [ORDERS-013]', async () => {
  const { last_price: last } = await call<{ last_price: string }>('/api/transaction/deal', PAIRS.BTC);
  const whole = BigInt(last.split('.')[0] ?? '0');
  const [below, above] = [whole / 2n, whole * 2n];
  const shown = (price: bigint): string => `${price.toLocaleString('en-US')}.00`;
  const page = await openAt('/dealCenter?legalId=3&currencyId=1');
  const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
  const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text);
  };
  const dialog = page.getByRole('dialog');
  await form.getByRole('tab', { name: 'OCO', exact: true }).click();
  await fill({ Price: String(above), Stop: String(above), Amount: '0.001' });
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await form.getByText('The last price must lie between the limit price and the stop price').waitFor();
  await fill({ Price: String(below) });
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  for (const text of ['OCO', shown(below), shown(above), 'Market price'])
    await dialog.getByText(text).first().waitFor();
  expect(await dialog.getByLabel('Do not ask again for limit orders').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('tab', { name: 'Open orders (2)' }).waitFor();
  const region = page.getByRole('region', { name: 'Open orders' });
  const legs = region.getByRole('row').filter({ hasText: 'OCO' });
  await expect(legs).toHaveCount(2);
  await legs
    .filter({ hasText: 'Stop market' })
    .getByRole('button', { name: /Cancel order in BTC/ })
    .click();
  await page.getByText('2 orders cancelled').waitFor();
  await expect(legs).toHaveCount(0);

  await form.getByRole('tab', { name: 'Limit', exact: true }).click();
  await form.getByLabel('Take profit and stop loss', { exact: true }).check();
  await fill({ Price: String(below), Amount: '0.001', 'Take profit': String(above), 'Stop loss': String(above) });
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await form.getByText('The take profit or the stop loss lies on the wrong side of the price of the order').waitFor();
  await fill({ 'Stop loss': String(below / 2n) });
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await dialog.getByText(shown(below / 2n)).waitFor();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await region.getByText(`Take profit ${shown(above)}`).waitFor();
  await region.getByText(`Stop loss ${shown(below / 2n)}`).waitFor();
  await call('/api/coin/cancel_all', PAIRS.BTC);
});

test('the ticket sends a stop by mark, and list and chart name the mark [ORDERS-019]', async () => {
  const page = await openAt('/dealCenter?legalId=3&currencyId=1');
  const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
  const dialog = page.getByRole('dialog');
  await form.getByRole('tab', { name: 'Stop', exact: true }).click();
  await form.getByText('Stop market', { exact: true }).click();
  await form.getByText('Mark price', { exact: true }).click();
  await form.getByText('Triggers when the mark price rises to this price').waitFor();
  await form.getByRole('textbox', { name: 'Stop', exact: true }).fill('900000');
  await amountOf(form).fill('0.001');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  for (const text of ['Triggered by', 'Mark price', '900,000.00 USDT']) await dialog.getByText(text).first().waitFor();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const row = page.getByRole('region', { name: 'Open orders' }).getByRole('row').filter({ hasText: 'Stop market' });
  await row.getByText('Mark price ≥ 900,000.00').waitFor();
  await page
    .getByRole('button', {
      name: /^Cancel: Mark price ≥ 900,000\.00 → Buy 0\.0010 · Market price/,
      includeHidden: true,
    })
    .waitFor({ state: 'attached' });
  // The choice stays for the next order.
  await form.getByText('Triggers when the mark price rises to this price').waitFor();
  await call('/api/coin/cancel_all', PAIRS.BTC);
});

test('the ticket sends a trailing stop, and the list shows its trail and its trigger [ORDERS-014]', async () => {
  const page = await openAt('/dealCenter?legalId=3&currencyId=1');
  const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
  const dialog = page.getByRole('dialog');
  await form.getByRole('tab', { name: 'Trailing', exact: true }).click();
  const trail = form.getByRole('textbox', { name: 'Trail', exact: true });
  await trail.fill('21');
  await amountOf(form).fill('0.001');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await form.getByText('Set the trail as a percentage from 0.1 to 20, or as an amount below the price').waitFor();
  await trail.fill('12.5');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  for (const text of ['Trailing', '12.5 %', 'Market price']) await dialog.getByText(text).first().waitFor();
  expect(await dialog.getByLabel('Do not ask again for limit orders').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const row = page.getByRole('region', { name: 'Open orders' }).getByRole('row').filter({ hasText: 'Trailing stop' });
  await row.getByText('Trail 12.5 %').waitFor();
  await row.getByText(/^Stop [1-9][\d,]*\.\d\d$/).waitFor();
  await page
    .getByRole('button', { name: /^Cancel: Trailing stop .* → Buy 0\.0010 · Market price/, includeHidden: true })
    .waitFor({ state: 'attached' });
  await call('/api/coin/cancel_all', PAIRS.BTC);
});

test.describe('labels of a page', () => {
  for (const [path, width] of [
    ['/', 1440],
    ['/allmarket', 1440],
    ['/allmarket', 390],
  ] as const)
    test(`every pair has the label of its price source: ${path} at ${width} px [ORDERS-006]`, async () => {
      const page = await openAt(path, width, false);
      const names = page.locator('main').getByText(/^[A-Z]+\/[A-Z]+$/);
      await names.first().waitFor();
      const count = await names.count();
      expect(count).toBeGreaterThanOrEqual(6);
      const signs = await page
        .locator('main')
        .getByText(/^(REC|SIM)/)
        .filter({ visible: true })
        .count();
      expect(signs).toBeGreaterThanOrEqual(count);
    });

  test('the label is shown on a phone too [ORDERS-006]', async () => {
    const page = await openAt('/dealCenter?legalId=3&currencyId=1', 390, false);
    await page
      .getByRole('heading', { level: 1 })
      .getByText(/^(REC|SIM)/)
      .waitFor();
  });

  test('nothing pops up before a first visitor [ORDERS-007]', async () => {
    const page = await openAt('/', 1440, false);
    await page.locator('main h1').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  test('a transfer above the balance is refused before the question; figures are grouped [ORDERS-008]', async () => {
    const page = await openAt('/transfer');
    const amount = page.locator('main input[name=amount]');
    await amount.fill('99999999');
    await page.locator('main').getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.getByText('Insufficient balance').first().waitFor();
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await amount.fill('1000');
    await page.locator('main').getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.getByRole('dialog').getByText(/1,000/).waitFor();
  });

  test('every coin with a network has its deposit address in the list [ORDERS-009]', async () => {
    const page = await openAt('/recharge');
    for (const coin of ['BTC', 'ETH', 'USDT', 'XRP', 'LTC', 'DOGE', 'ADA'])
      await page.getByRole('row').getByRole('link', { name: coin, exact: true }).first().waitFor();
  });
});
