import { expect, merchant, type Person, test } from '@bourse/web/testing';
import { BASE, visitAs } from '../../../../test/browser.js';
import { publishAd, takeAd } from './deal-acts.js';

/** The buyer finds the ad by this price; no other test file uses it, because ads stay when a file ends. */
const PRICE = '6.46';
let advertiser: Person;
let customer: Person;
test.beforeAll(async () => {
  advertiser = await merchant({ legal: { 3: '1000' } });
  customer = await merchant({ legal: { 3: '1000' } });
});

test.describe('deals between people', () => {
  test('an unpaid deal ends at its deadline; the buyer reads the remaining steps [TERM-C2C-044]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease');
    await publishAd(maker.page, '20', PRICE, { minutes: '15' });
    const taker = await visitAs(customer, '/c2cTrade');
    const id = await takeAd(taker.page, PRICE, '5');
    await taker.page.getByText(/^Time left:\W+(00:)?1[0-4]:\d\d$/).waitFor();
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
