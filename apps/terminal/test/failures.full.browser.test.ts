import type { Page, WebSocketRoute } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { expect, test } from '@bourse/web/testing';
import { BASE, visit, type Visitor } from './browser.js';

async function guest(): Promise<Visitor> {
  const visitor = await visit();
  return visitor;
}
/** The first `count` calls for the chart's history are answered with 503. */
async function failHistory(page: Page, count: number): Promise<() => number> {
  let calls = 0;
  await page.route('**/api/currency/new_timeshar*', async (route) => {
    calls += 1;
    if (calls > count) return route.continue();
    return route.fulfill({ status: 503, contentType: 'application/json', body: '{"type":"error","message":"busy"}' });
  });
  return () => calls;
}

/**
 * The page's sockets, which the test cuts and mends. `setOffline` alone leaves an open one as it is, and engine.io
 * closes its own on the browser's word only where the host is not called localhost.
 */
async function sockets(page: Page): Promise<{ cut(): Promise<void>; mend(): void }> {
  const open = new Set<WebSocketRoute>();
  let whole = true;
  await page.routeWebSocket(/\/socket\.io\//, async (socket) => {
    if (!whole) return socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  return {
    async cut() {
      whole = false;
      for (const socket of open) await socket.close();
      open.clear();
    },
    mend() {
      whole = true;
    },
  };
}

test.describe('a chart that could not be read', () => {
  test('shows it over its canvases, and Try again reads it [FAIL-001]', async () => {
    const { page } = await guest();
    await failHistory(page, 4);
    await page.goto(`${BASE}/dealCenter`);
    const chart = page.getByRole('application').locator('..');
    const retry = chart.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.locator('canvas').first().waitFor();
    const onTop = await retry.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(onTop).toBe(true);
    await page.unroute('**/api/currency/new_timeshar*');
    await retry.click();
    await retry.waitFor({ state: 'detached' });
  });

  test('is read again when the connection is back [FAIL-002]', async () => {
    const { page, context } = await guest();
    const wire = await sockets(page);
    await page.goto(`${BASE}/allmarket`);
    await page.getByRole('table').first().waitFor();
    await failHistory(page, 1_000);
    await page.getByRole('link', { name: 'BTC/USDT' }).first().click();
    const retry = page.getByRole('application').locator('..').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/api/currency/new_timeshar*');
    await context.setOffline(true);
    await wire.cut();
    await page
      .getByText(/Reconnecting|No connection/)
      .first()
      .waitFor({ timeout: testTimeoutMs(12_000) });
    wire.mend();
    await context.setOffline(false);
    await retry.waitFor({ state: 'detached', timeout: testTimeoutMs(12_000) });
  });
});

test.describe('a screen whose code did not load', () => {
  test('says that it is missing, and loads when the connection returns [FAIL-003]', async () => {
    const { page, context } = await guest();
    await page.goto(`${BASE}/`);
    const link = page.getByRole('link', { name: 'Markets' }).first();
    await link.waitFor();
    await context.setOffline(true);
    await link.click();
    await page.getByRole('heading', { name: 'Couldn’t load this page' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Markets' }).waitFor();
  });

  test('Try again asks for it again [FAIL-004]', async () => {
    const { page } = await guest();
    await page.goto(`${BASE}/`);
    const link = page.getByRole('link', { name: 'Markets' }).first();
    await link.waitFor();
    await page.route('**/assets/markets-*.js', (route) => route.abort());
    await link.click();
    await page.getByRole('heading', { name: 'Couldn’t load this page' }).waitFor();
    await page.unroute('**/assets/markets-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Markets' }).waitFor();
  });
});

/**
 * No call is answered, while the sockets stay as they are. The returned function lets calls through again and tells how
 * many sockets have been opened meanwhile.
 */
async function loseCalls(page: Page): Promise<() => Promise<number>> {
  let opened = 0;
  page.on('websocket', () => (opened += 1));
  await page.route('**/api/**', (route) => route.abort());
  return async () => {
    await page.unroute('**/api/**');
    return opened;
  };
}

test.describe('calls without an answer, while the socket stays', () => {
  test('the chart is read again by itself [FAIL-005]', async () => {
    const { page } = await guest();
    await page.goto(`${BASE}/allmarket`);
    await page.getByRole('table').first().waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    const back = await loseCalls(page);
    await page.getByRole('link', { name: 'BTC/USDT' }).first().click();
    const retry = page.getByRole('application').locator('..').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    // The lamp follows the age of the data: a call that fails is a matter of its panel.
    await page.getByText('Live', { exact: true }).first().waitFor();
    expect(await page.getByText('No connection').count()).toBe(0);
    expect(await back()).toBe(0);
    await retry.waitFor({ state: 'detached', timeout: testTimeoutMs(6_000) });
  });
});
