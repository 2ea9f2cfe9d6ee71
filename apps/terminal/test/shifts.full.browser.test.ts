import { expect, funded, type Person, test } from '@bourse/web/testing';
import { BASE, visitAs } from './browser.js';

/** The most that the layout of a page may shift while it loads, as web vitals count it. */
const SHIFT_MAX = 0.02;
/** Longest delay of an answer here, and how long a page is watched: answers may follow one another. */
const DELAY_MS_MAX = 600;
const WATCHED_MS = 4_000;
const PAGES = [
  '/',
  '/dealCenter',
  '/leverdealCenter',
  '/secondsOrder',
  '/allmarket',
  '/manage',
  '/practice',
  '/finance',
  '/c2cTrade',
  '/legalTrade',
  '/account/accountCenter',
  '/account/accountSet',
  '/account/accountMessage',
  '/account/fees',
  '/account/tree',
  '/account/withdraw',
  '/rechargeMoney?id=3&current=USDT',
  '/finanrec',
  '/solvency',
  '/status',
  '/fairness',
  '/microInsurance',
  '/preferences',
  '/help',
];

let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { 3: '1000' } });
});

/** A delay that depends on the address alone: answers come in another order than they were asked for. */
const delayOf = (path: string): number =>
  [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % DELAY_MS_MAX, 7);

for (const [name, size] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  for (const path of PAGES)
    test(`${path} does not move while slow answers come in, on a ${name} [BUDGET-010]`, async () => {
      const { page } = await visitAs(person, undefined, size);
      await page.addInitScript(() => {
        const noted = { shift: 0, moved: [] as string[] };
        Object.assign(window, { noted });
        new PerformanceObserver((list) => {
          type Shift = PerformanceEntry & {
            readonly value: number;
            readonly hadRecentInput: boolean;
            readonly sources: readonly { readonly node: Node | null }[];
          };
          for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
            if (hadRecentInput) continue;
            noted.shift += value;
            for (const { node } of sources.slice(0, 1))
              noted.moved.push(`${value.toFixed(4)} ${node?.parentElement?.outerHTML.slice(0, 120)}`);
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.route('**/api/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delayOf(new URL(route.request().url()).pathname)));
        await route.continue().catch(() => undefined);
      });
      await page.goto(`${BASE}${path}`);
      await page.locator('main').waitFor();
      // No event ends the loading of a page: what comes within this span is what a person sees move.
      await page.waitForTimeout(WATCHED_MS);
      const { shift, moved } = await page.evaluate(
        () => (window as unknown as { noted: { shift: number; moved: string[] } }).noted,
      );
      expect({ isWithin: shift <= SHIFT_MAX, ...(shift > SHIFT_MAX ? { shift, moved } : {}) }).toEqual({
        isWithin: true,
      });
    });
