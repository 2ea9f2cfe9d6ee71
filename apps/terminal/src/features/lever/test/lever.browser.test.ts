import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { seriousBarriers, walkTo } from '@bourse/web/testing';
import { BASE, holdSession, openBrowser, tokenOf, visit, type Looks } from '../../../../test/browser.js';

/** The chart may fit its scale just then; more than a few times in a row it does not. */
const GRASPS_MAX = 5;
let browser: Browser;
let session: { token: string; id: number };
beforeAll(async () => {
  browser = await openBrowser();
  session = await tokenOf('trader2@demo.bourse');
});
afterAll(async () => {
  await browser.close();
});

const CENTRE = '/leverdealCenter?legalId=3&currencyId=1';
const ADDRESSES = ['/leverTransactions', '/leverList', '/allTransaction', '/lever_manger', '/manger'];
const grouped = (text: string): string => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
const main = (page: Page) => page.locator('main');

async function call<M>(path: string, fields: Record<string, string>): Promise<M> {
  const response = await fetch(`${BASE}${path}`, {
    method: 'POST',
    headers: { authorization: session.token },
    body: new URLSearchParams(fields),
  });
  return (await response.json()) as M;
}
/** Highest price of a pair in the last 24 hours of the exchange's time. */
async function dayOf(symbol: string): Promise<{ high: number }> {
  const { message: time } = (await (await fetch(`${BASE}/api/time`)).json()) as { message: number };
  const to = Math.floor(time / 1_000);
  const query = new URLSearchParams({ symbol, period: '60min', from: String(to - 86_400), to: String(to) });
  const { data } = (await (await fetch(`${BASE}/api/currency/new_timeshar?${query.toString()}`)).json()) as {
    data: { high: number }[];
  };
  return { high: Math.max(...data.map(({ high }) => high)) };
}
const signedIn = async (looks: Looks = {}) => {
  const visitor = await visit(browser, looks);
  await holdSession(visitor.context, session);
  return visitor;
};

describe('the leverage centre', () => {
  test('guests see the ways in [LEVERUI-020]', async () => {
    const { page, context } = await visit(browser);
    await page.goto(`${BASE}${CENTRE}`);
    await main(page).getByRole('link', { name: 'Register' }).waitFor();
    expect(await main(page).getByRole('link', { name: 'Log in' }).count()).toBeGreaterThan(0);
    await context.close();
  });

  test('a position is opened, given stops and closed: its row goes at once, its end told [LEVERUI-021]', async () => {
    const { page, context, complaints } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    await form.getByLabel('Leverage multiple').selectOption('20');
    await form.getByRole('textbox', { name: 'Hands' }).fill('2');
    const told = page.waitForResponse((answer) => answer.url().includes('/api/lever/preview'));

    const { message } = (await (await told).json()) as { message: { caution_money: string } };
    const margin = message.caution_money.replace(/\.?0+$/, '');
    await form.getByText(`${grouped(margin)} USDT`, { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Open long' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    // After a market order: the positions of the pair (api §5).
    await page.waitForURL((url) => url.pathname === '/leverTransactions');
    // The centre, which lists the position too, is shown until the code of this screen is there: a box that is opened
    // on it goes with it.
    await page.getByRole('heading', { level: 1, name: 'Open positions', exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Long 20×' }).first();
    await row.getByRole('button', { name: 'Stops of the position in BTC/USDT' }).click();
    const box = page.getByRole('dialog');
    const target = box.getByLabel('Take profit', { exact: true });
    await target.fill('99000');
    await box.getByRole('button', { name: 'Take profit: one step up' }).click();
    expect(await target.inputValue()).toBe('99000.01');
    await box.getByRole('button', { name: 'Confirm' }).click();
    await box.waitFor({ state: 'detached' });
    await row.getByText(/99,000\.01/).waitFor();
    const rows = page.getByRole('button', { name: 'Close the position in BTC/USDT' });
    const before = await rows.count();
    await row.getByRole('button', { name: 'Close the position in BTC/USDT' }).click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label="Close the position in BTC/USDT"]').length === count,
      before - 1,
    );
    // What it brought is told in one toast.
    const messages = page.getByRole('region', { name: 'Messages', exact: true });
    await messages.getByText('Position closed: \u2066BTC/USDT 20×\u2069').waitFor();
    expect(await messages.locator('[data-toast]').filter({ hasText: 'closed' }).count()).toBe(1);
    await page.getByRole('button', { name: /^Notices(,|$)/ }).click();
    await page.getByRole('menuitem', { name: 'Message centre' }).click();
    await page.getByRole('heading', { level: 1, name: 'Message centre' }).waitFor();
    // On a page that has nothing to do with it, and all that close together as one.
    const short = { legal_id: '3', currency_id: '1', type: '2', status: '1', multiple: '20', share: '1' };
    for (const hands of ['1', '2']) await call('/api/lever/submit', { ...short, share: hands });
    await call('/api/lever/batch_close', { type: '2' });
    await messages.getByText(/^Positions closed: \d+$/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  }, 120_000);

  test('an entrust at a price leads to the list of orders, and is revoked there [LEVERUI-022]', async () => {
    const { page, context } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    await form.getByRole('tab', { name: 'At a price' }).click();
    await form.getByLabel('Price', { exact: true }).fill('20000');
    await form.getByRole('textbox', { name: 'Hands' }).fill('1');
    await form.getByRole('button', { name: 'Open long' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL((url) => url.pathname === '/leverList');
    await page.getByRole('heading', { level: 1, name: 'Leverage orders' }).waitFor();
    const cancel = page.getByRole('button', { name: 'Cancel order in BTC/USDT' });
    await cancel.first().waitFor();
    const before = await cancel.count();
    await cancel.first().click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label="Cancel order in BTC/USDT"]').length === count,
      before - 1,
    );
    await context.close();
  }, 120_000);

  test('the line of a target is dragged, and the box asks before anything changes [LEVERUI-023]', async () => {
    const { message: deal } = await call<{ message: { mark_price: string } }>('/api/lever/deal', {
      legal_id: '3',
      currency_id: '1',
    });
    const mark = Number(deal.mark_price);
    // A line is drawn where the bars are: on the side of the price on which the last day has been.
    const isLong = (await dayOf('BTC/USDT')).high > mark * 1.005;
    const near = (mark * (isLong ? 1.004 : 0.996)).toFixed(2);
    const order = {
      legal_id: '3',
      currency_id: '1',
      type: isLong ? '1' : '2',
      status: '1',
      multiple: '20',
      share: '1',
    };
    const { id } = await call<{ id: string }>('/api/lever/submit', { ...order, target_profit_price: near });
    const { page, context } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    // Hours show enough of the market that a line so near to its price is in sight, however calm the last minutes were.
    await page.getByRole('radio', { name: '1h', exact: true }).click();
    const handle = page.locator(`[data-line="${id} target"]`);
    const target = page.getByRole('dialog').getByLabel('Take profit', { exact: true });
    // The chart fits its scale to bars that come: whoever grasps beside the line grasps it again.
    for (let grasps = 0; grasps < GRASPS_MAX && !(await target.isVisible()); grasps++) {
      await handle.hover({ position: { x: 8, y: 12 } });
      const at = (await handle.boundingBox())!;
      await page.mouse.down();
      await page.mouse.move(at.x + 8, at.y + 12 + (isLong ? -32 : 32), { steps: 5 });
      await page.mouse.up();
      await target.waitFor({ timeout: 2_000 }).catch(() => undefined);
    }
    await target.waitFor();
    expect(Number(await target.inputValue()) > Number(near)).toBe(isLong);
    await page.keyboard.press('Escape');
    // The same by keyboard, with what stands.
    await handle.focus();
    await page.keyboard.press('Enter');
    expect(await target.inputValue()).toBe(near);
    await call('/api/lever/close', { id });
    await context.close();
  }, 120_000);
});

describe.each([
  { theme: 'dark' as const, locale: 'en', width: 1440 },
  { theme: 'white' as const, locale: 'ar', width: 390 },
])('$theme $locale at $width', (looks) => {
  test('no screen of leverage has a finding of axe or is wider than its window [LEVERUI-024]', async () => {
    const { page, context } = await signedIn({ ...looks, height: 844 });
    const found: string[] = [];
    for (const path of [CENTRE, ...ADDRESSES]) {
      if (page.url().startsWith(BASE)) await walkTo(page, path);
      else await page.goto(`${BASE}${path}`);
      await main(page).getByRole('heading', { level: 1 }).first().waitFor();
      found.push(...(await seriousBarriers(page)).map((one) => `${path} ${one}`));
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wider > 1) found.push(`${path} is ${wider} px wider than its window`);
    }
    expect(found).toEqual([]);
    await context.close();
  }, 180_000);
});
