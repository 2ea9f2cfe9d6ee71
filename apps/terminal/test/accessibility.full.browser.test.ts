import type { Page } from '@playwright/test';
import { barriersOf, expect, lineOf, test } from '@bourse/web/testing';
import { BASE, visit, type Looks, type Visitor } from './browser.js';
import { OPEN, SIGNED_IN, openPeople, type ScreenPath } from './screen-checks.js';

/** The rules of docs/accessibility.md that axe does not check by itself, on every screen. */

/** Tab stops that are looked at on a screen. */
const STOPS = 40;
/** Fewer are a focus that was lost: the barest screen has four. */
const STOPS_MIN = 3;
const overflow = (): number => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** For a `describe`: opens a screen as somebody who may see it, and waits until it has its contents. */
function openScreens(looks: Looks): (path: ScreenPath) => Promise<Visitor> {
  const visitorOf = openPeople(looks);
  return async (path) => {
    const visitor = visitorOf(path);
    await visitor.page.goto(`${BASE}${path}`);
    await visitor.page.locator('main').locator('h1, form, [role=tablist]').first().waitFor();
    await expect(visitor.page.locator('main span[aria-hidden].bg-bg3:empty')).toHaveCount(0);
    return visitor;
  };
}

test.describe('in colours of the system', () => {
  const open = openScreens({ forcedColors: 'active' });
  for (const path of [...OPEN, ...SIGNED_IN])
    test(`${path} shows what is chosen, and marks that are colour alone keep theirs [ACCESS-001]`, async () => {
      const { page } = await open(path);
      expect(await page.evaluate(findAlikeStates)).toEqual([]);
      expect(await page.evaluate(findLostMarks)).toEqual([]);
    });
});

test.describe('on a window of 320 px', () => {
  const open = openScreens({ width: 320, height: 640 });
  for (const path of [...OPEN, ...SIGNED_IN])
    test(`${path} needs no sideways scrolling [ACCESS-002]`, async () => {
      const { page } = await open(path);
      await expect.poll(() => page.evaluate(overflow)).toBe(0);
    });
});

test.describe('on a desktop', () => {
  const open = openScreens({});
  for (const path of [...OPEN, ...SIGNED_IN])
    test(`${path}: focus is seen, targets have 24 px or room, wider text fits [ACCESS-003]`, async () => {
      const { page } = await open(path);
      const small = await barriersOf(page, { alone: ['target-size'] });
      expect(small.map(lineOf)).toEqual([]);
      expect(await walkFocus(page)).toEqual([]);
      // WCAG 1.4.12: these values must not cut text or widen the page.
      await page.addStyleTag({
        content:
          '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } ' +
          'p { margin-bottom: 2em !important }',
      });
      await expect.poll(() => page.evaluate(overflow)).toBe(0);
    });
});

test('the second stop of a desk skips to its order form, the first to the content [ACCESS-004]', async () => {
  const { page } = await visit();
  await page.goto(`${BASE}/dealCenter`);
  await page.getByRole('form', { name: /^Buy / }).waitFor();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the order form' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.locator('#ticket').locator(':focus')).toHaveCount(1);
});

/** Goes through the first stops by Tab; names those without a visible focus, and those that something covers. */
async function walkFocus(page: Page): Promise<string[]> {
  const faults: string[] = [];
  let seen = 0;
  for (let stop = 0; stop < STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return undefined;
      const isOutlined = (element: Element | null): boolean => {
        if (!element) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return outlineStyle !== 'none' && outlineWidth !== '0px';
      };
      // A field shows the focus of its input on the box around both.
      const around = [focused, focused.parentElement, focused.parentElement?.parentElement ?? null];
      // Rows that arrive meanwhile push the end of a page out of the window; what covers a stop stays over it.
      focused.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = focused.getBoundingClientRect();
      const isSeen = [0.1, 0.5, 0.9].some((x) =>
        [0.1, 0.5, 0.9].some((y) => {
          const hit = document.elementFromPoint(left + width * x, top + height * y);
          return (
            hit !== null &&
            (hit.contains(focused) ||
              focused.contains(hit) ||
              [...((focused as HTMLInputElement).labels ?? [])].some((label) => label.contains(hit)))
          );
        }),
      );
      const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent.slice(0, 30)}`;
      return { name, hasOutline: around.some(isOutlined), isSeen };
    });
    if (!found) break;
    seen += 1;
    if (!found.hasOutline) faults.push(`no outline: ${found.name}`);
    if (!found.isSeen) faults.push(`covered: ${found.name}`);
  }
  if (seen < STOPS_MIN) faults.push(`only ${seen} stops`);
  return faults;
}

/** Chosen elements that look like others of their group. Runs in the page. */
function findAlikeStates(): string[] {
  const STATES = ['aria-selected', 'aria-checked', 'aria-pressed', 'aria-current'];
  const GROUPS = '[role=tablist], [role=radiogroup], [role=menu], [role=group], nav, ul';
  const isChosen = (element: Element, state: string): boolean => !['false', null].includes(element.getAttribute(state));
  const lookOf = (element: Element): string => {
    const style = getComputedStyle(element);
    const after = getComputedStyle(element, '::after');
    return [
      style.backgroundColor,
      style.color,
      style.borderTopColor,
      style.borderBottomColor,
      style.borderBottomWidth,
      style.outlineStyle,
      style.textDecorationLine,
      style.fontWeight,
      after.content,
      after.backgroundColor,
    ].join();
  };
  const alike: string[] = [];
  for (const state of STATES)
    for (const chosen of document.querySelectorAll<HTMLElement>(`[${state}]:not([${state}=false])`)) {
      if (chosen.offsetWidth === 0) continue;
      const group = chosen.closest(GROUPS)?.querySelectorAll<HTMLElement>(chosen.tagName) ?? [];
      const other = [...group].find(
        (each) => each.offsetWidth > 0 && !isChosen(each, state) && each.role === chosen.role,
      );
      // A checkbox of the platform shows its own state.
      if (other && chosen.tagName !== 'INPUT' && lookOf(other) === lookOf(chosen))
        alike.push(`${state} ${chosen.textContent.slice(0, 30)}`);
    }
  return alike;
}

/** Small empty elements that only a colour of the theme fills, and that lose it. Runs in the page. */
function findLostMarks(): string[] {
  const LARGE_PX = 40;
  return [...document.querySelectorAll<HTMLElement>('main *, header *, footer *')]
    .filter(
      (element) =>
        /(^|\s)bg-(up|down|warn|accent|info)(\s|$)/.test(element.className) &&
        element.textContent === '' &&
        element.offsetWidth > 0 &&
        element.offsetHeight < LARGE_PX &&
        element.offsetWidth < LARGE_PX &&
        getComputedStyle(element).forcedColorAdjust !== 'none',
    )
    .map((element) => `${element.tagName} ${element.className}`);
}
