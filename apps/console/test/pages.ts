import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { BASE, CONSOLE, holdOperator, holdPerson, openBrowser, visit, type Looks } from './visitors.js';

/** One browser for the tests of a file; pages that it opened are closed after each of them. */
export function pagesOfOneBrowser() {
  let browser: Browser;
  const opened: Page[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
  });
  afterAll(async () => {
    await browser.close();
  });
  /** A page of somebody new. */
  const open = async (looks: Looks = {}): Promise<Page> => {
    const page = await visit(browser, looks);
    opened.push(page);
    return page;
  };
  return {
    /** A page of the console, where an operator is signed in. */
    operatorAt: async (username: string, path: string, looks: Looks = {}): Promise<Page> => {
      const page = await open(looks);
      await holdOperator(page.context(), username);
      await page.goto(`${CONSOLE}${path}`);
      return page;
    },
    /** A page of the terminal, where a person is signed in. */
    personAt: async (account: string, path: string, looks: Looks = {}): Promise<Page> => {
      const page = await open(looks);
      await holdPerson(page.context(), account);
      await page.goto(`${BASE}${path}`);
      return page;
    },
  };
}

/** Why an operator acts, in the trail. */
export const REASON = 'seen in a test of the console';
/** Gives the reason that every act asks for, and does it. */
export async function confirm(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.locator('textarea[name=reason]').fill(REASON);
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
}
