import type { Page } from '@playwright/test';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { expect, funded, test } from '@bourse/web/testing';
import { BASE, visit, visitAs, type Visitor } from './browser.js';

/** Between the best bid and the best ask there is room for two people: one tick inside the house's spread. */
async function insidePrice(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const response = await fetch('/api/transaction/deal', {
      method: 'POST',
      body: new URLSearchParams({ legal_id: '3', currency_id: '1' }),
    });
    const { message } = (await response.json()) as {
      message: { in: { price: string }[]; out: { price: string }[]; last_price: string };
    };
    const cents = (text: string): bigint => {
      const [whole = '0', fraction = ''] = text.split('.');
      return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
    };
    const bid = message.in[0] ? cents(message.in[0].price) : cents(message.last_price);
    const ask = message.out[0] ? cents(message.out[0].price) : bid + 200n;
    const middle = (bid + ask) / 2n;
    return `${middle / 100n}.${(middle % 100n).toString().padStart(2, '0')}`;
  });
}

const formOf = (page: Page, side: 'Buy' | 'Sell') => page.getByRole('form', { name: `${side} BTC/USDT` });
/** The ticket of a side with all but the price, which is filled in at the last moment. */
async function prepare({ page }: Visitor, side: 'Buy' | 'Sell', amount: string): Promise<void> {
  await page.getByRole('tab', { name: side, exact: true }).first().click();
  await formOf(page, side).getByLabel('Amount', { exact: true }).fill(amount);
}
async function placeAt({ page }: Visitor, side: 'Buy' | 'Sell', price: string): Promise<void> {
  await formOf(page, side).getByLabel('Price', { exact: true }).fill(price);
  await formOf(page, side)
    .getByRole('button', { name: `${side} BTC` })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
}

test('two people trade with each other, and both see it without reloading [UI-001]', async () => {
  const [one, two] = [
    await visitAs(await funded({ change: { 1: '1', 3: '10000' } })),
    await visitAs(await funded({ change: { 1: '1', 3: '10000' } })),
  ];
  await Promise.all([one.page.goto(`${BASE}/dealCenter`), two.page.goto(`${BASE}/dealCenter`)]);
  await Promise.all([one, two].map(({ page }) => page.getByRole('form', { name: 'Buy BTC/USDT' }).waitFor()));

  // The market moves under the two: whoever else takes the first order in between, they try again.
  let met = false;
  for (let attempt = 0; attempt < 8 && !met; attempt++) {
    await Promise.all([prepare(one, 'Sell', '0.0123'), prepare(two, 'Buy', '0.0123')]);
    const price = await insidePrice(one.page);
    // Side by side, so that the market has little time to come between them: who is first rests, the other one takes.
    await Promise.all([placeAt(one, 'Sell', price), placeAt(two, 'Buy', price)]);
    met = await haveMet(one.page, two.page);
    if (!met) await Promise.all([one, two].map(({ page }) => cancelAll(page)));
  }
  expect(met).toBe(true);

  for (const { page } of [one, two]) {
    await page.getByRole('tab', { name: 'History', exact: true }).click();
    await page.getByRole('region', { name: 'History', exact: true }).getByText('0.0123').first().waitFor();
  }
  expect(one.complaints).toEqual([]);
  expect(two.complaints).toEqual([]);
});

test('the living market shows on the screen: book, trades, chart and quotations move [UI-002]', async () => {
  const guest = await visit();
  const { page } = guest;
  await page.goto(`${BASE}/dealCenter`);
  await page.getByText('Live', { exact: true }).waitFor();
  const book = page.getByRole('table', { name: 'Order book' });
  await book.waitFor();
  const first = await book.innerText();
  await page.waitForFunction(
    (before) => document.querySelector('[aria-label="Order book"]')?.textContent !== before,
    first,
    { timeout: testTimeoutMs(6_000) },
  );
  await page.locator('canvas').first().waitFor();
  await page.getByRole('link', { name: 'Log in' }).first().waitFor();
  expect(guest.complaints).toEqual([]);
});

/** Both sides of one trade show the same fill id. */
async function haveMet(one: Page, two: Page): Promise<boolean> {
  return eventually(async () => {
    const [mine, theirs] = await Promise.all([fillsOf(one), fillsOf(two)]);
    return mine.some((id) => theirs.includes(id));
  }, 1_000).catch(() => false);
}

async function fillsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const response = await fetch('/api/coin/fills', {
      headers: { authorization: localStorage.getItem('token') ?? '' },
    });
    const { message } = (await response.json()) as { message: { data: { id: string; number: string }[] } };
    return message.data.filter((fill) => fill.number.startsWith('0.0123')).map(({ id }) => id);
  });
}

async function cancelAll(page: Page): Promise<void> {
  await page.evaluate(() =>
    fetch('/api/coin/cancel_all', {
      method: 'POST',
      headers: {
        authorization: localStorage.getItem('token') ?? '',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: '',
    }),
  );
}
