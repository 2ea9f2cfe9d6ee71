import type { BrowserContext, Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, newContext } from '@bourse/web/testing';

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

/** A fresh person's context at an address: own storage, own socket. */
export async function visitAt(
  path: string,
  { width = 1440, height = 900, stored = {} }: VisitOptions = {},
): Promise<Visit> {
  const context = await newContext({ viewport: { width, height }, locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(testTimeoutMs(9_000));
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

/** Half of the last whole price of BTC/USDT: no order meets it. It is read, because other tests move the clock. */
export async function readFarPrice(): Promise<bigint> {
  const { message } = (await (
    await fetch(`${BASE}/api/transaction/deal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ legal_id: '3', currency_id: '1' }),
    })
  ).json()) as { message: { last_price: string } };
  return BigInt(message.last_price.split('.')[0] ?? '') / 2n;
}
/** A refusal as the exchange answers it, to fulfil a route with. */
export const refusal = (type: string, key: string) => ({
  contentType: 'application/json',
  body: JSON.stringify({ type, key, message: `refused ${key}`, request_id: 'r' }),
});
