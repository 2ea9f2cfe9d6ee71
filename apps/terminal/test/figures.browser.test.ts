import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { BASE, holdSession, openBrowser, tokenOf, visit, type Visitor } from './browser.js';

jest.setTimeout(300_000);

const WIDTHS = [1920, 1440, 1280, 1024, 390] as const;

let browser: Browser;
let session: { token: string; id: number };
let pairs: { symbol: string; legal_id: number; currency_id: number }[];
beforeAll(async () => {
  browser = await openBrowser();
  session = await tokenOf('trader3@demo.bourse');
  const { message } = (await (await fetch(`${BASE}/api/currency/quotation_new`)).json()) as {
    message: { quotation: { symbol: string; legal_id: number; currency_id: number }[] }[];
  };
  pairs = message.flatMap(({ quotation }) => quotation);
});
afterAll(async () => {
  await browser.close();
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
        if (!next) continue;
        if (boxes(cell).some((one) => boxes(next).some((other) => meet(one, other))))
          found.push(`touching: ${words} | ${(next.textContent ?? '').trim()}`);
      }
    }
    return [...new Set(found)];
  });

describe.each(WIDTHS)('at %i px', (width) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await visit(browser, { width, height: width < 768 ? 844 : 900 });
    await holdSession(visitor.context, session);
  });
  afterAll(async () => {
    await visitor.context.close();
  });

  test('no figure of any market is cut or runs into another [FIG-001]', async () => {
    const { page } = visitor;
    const found: Record<string, string[]> = {};
    for (const { symbol, legal_id, currency_id } of pairs) {
      await page.goto(`${BASE}/dealCenter?legalId=${legal_id}&currencyId=${currency_id}`);
      await page
        .getByRole('button', { name: new RegExp(symbol) })
        .first()
        .waitFor();
      // On a phone the book is one of several views; small desktops have it beside the tape.
      const book = page.getByRole('tab', { name: 'Order book' });
      if (await book.count()) await book.first().click();
      await page.locator('.live-row:visible .live-cell', { hasText: /\d/ }).first().waitFor();
      const here = await collisions(page);
      const tape = page.getByRole('tab', { name: 'Trades', exact: true });
      if (await tape.count()) {
        await tape.first().click();
        await page.locator('.live-row:visible').first().waitFor();
        here.push(...(await collisions(page)));
      }
      if (here.length > 0) found[symbol] = here;
    }
    expect(found).toEqual({});
    expect(pairs.length).toBeGreaterThanOrEqual(9);
  });

  test.each(['/', '/allmarket', '/finance', '/accountEntrust', '/finanrec', '/solvency'])(
    'no figure of %s is cut or runs into another [FIG-002]',
    async (path) => {
      const { page } = visitor;
      await page.goto(`${BASE}${path}`);
      await page.locator('main').locator('h1, [role=tablist]').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await collisions(page)).toEqual([]);
    },
  );
});
