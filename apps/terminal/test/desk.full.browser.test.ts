import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, funded, newContext, seriousBarriers, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, holdSession, visit, visitAs, waitForPreference } from './browser.js';
import { readFarPrice } from './spot-visit.js';

const DESK = '/dealCenter?legalId=3&currencyId=1';
const PAIR = { legal_id: '3', currency_id: '1' };
let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { 3: '100000' } });
});

const place = (fields: Record<string, string>, by = person): Promise<unknown> =>
  callAs(by, '/api/coin/trade', { ...PAIR, type: '1', amount: '0.001', ...fields });
/** Saves the file of the tab, whose name begins so. @returns its lines */
const saveFile = async (page: Page, begin: string): Promise<string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${begin}-\\d{4}-\\d{2}-\\d{2}\\.csv$`));
  return readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
};
const openSearch = async (page: Page): Promise<void> => {
  await page.getByRole('tab', { name: /^Open orders \(/ }).waitFor();
  await page.keyboard.press('Control+k');
};

test('the trade history lists own fills, and a press opens the order with its entries [ORDERS-015]', async () => {
  await place({ order_type: 'market' });
  const { page, complaints } = await visitAs(person, DESK);
  await page.getByRole('tab', { name: 'Trade history' }).click();
  const row = page.getByRole('region', { name: 'Trade history' }).getByRole('row').filter({ hasText: 'BTC/USDT' });
  await row.getByText('Taker').waitFor();
  await row.getByText('0.0010', { exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Order details' });
  await drawer.getByText('0.0010 BTC (100%)').waitFor();
  await drawer.getByText('Filled', { exact: true }).last().waitFor();
  await drawer.getByRole('region', { name: 'Fills' }).getByText('Taker').waitFor();
  const entries = drawer.getByRole('region', { name: 'Statement entries' });
  for (const text of ['Funds held for an order', 'Trade', 'Trading fee'])
    await entries.getByText(text).first().waitFor();
  await entries.getByText('+0.00100000 BTC').waitFor();
  expect(await seriousBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await page.getByRole('region', { name: 'History', exact: true }).getByRole('button', { name: 'BTC/USDT' }).click();
  await drawer.waitFor();
  expect(complaints).toEqual([]);
});

test('history and trades are saved as files, of all pairs or of the chosen one [ORDERS-017]', async () => {
  await place({ order_type: 'market' });
  const { page, complaints } = await visitAs(person, DESK);
  await page.getByRole('tab', { name: 'Trade history' }).click();
  const region = page.getByRole('region', { name: 'Trade history' });
  await region.getByRole('row').filter({ hasText: 'BTC/USDT' }).first().waitFor();
  const [head, ...trades] = await saveFile(page, 'trades');
  expect(head).toBe('time,trade_id,order_id,pair,side,price,amount,total,fee,fee_currency,role');
  expect(trades.length).toBeGreaterThan(0);
  expect(trades.every((line) => line.includes(',BTC/USDT,buy,'))).toBe(true);
  await page.getByRole('tab', { name: 'History', exact: true }).click();
  await page.getByLabel('This pair only').check();
  const [, ...orders] = await saveFile(page, 'orders-BTC-USDT');
  expect(orders.length).toBeGreaterThan(0);
  expect(orders.every((line) => line.includes(',BTC/USDT,buy,market,'))).toBe(true);
  expect(complaints).toEqual([]);
});

test('the search finds own open orders, opens one and cancels one after a question [ORDERS-016]', async () => {
  const far = await readFarPrice();
  const price = `${far.toLocaleString('en-US')}.00`;
  await place({ order_type: 'limit', target_price: String(far) });
  const { page } = await visitAs(person, DESK);
  const search = page.getByRole('combobox', { name: 'Search pairs, orders, pages and actions' });
  await openSearch(page);
  await search.fill(`buy ${far}`);
  const found = page.getByRole('dialog').getByRole('row').filter({ hasText: price });
  await found.waitFor();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Order details' });
  await drawer.getByText('Open', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await search.fill('btc limit');
  await found.getByRole('button', { name: `Cancel: BTC/USDT Buy Limit ${price}` }).click();
  const question = page.getByRole('dialog', { name: 'Cancel order' });
  await question.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('1 order cancelled').waitFor();

  const guest = await visit();
  await guest.page.goto(`${BASE}${DESK}`);
  await guest.page.getByRole('button', { name: 'Choose a pair' }).click();
  await guest.page.getByRole('combobox', { name: 'Search pairs', exact: true }).waitFor();
});

test('the search finds orders and actions on other pages, and asks before it cancels all [SEARCH-002]', async () => {
  const trader = await funded({ change: { 3: '1000' } });
  const far = await readFarPrice();
  await place({ order_type: 'limit', target_price: String(far) }, trader);
  const { page } = await visitAs(trader, '/finance');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const search = page.getByRole('combobox', { name: 'Search pairs, orders, pages and actions' });
  const find = async (text: string, found: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await search.fill(text);
    await page.getByRole('dialog').getByRole('row').filter({ hasText: found }).first().waitFor();
    await page.keyboard.press('Enter');
  };
  await find(`buy ${far}`, 'Limit');
  const drawer = page.getByRole('dialog', { name: 'Order details' });
  await drawer.getByText('Open', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await find('white theme', 'Switch to the white theme');
  await page.locator('html[data-theme=white]').waitFor();
  await find('all open orders', 'Cancel all open orders');
  await page.getByRole('dialog', { name: 'Cancel all' }).getByRole('button', { name: 'Cancel all' }).click();
  await page.getByText('1 order cancelled').waitFor();
  await find('log out', 'Log out');
  await page.waitForURL((url) => url.pathname === '/');
});

test('times follow the chosen zone, also after a sign-out [PREFS-005]', async () => {
  await place({ order_type: 'market' });
  const { data } = await callAs<{ data: { create_time: string }[] }>(person, '/api/coin/fills');
  const utc = data[0]?.create_time ?? '';
  const context = await newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'Asia/Tokyo' });
  await holdSession(context, person);
  const page = await context.newPage();
  const timeAtDesk = async (): Promise<string> => {
    await page.goto(`${BASE}${DESK}`);
    await page.getByRole('tab', { name: 'Trade history' }).click();
    const time = page.getByRole('region', { name: 'Trade history' }).locator('tbody time').first();
    return (await time.textContent()) ?? '';
  };
  const tokyo = new Date(Date.parse(`${utc.replace(' ', 'T')}Z`) + 32_400_000);
  expect(await timeAtDesk()).toBe(tokyo.toISOString().slice(0, 19).replace('T', ' '));
  await page.goto(`${BASE}/preferences`);
  await page.getByText('Asia/Tokyo').waitFor();
  await page.getByRole('radio', { name: /^UTC/ }).check({ force: true });
  await waitForPreference(page, 'time.zone');
  expect(await timeAtDesk()).toBe(utc);
  // A sign-out clears the local storage; the context signs in again at the next load.
  await page.evaluate(() => localStorage.clear());
  expect(await timeAtDesk()).toBe(utc);
});

test('columns in another order are shown so in another browser of the same person [SPOTVIEW-041]', async () => {
  const trader = await funded({});
  const { page, complaints } = await visitAs(trader, DESK);
  const edges = async (of: Page): Promise<string> => {
    const at = async (name: string, place: Locator): Promise<[string, number]> => [
      name,
      (await place.boundingBox())?.x ?? Number.NaN,
    ];
    const columns = await Promise.all([
      at('book', of.getByRole('table', { name: 'Order book' })),
      at('ticket', of.locator('#ticket')),
      at('chart', of.getByRole('radiogroup', { name: 'Interval' }).first()),
    ]);
    return columns
      .toSorted(([, one], [, other]) => one - other)
      .map(([name]) => name)
      .join(' ');
  };
  await page.getByRole('form', { name: 'Buy BTC/USDT' }).waitFor();
  expect(await edges(page)).toBe('chart book ticket');
  const choose = async (item: string, role: 'menuitemradio' | 'menuitem' = 'menuitemradio'): Promise<void> => {
    await page.getByRole('button', { name: 'Layout' }).click();
    await page.getByRole(role, { name: item, exact: true }).click();
  };
  await choose('Order book · Chart · Order form');
  await choose('Orders below chart and order book');
  const saved = page.waitForResponse((answer) => answer.ok() && answer.request().postData()?.includes('306') === true);
  // The handle of a column lies on its side towards the chart: to the right, the book becomes wider.
  const handle = page.getByRole('separator', { name: 'Width of the order book' });
  await handle.focus();
  await page.keyboard.press('ArrowRight');
  await expect(handle).toHaveAttribute('aria-valuenow', '306');
  await saved;
  expect(await edges(page)).toBe('book chart ticket');
  const widthOf = async (name: string): Promise<number> =>
    (await page.getByRole('separator', { name }).boundingBox())?.width ?? 0;
  // Book and chart share what the ticket, of 310 px, leaves.
  expect(await widthOf('Height of the orders')).toBeGreaterThan(1_080);

  const { page: other } = await visitAs(trader, DESK);
  await expect(other.getByRole('separator', { name: 'Width of the order book' })).toHaveAttribute(
    'aria-valuenow',
    '306',
  );
  expect(await edges(other)).toBe('book chart ticket');
  expect(await seriousBarriers(other)).toEqual([]);
  await choose('Reset layout', 'menuitem');
  expect(await edges(page)).toBe('chart book ticket');
  expect(complaints).toEqual([]);
});

test('the shares of bids and asks are switched on in the bar of the book, and stay on [SPOTVIEW-026]', async () => {
  const { page } = await visit();
  await page.goto(`${BASE}${DESK}`);
  const meter = page.getByRole('meter', { name: 'Bid and ask share' });
  const toggle = page.getByRole('button', { name: 'Bid and ask share' });
  await toggle.click();
  await expect(meter).toHaveAttribute('aria-valuetext', /^Bids \d+%, asks \d+% of the volume shown$/);
  const shares = (await meter.textContent())?.match(/\d+/g)?.map(Number) ?? [];
  expect((shares[0] ?? 0) + (shares[1] ?? 0)).toBe(100);
  expect(await seriousBarriers(page)).toEqual([]);
  await waitForPreference(page, 'book.imbalance');
  await page.reload();
  await meter.waitFor();
  await toggle.click();
  await meter.waitFor({ state: 'detached' });
});

test('a navigation without a network shows a page in the person’s language that leads back [OFFLINE-005]', async () => {
  const { page, context } = await visit({ theme: 'white', locale: 'de' });
  await page.goto(`${BASE}/allmarket`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    sessionStorage.setItem('kept', 'yes');
  });
  await context.setOffline(true);
  await page.goto(`${BASE}${DESK}`);
  await page.getByRole('heading', { name: 'Diese Seite konnte nicht geladen werden' }).waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('white');
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(245, 246, 249)');
  expect(await seriousBarriers(page)).toEqual([]);
  const retry = page.getByRole('button', { name: 'Erneut versuchen' });
  await retry.click();
  await retry.waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { level: 1 }).getByText('BTC/USDT').waitFor();
  expect(page.url()).toBe(`${BASE}${DESK}`);
  expect(await page.evaluate(() => sessionStorage.getItem('kept'))).toBe('yes');
});
