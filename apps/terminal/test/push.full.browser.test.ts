import type { Page, Worker } from '@playwright/test';
import { expect, newcomer, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, visit, visitAs } from './browser.js';

const shots = process.env['BOURSE_SHOTS'];

/** A push service of the page's own: this browser can reach none. */
function answerAsPushService(): void {
  const bytes = (length: number, first: number): string =>
    btoa(String.fromCharCode(first, ...crypto.getRandomValues(new Uint8Array(length - 1))))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  let now: object | null = null;
  const made = (): object => {
    const [p256dh, auth] = [bytes(65, 4), bytes(16, 1)];
    const endpoint = `http://127.0.0.1:9/${bytes(12, 1)}`;
    return {
      endpoint,
      options: {},
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: () => Promise.resolve(((now = null), true)),
    };
  };
  // A headless browser denies notifications whatever it was granted.
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  Notification.requestPermission = () => Promise.resolve('granted');
  Object.assign(PushManager.prototype, {
    getSubscription: () => Promise.resolve(now),
    subscribe: () => Promise.resolve((now ??= made())),
  });
}

for (const look of [
  { theme: 'dark', width: 1440, height: 900, locale: 'en', heading: 'Push notifications' },
  { theme: 'white', width: 390, height: 844, locale: 'de', heading: 'Push-Mitteilungen' },
  { theme: 'dark', width: 390, height: 844, locale: 'ar', heading: 'إشعارات فورية' },
] as const)
  test(`push messages are chosen by kind and switched off, ${look.width} wide, ${look.locale} [PUSH-011]`, async () => {
    const person = await newcomer();
    const { page, context, complaints } = await visitAs(person, undefined, look);
    await context.addInitScript(answerAsPushService);
    await page.goto(`${BASE}/preferences`);
    const switches = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: look.heading }) })
      .getByRole('switch');
    await expect(switches).toHaveCount(1);
    await switches.first().click({ force: true });
    await expect(switches).toHaveCount(5);
    await switches.nth(2).click({ force: true });
    await expect(switches.nth(2)).not.toBeChecked();
    await expect(switches.nth(1)).toBeChecked();
    await switches.first().scrollIntoViewIfNeeded();
    if (shots) await page.screenshot({ path: `${shots}/push-${look.locale}-${look.width}.png` });
    expect(await seriousBarriers(page)).toEqual([]);
    await switches.first().click({ force: true });
    await expect(switches).toHaveCount(1);
    expect(complaints.filter((one) => one.startsWith('uncaught'))).toEqual([]);
  });

/** Stores price alerts as an earlier visit has left them. */
const keepAlerts = (page: Page, ids: readonly string[]): Promise<void> =>
  page.evaluate(
    (given) =>
      new Promise<void>((resolve, reject) => {
        const alerts = given.map((id) => ({ id, symbol: 'BTC/USDT', price: '9999999', above: true }));
        const opened = indexedDB.open('bourse', 1);
        opened.onerror = () => reject(new Error('not opened'));
        opened.onsuccess = () => {
          const transaction = opened.result.transaction('kept', 'readwrite');
          transaction.objectStore('kept').put(alerts, 'price.alerts');
          transaction.oncomplete = () => resolve();
        };
      }),
    ids,
  );
const keptAlerts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opened = indexedDB.open('bourse', 1);
        opened.onerror = () => reject(new Error('not opened'));
        opened.onsuccess = () => {
          const request = opened.result.transaction('kept').objectStore('kept').get('price.alerts');
          request.onsuccess = () => resolve((request.result as { id: string }[]).map(({ id }) => id));
        };
      }),
  );

/** Gives the worker the message of an alert, while every page counts as in front. @returns what the worker shows */
const pushAlert = (worker: Worker, id: string): Promise<readonly string[]> =>
  worker.evaluate(async (of) => {
    const scope = globalThis as unknown as {
      show(data: { json(): object }): Promise<void>;
      registration: { showNotification(title: string, options: { tag: string }): Promise<void> };
      WindowClient: { prototype: object };
    };
    const shown: string[] = [];
    Object.defineProperty(scope.WindowClient.prototype, 'focused', { get: () => true, configurable: true });
    // A headless browser shows no notification.
    scope.registration.showNotification = (_title, { tag }) => Promise.resolve(void shown.push(tag));
    await scope.show({ json: () => ({ title: 'Price alert', body: '', link: '/', tag: `alert:${of}` }) });
    return shown;
  }, id);

test('a pushed price alert is shown once, with and without a chart, and is no longer kept [PUSH-016]', async () => {
  const { page, context } = await visit();
  await page.goto(`${BASE}/components/login`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no service worker');
  await keepAlerts(page, ['a', 'b', 'c']);
  expect(await pushAlert(worker, 'a')).toEqual(['alert:a']);
  expect(await keptAlerts(page)).toEqual(['b', 'c']);
  await page.goto(`${BASE}/dealCenter`);
  // The chart has read the kept alerts by the time that it draws.
  await page.locator('canvas').first().waitFor();
  expect(await pushAlert(worker, 'b')).toEqual([]);
  const toasts = page.getByRole('region', { name: 'Messages', exact: true });
  await expect(toasts.getByText(/^Price alert: BTC\/USDT reached/)).toHaveCount(1);
  // The page has shown this one: the same message again adds nothing.
  expect(await pushAlert(worker, 'b')).toEqual([]);
  await expect(toasts.getByText(/^Price alert: BTC\/USDT reached/)).toHaveCount(1);
  await expect.poll(() => keptAlerts(page)).toEqual(['c']);
});
