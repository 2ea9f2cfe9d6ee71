import { LANGUAGES } from '@bourse/contract';
import { expect, test } from '@bourse/web/testing';
import { BASE, visit } from './browser.js';
import { KINDS, LOOKS, OPEN, screenCheck, SIGNED_IN } from './screen-checks.js';

const OTHERS = [...OPEN, ...SIGNED_IN].filter((path) => !KINDS.includes(path));

for (const look of LOOKS)
  test.describe(`in ${look.theme} and ${look.locale}`, () => {
    const check = screenCheck(look);
    for (const path of OTHERS)
      test(`${path}: no complaint, no serious barrier [UI-010], fits a phone [UI-011]`, () => check(path));
  });

test.describe('people', () => {
  test('each of the sixteen languages is displayed, and survives a reload [UI-014]', async () => {
    const { page, complaints } = await visit();
    await page.goto(`${BASE}/noticeList`);
    const seen = new Map<string, string>();
    for (const code of LANGUAGES) {
      await page.evaluate((locale) => localStorage.setItem('locale', locale), code);
      await page.reload();
      await page.locator('main h1').first().waitFor();
      seen.set(code, await page.locator('header nav').first().innerText());
    }
    expect(new Set(seen.values()).size).toBe(16);
    expect(complaints).toEqual([]);
  });
});
