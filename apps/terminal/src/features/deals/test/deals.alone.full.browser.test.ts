import type { Page } from '@playwright/test';
import { expect, FUND, merchant, test, type Person } from '@bourse/web/testing';
import { BASE, visitAs } from '../../../../test/browser.js';

let advertiser: Person;
let customer: Person;
test.beforeAll(async () => {
  advertiser = await merchant({ legal: { 3: '1000' } });
  customer = await merchant({ legal: { 3: '1000' } });
});

interface Offer {
  readonly does?: 'Buy' | 'Sell';
  readonly minutes?: string;
}
async function publish(page: Page, number: string, price: string, offer: Offer = {}): Promise<void> {
  const { does = 'Sell', minutes } = offer;
  const box = page.getByRole('form', { name: `${does} USDT` });
  if (minutes !== undefined) await box.getByLabel('Time to pay').selectOption(minutes);
  await box.getByLabel('Quantity').fill(number);
  await box.getByLabel('Price').fill(price);
  await box.getByLabel('Fund password').fill(FUND);
  await box.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('tab', { name: 'My ads', selected: true }).waitFor();
}

/** Takes so many coins of the cheapest ad at a price, and is led to the deal. */
async function take(page: Page, price: string, number: string, does: 'Buy' | 'Sell' = 'Buy'): Promise<string> {
  const row = page.getByRole('row').filter({ hasText: price });
  await row
    .getByRole('button', { name: new RegExp(`^${does}`) })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`You ${does.toLowerCase()}`).fill(number);
  await dialog.getByLabel('Fund password').fill(FUND);
  await dialog.getByRole('button', { name: `${does} USDT` }).click();
  await page.waitForURL(/\/c2cDetail\?id=\d+/);
  return new URL(page.url()).searchParams.get('id')!;
}

test.describe('deals between people', () => {
  test('what nobody pays ends at its deadline; the buyer reads what can still be done [TERM-C2C-044]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease');
    await publish(maker.page, '20', '6.42', { minutes: '15' });
    const taker = await visitAs(customer, '/c2cTrade');
    const id = await take(taker.page, '6.42', '5');
    await taker.page.getByText(/^(00:)?14:5\d$/).waitFor();
    await maker.page.goto(`${BASE}/c2cDetail?id=${id}`);
    await maker.page.getByText('The buyer’s turn').waitFor();
    const { token } = customer;
    const moved = await fetch(`${BASE}/dev/clock`, {
      method: 'POST',
      headers: { authorization: token },
      body: new URLSearchParams({ advance_seconds: '901' }),
    });
    expect(moved.status).toBe(200);
    for (const { page } of [taker, maker]) await page.getByText('Cancelled').first().waitFor();
    await taker.page.getByRole('button', { name: 'Open an appeal' }).waitFor();
    expect(await maker.page.getByRole('button', { name: 'Open an appeal' }).count()).toBe(0);
    expect([maker.complaints, taker.complaints]).toEqual([[], []]);
  });
});
