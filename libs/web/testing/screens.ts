import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { seriousBarriers } from './barriers.js';

/** Returns the serious barriers of a screen; content outside landmarks does not count. */
export const screenBarriers = (page: Page): Promise<string[]> => seriousBarriers(page, { without: ['region'] });

/** Whether the page has no horizontal scroll bar. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

/** Saves a screenshot of the page in the folder that `BOURSE_SHOTS` names, if it is set. */
export async function saveScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  const folder = process.env['BOURSE_SHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage });
}
