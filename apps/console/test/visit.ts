import type { BrowserContext, Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { barriersOf, newContext, PASSWORD, settled, walkTo } from '@bourse/web/testing';
import { CONSOLE } from './visitors.js';

export interface Desk {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page complained about: errors on its console and uncaught ones. */
  readonly complaints: string[];
}

/** A context of its own for one operator. */
export async function desk({
  width = 1440,
  theme = 'dark',
  locale = 'en',
}: { width?: number; theme?: string; locale?: string } = {}): Promise<Desk> {
  const context = await newContext({ viewport: { width, height: 900 }, timezoneId: 'UTC' });
  const stored: [string, string] = [theme, locale];
  await context.addInitScript((kept) => {
    localStorage.setItem('theme', kept[0]);
    localStorage.setItem('locale', kept[1]);
  }, stored);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.setDefaultTimeout(testTimeoutMs(9_000));
  return { page, context, complaints };
}

/** Signs in through the form, as an operator does. */
export async function signIn({ page }: Desk, username: string): Promise<void> {
  await page.goto(`${CONSOLE}/`);
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('form button[type=submit]').click();
  await page.locator('nav a[aria-current=page]').first().waitFor({ state: 'attached' });
}

/** Opens a screen at its address, and waits until nothing of it is on its way. */
export async function open({ page }: Desk, path: string): Promise<void> {
  await page.goto(`${CONSOLE}${path}`);
  await page.locator('main h1').first().waitFor();
  await settled(page);
}

/** Opens a screen as a link does, without loading the page again, and waits until it is complete. */
export async function walk(page: Page, path: string): Promise<void> {
  await walkTo(page, `${new URL(CONSOLE).pathname}${path}`);
  await settled(page);
}

/** What axe finds on the page, as `rule: place`. */
export async function barriers({ page }: Desk): Promise<string[]> {
  return (await barriersOf(page)).flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
