import type { Page } from '@playwright/test';
import { FUND } from '@bourse/web/testing';

interface Offer {
  readonly does?: 'Buy' | 'Sell';
  readonly minutes?: string;
}

/** Publishes an ad of so many coins at a price on the open page. */
export async function publishAd(page: Page, number: string, price: string, offer: Offer = {}): Promise<void> {
  const { does = 'Sell', minutes } = offer;
  const box = page.getByRole('form', { name: `${does} USDT` });
  if (minutes !== undefined) await box.getByLabel('Time to pay').selectOption(minutes);
  await box.getByLabel('Quantity').fill(number);
  await box.getByLabel('Price').fill(price);
  await box.getByLabel('Fund password').fill(FUND);
  await box.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('tab', { name: 'My ads', selected: true }).waitFor();
}

/** Takes so many coins of the cheapest ad at a price, and returns the id of the deal. */
export async function takeAd(page: Page, price: string, number: string, does: 'Buy' | 'Sell' = 'Buy'): Promise<string> {
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

/** Confirms an act of the deal with the fund password; Enter alone must not send it. */
export async function confirmAct(page: Page, name: string, before?: () => Promise<void>): Promise<void> {
  await page.locator('main').getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await before?.();
  await dialog.getByLabel('Fund password').fill(FUND);
  // Enter must not send an irrevocable act.
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Chooses a screenshot of the page as the picture of a field. */
export async function choosePicture(page: Page, field: string): Promise<void> {
  const picture = { name: 'seen.png', mimeType: 'image/png', buffer: await page.screenshot() };
  await page.locator(`input[type=file][aria-label="${field}"]`).setInputFiles(picture);
}
