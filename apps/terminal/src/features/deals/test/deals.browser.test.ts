import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, FUND, merchant, seriousBarriers, test, type Person } from '@bourse/web/testing';
import { BASE, visitAs } from '../../../../test/browser.js';

let advertiser: Person;
let customer: Person;
test.beforeAll(async () => {
  advertiser = await merchant({ legal: { 3: '1000' } });
  customer = await merchant({ legal: { 3: '1000' } });
});
const serious = (page: Page): Promise<string[]> => seriousBarriers(page);
/** Keeps a picture of what a person sees, where a folder for them is named. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['BOURSE_SHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

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

/** Chooses what the page looks like as the picture of a field. */
async function choose(page: Page, field: string): Promise<void> {
  const picture = { name: 'seen.png', mimeType: 'image/png', buffer: await page.screenshot() };
  await page.locator(`input[type=file][aria-label="${field}"]`).setInputFiles(picture);
}

async function act(page: Page, name: string, before?: () => Promise<void>): Promise<void> {
  await page.locator('main').getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await before?.();
  await dialog.getByLabel('Fund password').fill(FUND);
  // Enter does not send what cannot be taken back.
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test.describe('deals between people', () => {
  test('a sell ad is published, taken in part, paid, talked about and released [TERM-C2C-040]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease');
    await publish(maker.page, '100', '6.31');
    expect(await serious(maker.page)).toEqual([]);
    // The taker does it all on a phone.
    const taker = await visitAs(customer, '/c2cTrade', { width: 390, height: 844 });
    await taker.page.getByText('6.31 CNY').first().waitFor();
    expect(await serious(taker.page)).toEqual([]);
    const id = await take(taker.page, '6.31', '40');
    await taker.page.getByText('Your turn: pay').waitFor();
    await taker.page.getByText('252.40 CNY').first().waitFor();
    await taker.page.getByText(/^23:5\d:\d\d$/).waitFor();
    await taker.page.getByRole('button', { name: 'Copy: Account number' }).waitFor();
    expect(await serious(taker.page)).toEqual([]);
    await look(taker.page, 'deal-pay-phone');

    await maker.page.goto(`${BASE}/c2cOrder?tab=onAds`);
    await maker.page.locator(`a[href="/c2cDetail?id=${id}"]`).click();
    await maker.page.getByText('The buyer’s turn').waitFor();
    await maker.page.getByLabel('Message', { exact: true }).fill('Please write no remark with it.');
    await maker.page.keyboard.press('Enter');
    await taker.page.getByRole('log').getByText('Please write no remark with it.').waitFor();
    await taker.page.getByLabel('Message', { exact: true }).fill('I will not.');
    await taker.page.getByRole('button', { name: 'Send', exact: true }).click();
    await maker.page.getByRole('log').getByText('I will not.').waitFor();
    await choose(taker.page, 'Send a picture');
    await maker.page
      .getByRole('log')
      .getByRole('img', { name: /^Picture/ })
      .waitFor();

    await act(taker.page, 'Paid', async () => {
      await choose(taker.page, 'Proof of payment');
      await taker.page.getByRole('dialog').getByText('Uploaded').waitFor();
    });
    await taker.page.getByText('The seller’s turn').waitFor();
    await maker.page.getByText('Your turn: check that').waitFor();
    await maker.page.getByRole('link', { name: /^Proof of payment/ }).waitFor();
    expect(await taker.page.getByRole('button', { name: 'Cancel the deal' }).count()).toBe(0);
    expect(await serious(maker.page)).toEqual([]);
    await look(maker.page, 'deal-release-desktop');
    await act(maker.page, 'Release the coins', () => maker.page.getByLabel(/^I have seen/).check());
    await maker.page.getByText('Completed').first().waitFor();
    await taker.page.getByText('Completed').first().waitFor();
    // After the deal neither sees the other's account details.
    expect(await taker.page.getByRole('button', { name: 'Copy: Account number' }).count()).toBe(0);

    await maker.page.goto(`${BASE}/c2cRecord?id=3`);
    await maker.page.locator(`a[href="/c2cDetail?id=${id}"]`).waitFor();
    await maker.page.goto(`${BASE}/c2cOrder?tab=ads`);
    const ad = maker.page.getByRole('row').filter({ hasText: '6.31' });
    await ad.getByText('60 USDT').waitFor();
    await ad.getByRole('button', { name: 'Remove ad' }).click();
    await maker.page
      .getByRole('dialog')
      .getByText(/60 USDT.* come back/)
      .waitFor();
    await maker.page.getByLabel('Fund password').fill(FUND);
    await maker.page.getByRole('dialog').getByRole('button', { name: 'Remove ad' }).click();
    await ad.waitFor({ state: 'detached' });
    expect([maker.complaints, taker.complaints]).toEqual([[], []]);
  });
});
