import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { call, expect, funded, settled, test, walkTo, type Person } from '@bourse/web/testing';
import { BASE, holdSession, visit, type Visitor } from './browser.js';

const WIDTHS = [1920, 1440, 1280, 1024, 390] as const;
/** The widths whose panels can be resized. */
const DESKS = WIDTHS.filter((width) => width >= 1024);
/** The layouts in the order of their menu. */
const MENU = ['standard', 'chart', 'ladder'] as const;
const PRESETS = ['chart', 'ladder', 'standard'] as const;
const SCREENS = [
  '/',
  '/allmarket',
  '/finance',
  '/dealAccount',
  '/accountEntrust',
  '/finanrec',
  '/solvency',
  '/rechargeMoney',
  '/account/withdraw',
  '/recharge',
  '/account/coinRecord',
  '/transfer',
  '/transferRecord',
  '/withdraw_address',
] as const;

/** Balances as long as they come, in every account and coin that the lists show. */
const RICH = {
  change: { 1: '12.34567891', 2: '234.56789123', 3: '99999.12345678' },
  legal: { 3: '54321.87654321' },
  lever: { 3: '43210.98765432' },
  micro: { 3: '32109.87654321' },
};

interface Pair {
  readonly symbol: string;
  readonly legal_id: number;
  readonly currency_id: number;
  readonly now_price: string;
}
let session: Person;
let pairs: Pair[];
test.beforeAll(async () => {
  session = await funded(RICH);
  const { message } = (await (await fetch(`${BASE}/api/currency/quotation_new`)).json()) as {
    message: { quotation: Pair[] }[];
  };
  pairs = message.flatMap(({ quotation }) => quotation);
  // A row of the history, and one of open orders.
  const orders: Record<string, string>[] = [{ order_type: 'market' }, { order_type: 'limit', target_price: '20000' }];
  for (const order of orders)
    await call(
      '/api/coin/trade',
      { legal_id: '3', currency_id: '1', type: '1', amount: '0.002', ...order },
      session.token,
    );
});

/**
 * Figures that are cut or touch what stands beside them. A cell is measured by its text: by its own box, and by the
 * text of the next cell in its row. What can be scrolled into sight is not cut.
 */
const collisions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // Words for readers are a pixel wide: they are no figures on the screen.
    const unseen = (element: Element | null): boolean =>
      element !== null &&
      (element.closest('.sr-only, thead') !== null || !element.checkVisibility({ visibilityProperty: true }));
    const texts = (element: Element): Text[] => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const all: Text[] = [];
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        if (text.data.trim() !== '' && !unseen(text.parentElement)) all.push(text);
      }
      return all;
    };
    const boxes = (element: Element): DOMRect[] =>
      texts(element).flatMap((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
      });
    const shown = (element: Element): boolean => texts(element).length > 0;
    const meet = (one: DOMRect, other: DOMRect): boolean =>
      one.top < other.bottom - 3 &&
      other.top < one.bottom - 3 &&
      one.left < other.right - 1 &&
      other.left < one.right - 1;
    const found: string[] = [];
    const rows = document.querySelectorAll('.live-row, main tr, [data-figures]');
    for (const row of rows) {
      const cells = [...row.querySelectorAll('.live-cell, td, th, [data-figure]')].filter((cell) => shown(cell));
      for (const [at, cell] of cells.entries()) {
        const words = (cell.textContent ?? '').trim();
        const inner = cell.querySelector('button') ?? cell;
        if (getComputedStyle(inner).overflow !== 'visible' && inner.scrollWidth > inner.clientWidth + 1)
          found.push(`cut: ${words}`);
        if (cell.scrollWidth > cell.clientWidth + 1) found.push(`wider than its cell: ${words}`);
        const next = cells[at + 1];
        // A row of the book clips what does not fit into it, whatever its cells say.
        const edge = row.getBoundingClientRect();
        if (row.matches('.live-row') && boxes(cell).some(({ left, right }) => left < edge.left || right > edge.right))
          found.push(`outside its row: ${words}`);
        if (!next) continue;
        if (boxes(cell).some((one) => boxes(next).some((other) => meet(one, other))))
          found.push(`touching: ${words} | ${(next.textContent ?? '').trim()}`);
      }
    }
    return [...new Set(found)];
  });

/** Tabs and buttons of which a part is cut off. What can be scrolled into sight is not, but tabs must not need it. */
const cutControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const control of document.querySelectorAll('main [role=tab], main button, footer a')) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('.sr-only')) continue;
      const { left, right, width } = control.getBoundingClientRect();
      const words = (control.getAttribute('aria-label') ?? control.textContent ?? '').trim();
      if (width === 0) continue;
      for (let host = control.parentElement; host; host = host.parentElement) {
        const { overflowX } = getComputedStyle(host);
        if (overflowX === 'visible') continue;
        const scrolls = overflowX === 'auto' || overflowX === 'scroll';
        // Tabs scroll with their list on a phone; a wide window has room for their words.
        if (scrolls && (control.getAttribute('role') !== 'tab' || innerWidth < 1024)) break;
        const edge = host.getBoundingClientRect();
        if (left < edge.left - 1 || right > edge.right + 1) found.push(`cut control: ${words}`);
        if (scrolls) break;
      }
      if (!control.closest('[role=region], [role=tablist]') && (left < -1 || right > innerWidth + 1))
        found.push(`beyond the window: ${words}`);
    }
    return [...new Set(found)];
  });

/** The page at another width: no reload, so that many widths cost little. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 768 ? 844 : 900 });
  await press(page, []);
}

/** Presses what the selectors name, one after the other and as soon as it is painted; tells whether all were there. */
const press = (page: Page, selectors: readonly string[]): Promise<boolean> =>
  page.evaluate(async (all) => {
    const painted = (): Promise<unknown> =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      });
    for (const selector of all) {
      const element = document.querySelector<HTMLElement>(selector);
      if (!element) return false;
      element.click();
      await painted();
    }
    await painted();
    return true;
  }, selectors);

for (const locale of ['en', 'ar'] as const)
  test.describe(`in ${locale}`, () => {
    const menu = (
      JSON.parse(
        readFileSync(new URL(`../../../libs/i18n/src/bundles/${locale}/trade.json`, import.meta.url), 'utf8'),
      ) as Record<string, string>
    )['layout.menu'];
    let visitor: Visitor;
    let page: Page;
    test.beforeAll(async () => {
      visitor = await visit({ width: 1440, locale });
      await holdSession(visitor.context, session);
      page = visitor.page;
    });
    test.afterAll(async () => {
      await visitor.context.close();
    });

    const choose = async (preset: (typeof PRESETS)[number]): Promise<void> => {
      const item = `[role=menuitem]:nth-of-type(${MENU.indexOf(preset) + 1})`;
      expect(await press(page, [`button[aria-label="${menu}"]`, item])).toBe(true);
    };
    async function openPair({ symbol, legal_id, currency_id }: Pair): Promise<void> {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${BASE}/dealCenter?legalId=${legal_id}&currencyId=${currency_id}`);
      await page
        .getByRole('button', { name: new RegExp(symbol) })
        .first()
        .waitFor();
      await page.locator('.live-row:visible .live-cell', { hasText: /\d/ }).first().waitFor();
    }
    /** What collides in the book and the tape, which are tabs of small windows and views of phones. */
    async function inMarket(): Promise<string[]> {
      const seen: string[][] = [];
      for (const tab of ['tape', 'trades', 'book'])
        if (await press(page, [`[data-tab="${tab}"]`])) seen.push(await collisions(page));
      return seen.length > 0 ? seen.flat() : collisions(page);
    }

    test('no figure of any market is cut or runs into another, in any layout [FIG-001]', async () => {
      const found: Record<string, string[]> = {};
      const note = (where: string, what: readonly string[]): void => {
        if (what.length > 0) found[where] = [...what];
      };
      // Mirrored, figures are as wide: the one market with the longest price and the narrowest layout speak for all.
      const longest = pairs.toSorted((one, other) => other.now_price.length - one.now_price.length).slice(0, 1);
      for (const pair of locale === 'ar' ? longest : pairs) {
        await openPair(pair);
        // The panels of a window keep their sizes in all windows: each layout is looked at with and without tabs.
        for (const preset of locale === 'ar' ? (['chart'] as const) : PRESETS) {
          for (const width of [1440, 1024]) {
            await resize(page, width);
            await choose(preset);
            note(`${pair.symbol}, ${preset}, ${width} px`, await inMarket());
          }
        }
        for (const width of [1920, 1280, 390]) {
          await resize(page, width);
          note(`${pair.symbol}, ${width} px`, await inMarket());
        }
      }
      expect(found).toEqual({});
      expect(pairs.length).toBeGreaterThanOrEqual(9);
    });

    test('nothing of the deal centre is cut: tabs, buttons, and the tables under the chart [FIG-003]', async () => {
      const found: Record<string, string[]> = {};
      const [pair] = pairs;
      if (!pair) throw new Error('no pair');
      // The widest state that an order may have: whoever meets a thin book has one.
      await page.route('**/api/coin/list?**', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { message: { data?: { cancelled: number }[] } };
        await route.fulfill({
          response,
          json: {
            ...body,
            message: { ...body.message, data: body.message.data?.map((row) => ({ ...row, cancelled: 1 })) },
          },
        });
      });
      await openPair(pair);
      for (const preset of PRESETS) {
        await resize(page, DESKS[0] ?? 1920);
        await choose(preset);
        for (const width of DESKS) {
          await resize(page, width);
          for (const tab of ['open', 'done', 'trades', 'balances']) {
            expect(await press(page, [`[data-tab="${tab}"]`])).toBe(true);
            await page.locator('[role=tabpanel] tbody tr:visible').first().waitFor();
            const what = [...(await collisions(page)), ...(await cutControls(page))];
            // A usual window has room for every column.
            if (preset === 'standard' && width >= 1440) what.push(...(await sideways(page)));
            if (what.length > 0) found[`${preset}, ${width} px, ${tab}`] = what;
          }
        }
      }
      await page.unroute('**/api/coin/list?**');
      expect(found).toEqual({});
    });

    for (const path of SCREENS)
      test(`no figure of ${path} is cut or runs into another [FIG-002]`, async () => {
        if (page.url().startsWith(BASE)) await walkTo(page, path);
        else await page.goto(`${BASE}${path}`);
        await page.locator('main').locator('h1, [role=tablist]').first().waitFor();
        await settled(page);
        const found: Record<string, string[]> = {};
        for (const width of WIDTHS) {
          await resize(page, width);
          const what = [...(await collisions(page)), ...(await cutControls(page))];
          if (what.length > 0) found[`${width} px`] = what;
        }
        expect(found).toEqual({});
      });
  });

/** Tables that must be scrolled sideways to be read. */
const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main [role=tabpanel] [role=region]')]
      .filter((region) => region.querySelector('table') && region.scrollWidth > region.clientWidth + 1)
      .map((region) => `scrolls sideways: ${region.getAttribute('aria-label')}`),
  );
