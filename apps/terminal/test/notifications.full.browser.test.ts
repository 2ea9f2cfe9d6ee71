import type { Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { expect, funded, seriousBarriers, test, type Person } from '@bourse/web/testing';
import { BASE, holdSession, visit } from './browser.js';

const USDT = { id: '3', trc20: '4' };
let session: Person;
test.beforeAll(async () => {
  session = await funded({ change: { 1: '1', [USDT.id]: '100000' } });
});

async function call<T>(path: string, fields?: Record<string, string>, method = 'POST'): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    headers: { authorization: session.token },
    ...(fields ? { method, body: new URLSearchParams(fields) } : {}),
  });
  const body = (await response.json()) as { type: string; message: T };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
async function openAt(path: string, looks: { width?: number } = {}): Promise<Page> {
  const visitor = await visit(looks);
  await holdSession(visitor.context, session);
  await visitor.page.goto(`${BASE}${path}`);
  // The private events flow once the socket has said who it is.
  await visitor.page.getByText('Live', { exact: true }).first().waitFor();
  return visitor.page;
}
/** Passed once it is opened. */
const gate = (): [passed: Promise<void>, open: () => void] => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return [passed, open];
};
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true });
const buyNow = (): Promise<string> =>
  call('/api/coin/trade', { legal_id: '3', currency_id: '1', type: '1', amount: '0.002', order_type: 'market' });

test.describe('news of orders and money', () => {
  test('a fill is reported on any page, once, without a barrier [NOTE-007] [NOTE-001]', async () => {
    const page = await openAt('/finance');
    await buyNow();
    const toast = toasts(page).getByText(/^Bought 0\.0020 BTC at [\d,.]+$/);
    await toast.waitFor();
    // It stays while it is pointed at.
    await toast.hover();
    for (const theme of ['dark', 'white']) {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect(await seriousBarriers(page, { within: '[data-toast]' })).toEqual([]);
    }
    await toasts(page)
      .getByText(/^Fee 0\.\d+ BTC$/)
      .first()
      .waitFor();
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await toasts(page).getByRole('button', { name: 'View' }).first().click();
    await page.waitForURL('**/accountEntrust');
  });

  test('an order has one toast: the fill replaces "accepted" [NOTE-002]', async () => {
    const page = await openAt('/dealCenter?legalId=3&currencyId=1');
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByRole('tab', { name: 'Market', exact: true }).click();
    await form.getByLabel('Amount', { exact: true }).fill('0.003');
    const answered = page.waitForResponse('**/api/coin/trade*');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await toasts(page)
      .getByText(/^Bought 0\.0030 BTC at/)
      .waitFor();
    await answered;
    expect(await toasts(page).getByText('Order accepted').count()).toBe(0);
    expect(await toasts(page).locator('[data-toast]').count()).toBe(1);
  });

  test('a deposit is reported on the trading page, and frozen money is read again [NOTE-003]', async () => {
    const page = await openAt('/dealCenter');
    const address = await call<string>('/api/wallet/get_in_address', { currency: USDT.id, type: USDT.trc20 });
    await call('/dev/chain/deposit', { address, number: '200', currency: USDT.id, type: USDT.trc20 });
    await toasts(page)
      .getByText('Deposit credited: 200 USDT')
      .waitFor({ timeout: testTimeoutMs(24_000) });
  });

  test('frozen amounts appear and disappear with their order on the open page [NOTE-006]', async () => {
    const page = await openAt('/finance');
    const frozen = page.getByRole('region', { name: 'What is frozen' }).getByText('0.00300000 BTC');
    const before = await frozen.count();
    // The list is read every ten seconds anyway: both changes are here long before.
    await call('/api/coin/trade', {
      legal_id: '3',
      currency_id: '1',
      type: '2',
      amount: '0.003',
      target_price: '900000',
      order_type: 'limit',
    });
    await frozen.nth(before).waitFor({ timeout: 8_000 });
    await call('/api/coin/cancel_all', { legal_id: '3', currency_id: '1' });
    await frozen.nth(before).waitFor({ state: 'detached', timeout: 8_000 });
  });

  test('an order is listed once while it is sent, however late the answer [NOTE-004]', async () => {
    const page = await openAt('/dealCenter?legalId=3&currencyId=1');
    const tab = page.getByRole('tab', { name: /^Open orders/ });
    await page.getByRole('tab', { name: /^Open orders \(\d+\)/ }).waitFor();
    const before = Number(/\d+/.exec((await tab.textContent()) ?? '')?.[0]);
    const [answered, answer] = gate();
    await page.route('**/api/coin/trade?**', async (route) => {
      const response = await route.fetch();
      await answered;
      await route.fulfill({ response });
    });
    // Every number that the tab ever shows.
    await tab.evaluate((element) => {
      const shown = [element.textContent ?? ''];
      Object.assign(window, { shown });
      new MutationObserver(() => shown.push(element.textContent ?? '')).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      });
    });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Price', { exact: true }).fill('20000');
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    // The word comes with the push or with the answer, and leaves again after some seconds.
    const accepted = page.getByText('Order accepted').waitFor();
    await page.getByRole('tab', { name: `Open orders (${before + 1})` }).waitFor();
    answer();
    await accepted;
    const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
    const counts = shown.map((text) => Number(/\d+/.exec(text)?.[0]));
    expect(counts).toContain(before + 1);
    expect(counts.filter((count) => count > before + 1)).toEqual([]);
    await call('/api/coin/cancel_all', { legal_id: '3', currency_id: '1' });
  });
});
