import { expect, FUND, merchant, type Person, saveScreenshot, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, visitAs } from '../../../../test/browser.js';
import { choosePicture, confirmAct, publishAd, takeAd } from './deal-acts.js';

let advertiser: Person;
let customer: Person;
test.beforeAll(async () => {
  advertiser = await merchant({ legal: { 3: '1000' } });
  customer = await merchant({ legal: { 3: '1000' } });
});
test.describe('deals between people', () => {
  test('a sell ad is published, taken in part, paid, talked about and released [TERM-C2C-040]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease');
    await publishAd(maker.page, '100', '6.31');
    expect(await seriousBarriers(maker.page)).toEqual([]);
    // The taker does it all on a phone.
    const taker = await visitAs(customer, '/c2cTrade', { width: 390, height: 844 });
    await taker.page.getByText('6.31 CNY').first().waitFor();
    expect(await seriousBarriers(taker.page)).toEqual([]);
    const id = await takeAd(taker.page, '6.31', '40');
    await taker.page.getByText('Your turn: pay').waitFor();
    await taker.page.getByText('252.40 CNY').first().waitFor();
    await taker.page.getByText(/^Time left:\W+23:5\d:\d\d$/).waitFor();
    await taker.page.getByRole('button', { name: 'Copy: Account number' }).waitFor();
    expect(await seriousBarriers(taker.page)).toEqual([]);
    await saveScreenshot(taker.page, 'deal-pay-phone', false);

    await maker.page.goto(`${BASE}/c2cOrder?tab=onAds`);
    await maker.page.locator(`a[href="/c2cDetail?id=${id}"]`).click();
    await maker.page.getByText('The buyer’s turn').waitFor();
    await maker.page.getByLabel('Message', { exact: true }).fill('Please write no remark with it.');
    await maker.page.keyboard.press('Enter');
    await taker.page.getByRole('log').getByText('Please write no remark with it.').waitFor();
    await taker.page.getByLabel('Message', { exact: true }).fill('I will not.');
    await taker.page.getByRole('button', { name: 'Send', exact: true }).click();
    await maker.page.getByRole('log').getByText('I will not.').waitFor();
    await choosePicture(taker.page, 'Send a picture');
    await maker.page
      .getByRole('log')
      .getByRole('img', { name: /^Picture/ })
      .waitFor();

    await confirmAct(taker.page, 'Paid', async () => {
      await choosePicture(taker.page, 'Proof of payment');
      await taker.page.getByRole('dialog').getByText('Uploaded').waitFor();
    });
    await taker.page.getByText('The seller’s turn').waitFor();
    await maker.page.getByText('Your turn: check that').waitFor();
    await maker.page.getByRole('link', { name: /^Proof of payment/ }).waitFor();
    expect(await taker.page.getByRole('button', { name: 'Cancel the deal' }).count()).toBe(0);
    expect(await seriousBarriers(maker.page)).toEqual([]);
    await saveScreenshot(maker.page, 'deal-release-desktop', false);
    await confirmAct(maker.page, 'Release the coins', () => maker.page.getByLabel(/^I have seen/).check());
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
