import { expect, seriousBarriers, test } from '@bourse/web/testing';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, visit, type Visitor } from './browser.js';

/* The reference for programmers, as a browser under the policy of the exchange shows it. */

/** The document of all calls is large, and Swagger UI draws it at once. */
const visitor = async (): Promise<Visitor> => {
  const one = await visit();
  one.page.setDefaultTimeout(testTimeoutMs(18_000));
  return one;
};

test('Swagger UI draws the calls, and a call with its fields, under the policy of the page [API-042]', async () => {
  const { page, complaints } = await visitor();
  const answer = await page.goto(`${BASE}/docs/rest`);
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self'");
  const call = page.locator('#operations-spot-postApiCoinTrade, [id$="-postApiCoinTrade"]').first();
  // Its groups are closed at first; the filter opens the one that is named.
  await page.locator('.opblock-tag').first().waitFor();
  expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10);
  await page.locator('.opblock-tag[data-tag="spot"], .opblock-tag[data-tag="coin"]').first().click();
  await call.click();
  await call.getByText('target_price').first().waitFor();
  // How a program signs is told where it signs in.
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByText('X-Api-Signature').first().waitFor();
  expect(complaints).toEqual([]);
});

for (const path of ['/docs', '/docs/rest', '/docs/socket', '/docs/errors'])
  test(`axe finds nothing serious on ${path} [API-042]`, async () => {
    const { page, complaints } = await visitor();
    await page.goto(`${BASE}${path}`);
    await page
      .locator(path === '/docs/rest' ? '.opblock-tag' : 'h1')
      .first()
      .waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
