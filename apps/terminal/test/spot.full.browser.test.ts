import { testTimeoutMs } from '@bourse/testing/eventually';
import { expect, funded, seriousBarriers, test, type Person } from '@bourse/web/testing';
import { BASE } from './browser.js';
import { readFarPrice, refusal, visitAt } from './spot-visit.js';

const USDT = 3;
let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { [USDT]: '10000' } });
});
const trader = (stored: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  token: person.token,
  user_id: String(person.id),
  ...stored,
});

test.describe('the deal centre for guests', () => {
  test('another pair is chosen in place, stored by the contract, shown after a reload [TERM-011]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
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

  test('the pair is part of the address: tabs keep theirs, Back returns to the previous one [TERM-012]', async () => {
    const { page, context } = await visitAt('/dealCenter?legalId=3&currencyId=1');
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

test.describe('theme, language, direction', () => {
  test('are set on the page before it is painted [TERM-020]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: { theme: 'white', locale: 'ar' } });
    const html = page.locator('html');
    expect([
      await html.getAttribute('data-theme'),
      await html.getAttribute('lang'),
      await html.getAttribute('dir'),
    ]).toEqual(['white', 'ar', 'rtl']);
  });

  for (const [locale, lang] of [
    ['zh', 'zh-Hans-CN'],
    ['hk', 'zh-Hant-HK'],
    ['jp', 'ja'],
    ['cr', 'ht'],
    ['de', 'de'],
  ] as const)
    test(`${locale} is declared to the browser as ${lang} [TERM-021]`, async () => {
      const { page } = await visitAt('/dealCenter', { stored: { locale } });
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    });

  test('changing them keeps a half-filled form [TERM-022]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
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

test.describe('the ticket', () => {
  for (const [type, key, address] of [
    ['998', 'kyc.required', '**/authentication'],
    ['999', 'auth.expired', '**/components/login?type=1'],
  ] as const)
    test(`type ${type} leads to the screen of the contract [TERM-032]`, async () => {
      const { page } = await visitAt('/dealCenter', { stored: trader({ locale: 'en' }) });
      await page.route('**/api/coin/trade*', (route) => route.fulfill(refusal(type, key)));
      const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
      await form.getByLabel('Price', { exact: true }).fill(String(await readFarPrice()));
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
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    await page.route('**/api/coin/trade*', (route) => route.fulfill(refusal('not', 'fund.notSet')));
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Price', { exact: true }).fill(String(await readFarPrice()));
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('You have not set a fund password.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.waitForURL('**/bindmpwd');
  });
});

test.describe('data that is not live', () => {
  test('the status bar reports a lost connection, and market orders stop [TERM-050]', async () => {
    const { page, context } = await visitAt('/dealCenter', { stored: trader() });
    await page
      .getByRole('table', { name: 'Order book' })
      .getByText(/^\d[\d,]*\.\d{2}$/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Market', exact: true }).first().click();
    await context.setOffline(true);
    await page
      .getByText('No connection to the exchange')
      .or(page.getByText('Reconnecting…'))
      .first()
      .waitFor({ timeout: testTimeoutMs(12_000) });
    const button = page.getByRole('form', { name: 'Buy BTC/USDT' }).getByRole('button', { name: 'Buy BTC' });
    await page.getByText(/Market orders are possible again/).waitFor({ timeout: testTimeoutMs(6_000) });
    expect(await button.isDisabled()).toBe(true);
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor({ timeout: testTimeoutMs(6_000) });
    await page
      .getByText(/Market orders are possible again/)
      .waitFor({ state: 'detached', timeout: testTimeoutMs(6_000) });
  });
});

test.describe('accessibility', () => {
  // Every two of theme, direction and width meet.
  for (const [theme, locale, width] of [
    ['dark', 'en', 1440],
    ['white', 'ar', 1440],
    ['dark', 'ar', 390],
    ['white', 'en', 390],
  ] as const)
    test(`no serious finding in ${theme}, ${locale}, ${width} wide [TERM-060]`, async () => {
      const { page } = await visitAt('/dealCenter', { stored: trader({ theme, locale }), width, height: 900 });
      await page.locator('canvas').first().waitFor();
      expect(await seriousBarriers(page)).toEqual([]);
    });
});
