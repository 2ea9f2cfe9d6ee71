import type { Browser, BrowserContext, Page } from 'playwright-core';
import { barriersOf, lineOf, openBrowser, required } from '@bourse/web/testing';

/** Address of the running exchange; `npm test` sets it. */
export const BASE = required('BOURSE_URL').replace(/\/$/, '');
/** Address of its console. */
export const CONSOLE = `${BASE}/admin`;
/** Of all people and operators of a demo install. */
export const PASSWORD = 'Harbor-2468';

export interface Looks {
  readonly width?: number;
  readonly theme?: 'dark' | 'white';
  readonly locale?: string;
}

export { openBrowser };

/** A browser of its own for one person. */
export async function visit(browser: Browser, { width = 1440, theme, locale }: Looks = {}): Promise<Page> {
  const isMobile = width < 768;
  const viewport = { width, height: 900 };
  const context = await browser.newContext({ viewport, hasTouch: isMobile, isMobile, timezoneId: 'UTC' });
  await context.addInitScript(
    (kept) => {
      for (const [name, value] of Object.entries(kept)) if (value !== undefined) localStorage.setItem(name, value);
    },
    { theme, locale },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  return page;
}

async function tokenOf(path: string, name: Record<string, string>): Promise<{ message: string; id: number }> {
  const fields = new URLSearchParams({ ...name, password: PASSWORD });
  const response = await fetch(`${BASE}${path}`, { method: 'POST', body: fields });
  return (await response.json()) as { message: string; id: number };
}
export const tokenOfPerson = (account: string): Promise<{ message: string; id: number }> =>
  tokenOf('/api/user/login', { user_string: account });

/** Signs an operator in by the API; every page of the context begins with the session. */
export async function holdOperator(context: BrowserContext, username: string): Promise<void> {
  const { message } = await tokenOf('/api/admin/login', { username });
  await context.addInitScript((token) => sessionStorage.setItem('console.token', token), message);
}

/** Signs a person in on the terminal. */
export async function holdPerson(context: BrowserContext, account: string): Promise<void> {
  const { message, id } = await tokenOfPerson(account);
  await context.addInitScript(
    ([token, user]) => {
      localStorage.setItem('token', token ?? '');
      localStorage.setItem('user_id', user ?? '');
    },
    [message, String(id)],
  );
}

/** What axe finds on a page, each in a line with the first places where it is. */
export async function barriers(page: Page): Promise<string[]> {
  return (await barriersOf(page)).map(lineOf);
}
