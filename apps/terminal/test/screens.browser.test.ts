import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { seriousBarriers, walkTo } from '@bourse/web/testing';
import { BASE, holdSession, openBrowser, tokenOf, visit, type Visitor } from './browser.js';

jest.setTimeout(180_000);

let browser: Browser;
let session: { token: string; id: number };
beforeAll(async () => {
  browser = await openBrowser();
  session = await tokenOf('trader3@demo.bourse');
});
afterAll(async () => {
  await browser.close();
});

const OPEN = [
  '/',
  '/allmarket',
  '/dealCenter',
  '/components/login',
  '/register',
  '/forgetPwd',
  '/policy',
  '/noticeList',
  '/solvency',
  '/secondsOrder',
  '/fairness',
  '/status',
  '/legalTrade',
  '/manage',
  '/integralExchanges',
] as const;
const SIGNED_IN = [
  '/microInsurance',
  '/finance',
  '/legal',
  '/transferLog',
  '/transferRecord',
  '/account/accountEntrust',
  '/bindmpwd',
  '/rechargeMoney?id=4',
  '/account/recharge',
  '/account/coinRecord?tab=withdrawals',
  '/account/chargeRecord',
  '/withdraw_address',
  '/dealAccount?currency_id=3',
  '/transferLegal',
  '/finanrec',
  '/account',
  '/account/accountSet',
  '/authentication',
  '/account/bankAuthentication',
  '/userSetting',
  '/account/region',
  '/account/accountMessage',
  '/bindEmail',
  '/bindPhone',
  '/account/aceite',
  '/aceite?tab=mine',
  '/myLegalShops',
  '/manageList',
  '/bindInfo',
  '/team',
  '/account/profit',
  '/account/coinExchange',
  '/c2cTrade',
  '/c2cRelease',
  '/c2cOrder?tab=ads',
  '/c2cRecord?id=3',
] as const;
const needsSession = (path: string): boolean => (SIGNED_IN as readonly string[]).includes(path);
/**
 * Each theme and each direction once: what axe finds depends on one or the other. Every screen is loaded at its address
 * once, and once reached from another by a link.
 */
const LOOKS = [
  { theme: 'dark', locale: 'en', by: 'address' },
  { theme: 'white', locale: 'ar', by: 'link' },
] as const;

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const fits = (): boolean => document.documentElement.scrollWidth <= document.documentElement.clientWidth;

describe.each(LOOKS)('in $theme and $locale', ({ theme, locale, by }) => {
  let guest: Visitor, user: Visitor;
  beforeAll(async () => {
    [guest, user] = await Promise.all([visit(browser, { theme, locale }), visit(browser, { theme, locale })]);
    await holdSession(user.context, session);
  });
  afterAll(async () => {
    await Promise.all([guest.context.close(), user.context.close()]);
  });

  test.each([...OPEN, ...SIGNED_IN])(
    '%s: no complaint, no serious barrier [UI-010], fits a phone [UI-011]',
    async (path) => {
      const { page, complaints } = needsSession(path) ? user : guest;
      complaints.length = 0;
      await page.setViewportSize(DESK);
      if (by === 'link' && page.url().startsWith(BASE)) await walkTo(page, path);
      else await page.goto(`${BASE}${path}`);
      await page.locator('main').locator('h1, form, [role=tablist]').first().waitFor();
      expect(
        await page.evaluate(() => [document.documentElement.dataset['theme'], document.documentElement.dir]),
      ).toEqual([theme, locale === 'ar' ? 'rtl' : 'ltr']);
      expect(await seriousBarriers(page, { without: ['region'] })).toEqual([]);
      // The same page as a phone shows it: all that it reads is there by now.
      await page.setViewportSize(PHONE);
      await page.waitForFunction(fits, undefined, { timeout: 5_000 }).catch(() => undefined);
      expect(await page.evaluate(fits)).toBe(true);
      expect(complaints).toEqual([]);
    },
  );
});

describe('people', () => {
  test('a visitor of a signed-in screen is led to the login, and back [UI-012]', async () => {
    const { page, context } = await visit(browser);
    await page.goto(`${BASE}/finance`);
    await page.waitForURL(/\/components\/login/);
    await context.close();
  });

  test('a newcomer registers with a code, signs in, and is told what the first order lacks [UI-013]', async () => {
    const { page, context } = await visit(browser);
    const account = `new${Date.now()}@demo.bourse`;
    await page.goto(`${BASE}/register?haccount=${encodeURIComponent(account)}`);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /Again in/ }).waitFor();
    const inbox = (await (await fetch(`${BASE}/dev/inbox?to=${encodeURIComponent(account)}`)).json()) as {
      message: { code: string }[];
    };
    await page.getByLabel('Verification code').fill(inbox.message[0]?.code ?? '');
    await page.locator('input[name=password]').fill('Anchor-1357');
    await page.locator('input[name=re_password]').fill('Anchor-1357');
    await page.getByRole('checkbox').check();
    await page.locator('form button[type=submit]').click();
    await page.waitForURL(/\/components\/login/);
    await page.getByLabel('E-mail address').fill(account);
    await page.locator('input[name=password]').fill('Anchor-1357');
    await page.locator('form button[type=submit]').click();
    await page.waitForFunction(() => localStorage.getItem('token') !== null);
    await page.goto(`${BASE}/dealCenter`);
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    expect(
      (
        (await (
          await fetch(`${BASE}/api/coin/trade`, {
            method: 'POST',
            headers: { authorization: await page.evaluate(() => localStorage.getItem('token') ?? '') },
            body: new URLSearchParams({
              legal_id: '3',
              currency_id: '1',
              type: '1',
              target_price: '50000',
              amount: '0.01',
            }),
          })
        ).json()) as { type: string }
      ).type,
    ).toBe('not');
    await context.close();
  });

  test('each of the sixteen languages stands on the screen, and is kept over a reload [UI-014]', async () => {
    const { page, context, complaints } = await visit(browser);
    await page.goto(`${BASE}/noticeList`);
    const seen = new Map<string, string>();
    for (const code of [
      'en',
      'tr',
      'th',
      'ar',
      'vi',
      'ko',
      'zh',
      'pt',
      'hk',
      'jp',
      'es',
      'de',
      'fr',
      'it',
      'sv',
      'cr',
    ]) {
      await page.evaluate((locale) => localStorage.setItem('locale', locale), code);
      await page.reload();
      await page.locator('main h1').first().waitFor();
      seen.set(code, await page.locator('header nav').first().innerText());
    }
    expect(new Set(seen.values()).size).toBe(16);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('logging out clears all that was stored, but the language [UI-015]', async () => {
    const { page, context } = await visit(browser, { locale: 'de' });
    await page.goto(`${BASE}/dealCenter`);
    await page.evaluate(
      ({ token, id }) => {
        localStorage.setItem('token', token);
        localStorage.setItem('user_id', String(id));
      },
      await tokenOf('trader2@demo.bourse'),
    );
    await page.reload();
    await page.getByRole('button', { name: 'Konto' }).click();
    await page.getByRole('menuitem').last().click();
    await page.waitForFunction(() => localStorage.getItem('token') === null);
    expect(
      await page.evaluate(() =>
        Object.keys(localStorage).filter(
          (key) => key !== 'locale' && !['theme', 'palette'].includes(key) && localStorage.getItem('token') !== null,
        ),
      ),
    ).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('de');
    await context.close();
  });
});
