import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openBrowser, visit, type Looks, type Visitor } from './browser.js';

/** One browser for the tests of a file; who visits with it is gone after each of them. */
export function visitorsOfOneBrowser(): (looks?: Looks) => Promise<Visitor> {
  let browser: Browser;
  const open: Visitor[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });
  afterAll(async () => {
    await browser.close();
  });
  return async (looks = {}) => {
    const one = await visit(browser, looks);
    open.push(one);
    return one;
  };
}
