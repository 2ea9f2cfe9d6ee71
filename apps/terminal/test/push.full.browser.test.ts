import { expect, newcomer, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, visitAs } from './browser.js';

const shots = process.env['BOURSE_SHOTS'];
const BTC = '/dealCenter?legalId=3&currencyId=1';

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
    await switches.first().check({ force: true });
    await expect(switches).toHaveCount(5);
    await switches.nth(2).uncheck({ force: true });
    await expect(switches.nth(2)).not.toBeChecked();
    await expect(switches.nth(1)).toBeChecked();
    await switches.first().scrollIntoViewIfNeeded();
    if (shots) await page.screenshot({ path: `${shots}/push-${look.locale}-${look.width}.png` });
    expect(await seriousBarriers(page)).toEqual([]);
    await switches.first().uncheck({ force: true });
    await expect(switches).toHaveCount(1);
    expect(complaints.filter((one) => one.startsWith('uncaught'))).toEqual([]);
  });

test('the service worker shows a message and knows its page [PUSH-012]', async () => {
  const person = await newcomer();
  const { page, context } = await visitAs(person, '/preferences');
  await context.grantPermissions(['notifications'], { origin: BASE });
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js');
    await navigator.serviceWorker.ready;
  });
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  // A page in front shows messages itself.
  await (await context.newPage()).goto('about:blank');
  const data = JSON.stringify({
    title: 'Order filled',
    body: 'BTC/USDT',
    link: '//elsewhere.example',
    tag: 'notice:1',
  });
  const shown = (): Promise<unknown> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag, data: kept }) => [
        title,
        body,
        tag,
        kept,
      ]);
    });
  await expect
    .poll(async () => {
      await devtools.send('ServiceWorker.deliverPushMessage', { origin: BASE, registrationId, data });
      return shown();
    })
    .toEqual([['Order filled', 'BTC/USDT', 'notice:1', { link: '/' }]]);
});

test('an alert and a drawing are chosen and moved by keyboard [CHART-062]', async () => {
  const person = await newcomer();
  const { page } = await visitAs(person, BTC);
  const chart = page.getByRole('application');
  await chart.locator('canvas').first().waitFor();
  const draw = async (tool: string): Promise<void> => {
    await page.getByRole('button', { name: 'Drawing tools' }).click();
    await page.getByRole('menuitem', { name: tool, exact: true }).click();
  };
  const box = (await chart.boundingBox())!;
  await draw('Price alert');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 3);
  const grip = page.getByRole('button', { name: /^Price alert: / }).first();
  await grip.waitFor();
  const before = await grip.getAttribute('aria-label');
  await grip.focus();
  for (let at = 0; at < 3; at++) await page.keyboard.press('Shift+ArrowDown');
  if (shots) await page.screenshot({ path: `${shots}/chart-alert.png` });
  await page.keyboard.press('Enter');
  await expect.poll(() => grip.getAttribute('aria-label')).not.toBe(before);

  await draw('Horizontal line');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const line = page.getByRole('button', { name: /^Horizontal line/ });
  await line.focus();
  const price = page.locator('[data-drawings]').getByRole('status');
  const from = await price.textContent();
  await page.keyboard.press('Shift+ArrowUp');
  await expect(price).not.toHaveText(from ?? '');
  if (shots) await page.screenshot({ path: `${shots}/chart-drawing.png` });
  await page.keyboard.press('Delete');
  await expect(line).toHaveCount(0);
});
