import { openBrowser, required } from '@bourse/web/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Address of the running exchange; `npm test` sets it. */
export const BASE = required('BOURSE_URL').replace(/\/$/, '');

export { openBrowser };

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page complained about: errors on its console and uncaught ones. */ readonly complaints: string[];
}
export interface Looks {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'white';
  readonly locale?: string;
}

/** A browser of its own for one person. */
export async function visit(
  browser: Browser,
  { width = 1440, height = 900, theme, locale }: Looks = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: width < 768,
    isMobile: width < 768,
    timezoneId: 'UTC',
  });
  if (theme) await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
  if (locale) await context.addInitScript((value) => localStorage.setItem('locale', value), locale);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  // Beside two distributed exchanges a page may wait for the machine that long.
  page.setDefaultTimeout(process.env['BOURSE_RUN'] === 'distributed' ? 90_000 : 45_000);
  return { page, context, complaints };
}

/** Signs in through the form, as a person does. */
export async function signIn({ page }: Visitor, account: string): Promise<void> {
  await page.goto(`${BASE}/components/login`);
  await page.getByLabel('E-mail address').fill(account);
  await page.locator('input[name=password]').fill('Harbor-2468');
  await page.locator('form button[type=submit]').click();
  await page.waitForFunction(() => localStorage.getItem('token') !== null && location.pathname !== '/components/login');
}

/** A token by the API, for screens that are only looked at. */
export async function tokenOf(account: string): Promise<{ token: string; id: number }> {
  const response = await fetch(`${BASE}/api/user/login`, {
    method: 'POST',
    body: new URLSearchParams({ user_string: account, password: 'Harbor-2468' }),
  });
  const body = (await response.json()) as { message: string; id: number };
  return { token: body.message, id: body.id };
}

export async function holdSession(
  context: BrowserContext,
  { token, id }: { token: string; id: number },
): Promise<void> {
  await context.addInitScript(
    ([stored, user]) => {
      localStorage.setItem('token', stored ?? '');
      localStorage.setItem('user_id', user ?? '');
    },
    [token, String(id)],
  );
}
