import type { Page } from '@playwright/test';
import { expect, test } from '@bourse/web/testing';
import { BASE, visit, type Looks } from '../../../../test/browser.js';

interface Status {
  readonly version: string;
  readonly modes: Readonly<Record<string, string>>;
  readonly breakers: Readonly<Record<string, string>>;
  readonly audit_checks: number;
}
const CALL = '**/api/status?*';

const visitor = async (looks?: Looks): Promise<Page> => (await visit(looks)).page;
const told = async (): Promise<Status> =>
  ((await (await fetch(`${BASE}/api/status`)).json()) as { message: Status }).message;
/** From now on the call answers with the real state and these changes to it. */
async function tell(page: Page, changes: object): Promise<void> {
  const message = { ...(await told()), ...changes };
  await page.route(CALL, (route) => route.fulfill({ json: { type: 'ok', message, request_id: 'test' } }));
}
const word = (page: Page, one: string) => page.locator(`[data-testid=whole][data-word=${one}]`);
const statesOf = (page: Page, name: 'product' | 'market'): Promise<Record<string, string>> =>
  page
    .locator(`[data-${name}]`)
    .evaluateAll(
      (all, key) =>
        Object.fromEntries(
          all.map((one) => [(one as HTMLElement).dataset[key] ?? '', (one as HTMLElement).dataset['state'] ?? '']),
        ),
      name,
    );

test.describe('the status page', () => {
  test('shows a guest the state of the exchange, products, markets and auditors [STATUS-010]', async () => {
    const page = await visitor();
    await page.goto(`${BASE}/status`);
    await word(page, 'open').getByText('The exchange is open').waitFor();
    const { version, modes, breakers, audit_checks: checks } = await told();
    expect(Object.keys(modes).length).toBeGreaterThan(5);
    expect(await statesOf(page, 'market')).toEqual(modes);
    expect(await statesOf(page, 'product')).toEqual({ spot: 'normal', ...breakers });
    await page.getByText(`Rules checked: ${checks}`).waitFor();
    await page.getByText(`Program version ${version}`).waitFor();
    const source = page.getByRole('link', { name: 'View as JSON' });
    expect(await source.getAttribute('href')).toBe('/api/status');
  });

  test('refreshes by itself, and names stopped products [STATUS-011]', async () => {
    const page = await visitor();
    await page.goto(`${BASE}/status`);
    await word(page, 'open').waitFor();
    const { modes, breakers } = await told();
    await tell(page, {
      modes: { ...modes, 'BTC/USDT': 'halted' },
      breakers: { ...breakers, withdraw: 'cancel_only' },
      stale_pairs: ['ETH/USDT'],
    });
    await word(page, 'part').getByText('Part of the exchange is stopped').waitFor();
    await page.locator('[data-product=withdraw]').getByText('Cancel only').waitFor();
    await page.locator('[data-product=spot]').getByText('Partly open').waitFor();
    await page.locator('[data-market="BTC/USDT"]').getByText('Stopped').waitFor();
    await page.locator('[data-market="ETH/USDT"]').getByText('old price').waitFor();
    await page.unroute(CALL);
    await tell(page, { audit: 'alarm' });
    await word(page, 'alarm').waitFor();
    await page.unroute(CALL);
    await word(page, 'open').waitFor();
  });

  for (const [name, failure, words] of [
    ['unable', 'answers 503', 'The exchange cannot tell its state'],
    ['silent', 'gives no answer', 'The exchange does not answer'],
  ] as const)
    test(`shows it (${name}) when the call ${failure}, and recovers by itself [STATUS-012]`, async () => {
      const page = await visitor();
      const fail = (): Promise<unknown> =>
        page.route(CALL, (route) =>
          name === 'silent'
            ? route.abort()
            : route.fulfill({
                status: 503,
                json: { type: 'error', message: 'down', key: 'common.unavailable', params: {}, request_id: 'test' },
              }),
        );
      await fail();
      await page.goto(`${BASE}/status`);
      await word(page, name).getByText(words).waitFor();
      expect(await page.locator('[data-product]').count()).toBe(0);
      await page.unroute(CALL);
      await word(page, 'open').waitFor();
      await fail();
      await word(page, name).getByText('Below stands what it said last').waitFor();
      // The last known values stay, and the picture shows which questions had no answer.
      expect(await page.locator('[data-product]').count()).toBeGreaterThan(3);
      const pulse = page.locator('figure[data-asked]');
      const [asked, answered] = [await pulse.getAttribute('data-asked'), await pulse.getAttribute('data-answered')];
      expect(Number(asked)).toBeGreaterThan(Number(answered));
      expect(Number(answered)).toBeGreaterThan(0);
    });

  test('shows which of the last 90 days had an outage, and how long [STATUS-014]', async () => {
    const page = await visitor();
    const until = Date.parse('2026-06-30T12:00:00Z');
    const outage = (product: string, day: string, limited: number, down: number): object => ({
      product,
      day,
      limited_seconds: limited,
      down_seconds: down,
    });
    await tell(page, {
      history: {
        since: until - 40 * 86_400_000,
        until,
        outages: [
          outage('spot', '2026-06-20', 90, 0),
          outage('spot', '2026-06-22', 0, 34_560),
          outage('c2c', '2026-06-30', 61, 5),
        ],
      },
    });
    await page.goto(`${BASE}/status`);
    const spot = page.locator('[data-history=spot]');
    await spot.getByRole('img', { name: 'Spot, last 90 days: 99.00 % available, days with an outage: 2' }).waitFor();
    const daysIn = (state: string): Promise<string[]> =>
      spot.locator(`[data-state=${state}]`).evaluateAll((all) => all.map((one) => one.getAttribute('data-day') ?? ''));
    expect(await Promise.all(['part', 'halted'].map(daysIn))).toEqual([['2026-06-20'], ['2026-06-22']]);
    expect((await daysIn('unknown')).length).toBe(49);
    await spot.getByText('Days with an outage: 2').click();
    await spot.getByText('2026-06-22: stopped 576 min, partly open 0 min').waitFor();
    await page.locator('[data-history=c2c]').getByText('Days with an outage: 1').click();
    await page.getByText('2026-06-30: stopped 1 min, partly open 2 min').waitFor();
    const micro = page.locator('[data-history=micro]');
    await micro.getByText('100.00 % available').waitFor();
    await micro.getByText('No outage recorded').waitFor();
  });

  for (const [width, theme, locale] of [
    [375, 'dark', 'de'],
    [375, 'white', 'ar'],
    [1280, 'dark', 'th'],
    [1280, 'white', 'fr'],
  ] as const)
    test(`fits ${width} px in ${theme} and ${locale}, in the words of the language [STATUS-013]`, async () => {
      const page = await visitor({ width, theme, locale });
      await page.goto(`${BASE}/status`);
      await word(page, 'open').waitFor();
      expect(await page.getByText('The exchange is open').count()).toBe(0);
      expect(await page.locator('main').innerText()).not.toMatch(/\b(state|home|nav)\.[a-z]/i);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true);
    });
});
