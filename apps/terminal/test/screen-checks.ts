import { demoSession, expect, seriousBarriers, test, walkTo } from '@bourse/web/testing';
import { BASE, visit, visitAs, type Looks, type Visitor } from './browser.js';

/** Screens that a guest sees. */
export const OPEN = [
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
  '/practice',
  '/fairness',
  '/preferences',
  '/status',
  '/legalTrade',
  '/manage',
  '/integralExchanges',
] as const;
/** Screens of who is signed in. */
export const SIGNED_IN = [
  '/microInsurance',
  '/finance',
  '/legal',
  '/transferLog',
  '/transferRecord',
  '/account/accountEntrust',
  '/bindmpwd',
  '/rechargeMoney?id=4',
  '/account/withdraw?id=4',
  '/account/recharge',
  '/account/coinRecord?tab=withdrawals',
  '/account/chargeRecord',
  '/withdraw_address',
  '/dealAccount?currency_id=3',
  '/transferLegal',
  '/finanrec',
  '/account',
  '/account/accountSet',
  '/account/firstSteps',
  '/account/fees',
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
export type ScreenPath = (typeof OPEN)[number] | (typeof SIGNED_IN)[number];
/** One screen of each kind, which every run of the tests checks; the others are checked by the full run. */
export const KINDS: readonly ScreenPath[] = [
  '/',
  '/dealCenter',
  '/components/login',
  '/noticeList',
  '/manage',
  '/finance',
  '/account/accountEntrust',
  '/account/accountSet',
  '/c2cTrade',
];
const needsSession = (path: string): boolean => (SIGNED_IN as readonly string[]).includes(path);
/**
 * Each theme and each direction once: what axe finds depends on one or the other. Every screen is loaded at its address
 * once, and once reached from another by a link.
 */
export const LOOKS = [
  { theme: 'dark', locale: 'en', by: 'address' },
  { theme: 'white', locale: 'ar', by: 'link' },
] as const;

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const fits = (): boolean => document.documentElement.scrollWidth <= document.documentElement.clientWidth;

/** For a `describe`: opens a guest and a person of these looks, and gives the one who may see a screen. */
export function openPeople(looks: Looks): (path: ScreenPath) => Visitor {
  let guest: Visitor, person: Visitor;
  test.beforeAll(async () => {
    const session = await demoSession('trader3@demo.bourse');
    [guest, person] = await Promise.all([visit(looks), visitAs(session, undefined, looks)]);
  });
  test.afterAll(async () => {
    await Promise.all([guest.context.close(), person.context.close()]);
  });
  return (path) => (needsSession(path) ? person : guest);
}

/** For a `describe`: opens a guest and a person of these looks, and gives the check of a screen. */
export function screenCheck({ theme, locale, by }: (typeof LOOKS)[number]): (path: ScreenPath) => Promise<void> {
  const visitorOf = openPeople({ theme, locale });
  return async (path) => {
    const { page, complaints } = visitorOf(path);
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
    await expect.poll(() => page.evaluate(fits)).toBe(true);
    expect(complaints).toEqual([]);
  };
}
