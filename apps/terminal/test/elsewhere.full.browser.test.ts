import { expect, funded, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, visitAs } from './browser.js';

/* Screens that the person has left, and texts about a choice that was changed. */

const CENTRE = '/leverdealCenter?legalId=3&currencyId=1';
let trader: Person;
test.beforeAll(async () => {
  trader = await funded({ lever: { 3: '50000' }, micro: { 3: '1000' } });
});

const PAIR = { legal_id: '3', currency_id: '1' };
const open = (pair: typeof PAIR): Promise<unknown> =>
  callAs(trader, '/api/lever/submit', { ...pair, type: '1', status: '1', multiple: '20', share: '2' });
const closeAll = (pair?: typeof PAIR): Promise<unknown> =>
  callAs(trader, '/api/lever/batch_close', { ...pair, type: '0' });

test('a position that closed while another screen was shown is gone on the return [LEVERUI-056]', async () => {
  const { page } = await visitAs(trader);
  await open(PAIR);
  await open({ ...PAIR, currency_id: '2' });
  await page.goto(`${BASE}${CENTRE}`);
  const row = (pair: string) => page.getByRole('region', { name: 'Open positions' }).getByRole('link', { name: pair });
  await row('BTC/USDT').waitFor();
  await row('ETH/USDT').waitFor();
  await page.getByRole('link', { name: 'Markets', exact: true }).first().click();
  await page.waitForURL('**/allmarket');
  await closeAll(PAIR);
  await page
    .getByText(/^Position closed/)
    .first()
    .waitFor();
  await page.goBack();
  await row('ETH/USDT').waitFor();
  await expect(row('BTC/USDT')).toHaveCount(0);
  await closeAll();
});
