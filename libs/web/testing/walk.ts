import type { Page } from '@playwright/test';

/**
 * Opens another screen as a link does: the page is loaded once, and only its content is drawn again, which takes a
 * third of the time. The old content is marked, so that the wait ends with the new screen.
 */
export async function walkTo(page: Page, address: string): Promise<void> {
  const to = new URL(address, page.url());
  // The screen of the present address would not be drawn again.
  if (to.pathname === new URL(page.url()).pathname) await page.goto(to.href);
  else await mark(page, to.href);
  const fresh = ['h1', 'form', '[role=tablist]'].map((part) => `main ${part}:not([data-before])`).join(', ');
  await page.locator(fresh).first().waitFor();
}

/** Navigates within the page; marks the elements that are on it now. */
async function mark(page: Page, address: string): Promise<void> {
  await page.evaluate((href) => {
    for (const one of document.querySelectorAll('main *')) one.setAttribute('data-before', '');
    history.pushState(null, '', href);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

/** Waits until the code of the screen and the answers of its calls have loaded. */
export async function settled(page: Page): Promise<void> {
  const coming = 'main [aria-busy=true], main span[aria-hidden].block.rounded-chip.bg-bg3';
  await page.waitForFunction((parts) => document.querySelector(parts) === null, coming);
}
