import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { seriousBarriers } from '@bourse/web/testing';
import { BASE, openBrowser } from './browser.js';
import { session, visitAt, type Visit, type VisitOptions } from './spot-visit.js';

let browser: Browser;
const opened: Visit[] = [];
beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(async () => {
  for (const { context } of opened.splice(0)) await context.close();
});
afterAll(async () => {
  await browser.close();
});

async function open(path: string, options: VisitOptions = {}): Promise<Visit> {
  const visitor = await visitAt(browser, path, options);
  opened.push(visitor);
  return visitor;
}
const trader = async (stored: Readonly<Record<string, string>> = {}): Promise<Readonly<Record<string, string>>> => ({
  ...(await session('trader2@demo.bourse')),
  ...stored,
});
/**
 * A price that nobody meets, whole and half of the last one: other tests move the clock, and the recorded market with
 * it.
 */
async function farBelow(): Promise<bigint> {
  const { message } = (await (
    await fetch(`${BASE}/api/transaction/deal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ legal_id: '3', currency_id: '1' }),
    })
  ).json()) as { message: { last_price: string } };
  return BigInt(message.last_price.split('.')[0] ?? '') / 2n;
}
const refusal = (type: string, key: string) => ({
  contentType: 'application/json',
  body: JSON.stringify({ type, key, message: `refused ${key}`, request_id: 'r' }),
});

describe('the deal centre for guests', () => {
  test('shows book, trades and chart, and the way in, in place of the forms [TERM-010]', async () => {
    const { page, errors } = await open('/dealCenter');
    const book = page.getByRole('table', { name: 'Order book' });
    await book
      .getByText(/^\d[\d,]*\.\d{2}$/)
      .first()
      .waitFor();
    // Numbered from the middle outwards, eight on each side where the house has so many levels standing; while a market
    // runs there are fewer.
    await book.getByRole('rowheader').nth(5).waitFor();
    const numbers = (await book.getByRole('rowheader').allTextContents()).map(Number);
    const asks = numbers.indexOf(1) + 1;
    expect(numbers).toEqual([
      ...Array.from({ length: asks }, (_, at) => asks - at),
      ...Array.from({ length: numbers.length - asks }, (_, at) => at + 1),
    ]);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(8);
    expect(asks).toBeGreaterThan(0);
    expect(numbers.length).toBeGreaterThan(asks);
    await page.getByRole('main').getByRole('link', { name: 'Register' }).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
    await page.getByText('Log in to see your orders and balances.').waitFor();
    await page.locator('canvas').first().waitFor();
    expect(errors).toEqual([]);
  });

  test('another pair is chosen in place, stored by the contract, shown after a reload [TERM-011]', async () => {
    const { page } = await open('/dealCenter', { stored: await trader() });
    await page.getByRole('button', { name: /Choose a pair/ }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('xrp/b');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^XRP\/BTC/ })
      .click();
    await page.getByRole('form', { name: 'Buy XRP/BTC' }).waitFor();
    expect(
      await page.evaluate(() =>
        ['symbol', 'legal_id', 'currency_id', 'legal_name', 'currency_name', 'priceScale'].map((key) =>
          localStorage.getItem(key),
        ),
      ),
    ).toEqual(['XRP/BTC', '1', '4', 'BTC', 'XRP', '100000000']);
    await page.reload();
    await page.getByRole('form', { name: 'Buy XRP/BTC' }).waitFor();
    await page
      .getByRole('table', { name: 'Order book' })
      .getByText(/^0\.0000\d{4}$/)
      .first()
      .waitFor();
  });

  test('the pair stands in the address: tabs keep theirs, Back leads to the last one [TERM-012]', async () => {
    const { page, context } = await open('/dealCenter?legalId=3&currencyId=1');
    const pairIn = (tab: typeof page, name: string): Promise<void> =>
      tab.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) }).waitFor();
    await pairIn(page, 'BTC/USDT');
    const other = await context.newPage();
    other.setDefaultTimeout(45_000);
    await other.goto(`${BASE}/dealCenter?legalId=3&currencyId=2`);
    await pairIn(other, 'ETH/USDT');
    // The other tab wrote its pair into the storage that both share.
    await page.reload();
    await pairIn(page, 'BTC/USDT');
    await other.getByRole('button', { name: /Choose a pair/ }).click();
    await other.getByRole('dialog').getByRole('combobox').fill('xrp/b');
    await other
      .getByRole('dialog')
      .getByRole('button', { name: /^XRP\/BTC/ })
      .click();
    await pairIn(other, 'XRP/BTC');
    expect(new URL(other.url()).search).toBe('?legalId=1&currencyId=4');
    await other.goBack();
    await pairIn(other, 'ETH/USDT');
    // An address without a pair takes the one that was shown last, and says so.
    await page.goto(`${BASE}/dealCenter`);
    await pairIn(page, 'ETH/USDT');
    await page.waitForURL('**/dealCenter?legalId=3&currencyId=2');
  });
});

describe('theme, language, direction', () => {
  test('stand on the page before it is painted [TERM-020]', async () => {
    const { page } = await open('/dealCenter', { stored: { theme: 'white', locale: 'ar' } });
    const html = page.locator('html');
    expect([
      await html.getAttribute('data-theme'),
      await html.getAttribute('lang'),
      await html.getAttribute('dir'),
    ]).toEqual(['white', 'ar', 'rtl']);
  });

  test.each([
    ['zh', 'zh-Hans-CN'],
    ['hk', 'zh-Hant-HK'],
    ['jp', 'ja'],
    ['cr', 'ht'],
    ['de', 'de'],
  ])('%s is told to the browser as %s [TERM-021]', async (locale, lang) => {
    const { page } = await open('/dealCenter', { stored: { locale } });
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  });

  test('changing them keeps a half-filled form [TERM-022]', async () => {
    const { page } = await open('/dealCenter', { stored: await trader() });
    const amount = page.locator('form:visible input[id$=-amount]');
    await amount.fill('0.25');
    await page.getByRole('switch', { name: 'White theme' }).click();
    await page.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.locator('html[lang=de]').waitFor();
    expect([
      await amount.inputValue(),
      await page.locator('html').getAttribute('data-theme'),
      await page.evaluate(() => localStorage.getItem('locale')),
    ]).toEqual(['0.25', 'white', 'de']);
  });
});

describe('the ticket', () => {
  test('fields refuse what is no number, and errors stand beside the field [TERM-030]', async () => {
    const { page } = await open('/dealCenter', { stored: await trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const amount = form.getByLabel('Amount', { exact: true });
    await amount.pressSequentially('1e-2,5');
    expect(await amount.inputValue()).toBe('12.5');
    await amount.fill('');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    const error = form.getByRole('alert');
    expect(await error.textContent()).toBe('Please enter the buying amount');
    expect(await amount.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'));
  });

  test('one press makes one order: a second press while the first is on its way sends nothing [TERM-031]', async () => {
    const { page } = await open('/dealCenter', { stored: await trader() });
    const keys: (string | undefined)[] = [];
    await page.route('**/api/coin/trade*', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.fulfill(refusal('error', 'balance.insufficient'));
    });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Price', { exact: true }).fill(String(await farBelow()));
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByText('This price differs by', { exact: false }).waitFor();
    await page.keyboard.press('Enter');
    const busy = form.getByRole('button', { name: 'Sending…' });
    await busy.waitFor();
    expect(await busy.isDisabled()).toBe(true);
    await form.getByRole('alert').filter({ hasText: 'refused balance.insufficient' }).waitFor();
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    // A refused form keeps its values.
    expect(await form.getByLabel('Amount', { exact: true }).inputValue()).toBe('0.01');
  });

  test.each([
    ['998', 'kyc.required', '**/authentication'],
    ['999', 'auth.expired', '**/components/login?type=1'],
  ])('type %s leads where the contract says [TERM-032]', async (type, key, address) => {
    const { page } = await open('/dealCenter', { stored: await trader({ locale: 'en' }) });
    await page.route('**/api/coin/trade*', (route) => route.fulfill(refusal(type, key)));
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Price', { exact: true }).fill(String(await farBelow()));
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
    if (type === '999')
      expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('locale')])).toEqual([
        null,
        'en',
      ]);
  });

  test('type not asks, after a moment, whether to set the fund password [TERM-033]', async () => {
    const { page } = await open('/dealCenter', { stored: await trader() });
    await page.route('**/api/coin/trade*', (route) => route.fulfill(refusal('not', 'fund.notSet')));
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Price', { exact: true }).fill(String(await farBelow()));
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('You have not set a fund password.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.waitForURL('**/bindmpwd');
  });
});

describe('orders', () => {
  test('a resting order shows in the list and on the chart, and leaves when it is cancelled [TERM-040]', async () => {
    const { page } = await open('/dealCenter', { stored: await trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const whole = await farBelow();
    await form.getByLabel('Price', { exact: true }).fill(`${whole}.01`);
    await form.getByLabel('Amount', { exact: true }).fill('0.011');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    const row = page
      .getByRole('region', { name: 'Open orders' })
      .getByRole('row')
      .filter({ hasText: `${whole.toLocaleString('en-US')}.01` });
    await row.getByRole('button', { name: /Cancel/ }).click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('data that is not live', () => {
  test('a lost connection is told in the status bar and stops best-price orders [TERM-050]', async () => {
    const { page, context } = await open('/dealCenter', { stored: await trader() });
    await page
      .getByRole('table', { name: 'Order book' })
      .getByText(/^\d[\d,]*\.\d{2}$/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Best price' }).first().click();
    await context.setOffline(true);
    await page
      .getByText('No connection to the exchange')
      .or(page.getByText('Reconnecting…'))
      .first()
      .waitFor({ timeout: 60_000 });
    const button = page.getByRole('form', { name: 'Buy BTC/USDT' }).getByRole('button', { name: 'Buy BTC' });
    await page.getByText(/Best-price orders are possible again/).waitFor({ timeout: 30_000 });
    expect(await button.isDisabled()).toBe(true);
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 30_000 });
    await page.getByText(/Best-price orders are possible again/).waitFor({ state: 'detached', timeout: 30_000 });
  }, 150_000);
});

describe('accessibility', () => {
  // Every two of theme, direction and width meet.
  test.each([
    ['dark', 'en', 1440],
    ['white', 'ar', 1440],
    ['dark', 'ar', 390],
    ['white', 'en', 390],
  ])(
    'no serious finding in %s, %s, %i wide [TERM-060]',
    async (theme, locale, width) => {
      const { page } = await open('/dealCenter', { stored: await trader({ theme, locale }), width, height: 900 });
      await page.locator('canvas').first().waitFor();
      expect(await seriousBarriers(page)).toEqual([]);
    },
    150_000,
  );
});
