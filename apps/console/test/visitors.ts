import type { BrowserContext, Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, barriersOf, lineOf, newContext, operatorToken } from '@bourse/web/testing';

export { BASE, PASSWORD } from '@bourse/web/testing';
/** Address of the console of the running exchange. */
export const CONSOLE = `${BASE}/admin`;

export interface Looks {
  readonly width?: number;
  readonly theme?: 'dark' | 'white';
  readonly locale?: string;
}

/** A context of its own for one person. */
export async function visit({ width = 1440, theme, locale }: Looks = {}): Promise<Page> {
  const isMobile = width < 768;
  const viewport = { width, height: 900 };
  const context = await newContext({ viewport, hasTouch: isMobile, isMobile, timezoneId: 'UTC' });
  await context.addInitScript(
    (kept) => {
      for (const [name, value] of Object.entries(kept)) if (value !== undefined) localStorage.setItem(name, value);
    },
    { theme, locale },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(testTimeoutMs(9_000));
  return page;
}

/** Every page of the context begins with the session of an operator, which the API gave. */
export async function holdOperator(context: BrowserContext, username: string): Promise<void> {
  const session = await operatorToken(username);
  await context.addInitScript((token) => sessionStorage.setItem('console.token', token), session);
}
/** A page of the console, where an operator is signed in. */
export async function operatorAt(username: string, path: string, looks: Looks = {}): Promise<Page> {
  const page = await visit(looks);
  await holdOperator(page.context(), username);
  await page.goto(`${CONSOLE}${path}`);
  return page;
}
/** A page of the terminal, where a person is signed in. */
export async function personAt(
  { token, id }: { readonly token: string; readonly id: number },
  path: string,
  looks: Looks = {},
): Promise<Page> {
  const page = await visit(looks);
  await page.context().addInitScript(
    ([session, user]) => {
      localStorage.setItem('token', session ?? '');
      localStorage.setItem('user_id', user ?? '');
    },
    [token, String(id)],
  );
  await page.goto(`${BASE}${path}`);
  return page;
}

/** What axe finds on a page, each in a line with the first places where it is. */
export async function barriers(page: Page): Promise<string[]> {
  return (await barriersOf(page)).map(lineOf);
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
