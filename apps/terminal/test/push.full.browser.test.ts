import { expect, newcomer, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, visitAs } from './browser.js';

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
