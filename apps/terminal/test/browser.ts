import type { BrowserContext, Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, newContext } from '@bourse/web/testing';

export { BASE, demoSession } from '@bourse/web/testing';

/** What a page may wait for on an idle machine; a dozen processes of the distributed run keep two cores busy. */
const PAGE_MS_MAX = process.env['BOURSE_RUN'] === 'distributed' ? 18_000 : 9_000;

export interface Session {
  readonly token: string;
  readonly id: number;
}
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
  /** The person's system replaces the colours of pages. */ readonly forcedColors?: 'active';
}

/** A context of its own for one person. */
export async function visit(looks: Looks = {}): Promise<Visitor> {
  const { width = 1440, height = 900, theme, locale, forcedColors = null } = looks;
  const context = await newContext({
    viewport: { width, height },
    hasTouch: width < 768,
    isMobile: width < 768,
    timezoneId: 'UTC',
    forcedColors,
  });
  if (theme) await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
  if (locale) await context.addInitScript((value) => localStorage.setItem('locale', value), locale);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.setDefaultTimeout(testTimeoutMs(PAGE_MS_MAX));
  return { page, context, complaints };
}

/** A context in which somebody is signed in already, at an address where one is given. */
export async function visitAs(session: Session, path?: string, looks: Looks = {}): Promise<Visitor> {
  const visitor = await visit(looks);
  await holdSession(visitor.context, session);
  if (path !== undefined) await visitor.page.goto(`${BASE}${path}`);
  return visitor;
}

/** Waits until a preference is stored: a page that closes earlier loses it. */
export async function waitForPreference(page: Page, key: string): Promise<void> {
  await page.waitForFunction(
    (name) =>
      new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open('bourse');
        opening.onerror = () => reject(opening.error ?? new Error('IndexedDB refused to open'));
        opening.onsuccess = () => {
          const reading = opening.result.transaction('kept').objectStore('kept').get(name);
          reading.onerror = () => reject(reading.error ?? new Error(`IndexedDB cannot read ${name}`));
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result !== undefined);
          };
        };
      }),
    key,
  );
}

/** Signs in through the form, as a person does. */
export async function signIn({ page }: Visitor, account: string): Promise<void> {
  await page.goto(`${BASE}/components/login`);
  await page.getByLabel('E-mail address').fill(account);
  await page.locator('input[name=password]').fill('Harbor-2468');
  await page.locator('form button[type=submit]').click();
  await page.waitForFunction(() => localStorage.getItem('token') !== null && location.pathname !== '/components/login');
}

/** Every page of the context begins with the session, which the API gave. */
export async function holdSession(context: BrowserContext, { token, id }: Session): Promise<void> {
  await context.addInitScript(
    ([stored, user]) => {
      localStorage.setItem('token', stored ?? '');
      localStorage.setItem('user_id', user ?? '');
    },
    [token, String(id)],
  );
}

/** Calls the exchange with a person's token; fields make it a POST. @throws Error for a refusal. */
export async function callAs<T>(
  { token }: { readonly token: string },
  path: string,
  fields?: Record<string, string>,
): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    headers: { authorization: token },
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  });
  const body = (await response.json()) as { type: string; message: T };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
