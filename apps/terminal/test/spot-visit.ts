import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BASE, tokenOf } from './browser.js';

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page's console said in error, and exceptions. */ readonly errors: string[];
}
export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  /** Values of local storage before the first load. */ readonly stored?: Readonly<Record<string, string>>;
}

/** A fresh person's browser at an address: own storage, own socket. */
export async function visitAt(
  browser: Browser,
  path: string,
  { width = 1440, height = 900, stored = {} }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  // Once per visit, not at each load: what the page stores must survive its own reloads.
  await page.addInitScript((values) => {
    if (sessionStorage.getItem('prepared')) return;
    sessionStorage.setItem('prepared', '1');
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  }, stored);
  await page.goto(`${BASE}${path}`);
  return { page, context, errors };
}

const sessions = new Map<string, Promise<{ token: string; user_id: string }>>();
/** Storage of a signed-in demo person; one sign-in per test file, because they are limited. */
export function session(account: string): Promise<{ token: string; user_id: string }> {
  const known = sessions.get(account) ?? tokenOf(account).then(({ token, id }) => ({ token, user_id: String(id) }));
  sessions.set(account, known);
  return known;
}
