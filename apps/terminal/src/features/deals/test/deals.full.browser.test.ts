import { readFileSync } from 'node:fs';
import { expect, FUND, merchant, type Person, saveScreenshot, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, visit, visitAs, type Session, type Visitor } from '../../../../test/browser.js';
import { confirmAct, publishAd, takeAd } from './deal-acts.js';

let advertiser: Person;
let customer: Person;
let otherCustomer: Person;
test.beforeAll(async () => {
  advertiser = await merchant({ legal: { 3: '1000' } });
  customer = await merchant({ legal: { 3: '1000' } });
  otherCustomer = await merchant({ legal: { 3: '1000' } });
});
/** A recorder of a page: the tones that began, and whether the page is hidden. */
interface Listening {
  tones: number;
  away: boolean;
}
/** A person whose page counts its tones, and who may look elsewhere. */
async function listening(session: Session, path: string): Promise<Visitor> {
  const visitor = await visit();
  await holdSession(visitor.context, session);
  await visitor.context.addInitScript(() => {
    const heard = window as unknown as Listening;
    Object.assign(heard, { tones: 0, away: false });
    class Counting {
      state = 'running';
      currentTime = 0;
      destination = {};
      createOscillator = () => ({
        frequency: { value: 0 },
        connect: (next: unknown) => next,
        start: () => (heard.tones += 1),
        stop: () => undefined,
      });
      createGain = () => ({
        gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
        connect: (next: unknown) => next,
      });
    }
    Object.assign(window, { AudioContext: Counting });
    Object.defineProperty(document, 'hidden', { get: () => heard.away });
  });
  await visitor.page.goto(`${BASE}${path}`);
  return visitor;
}
const tones = (): number => (window as unknown as Listening).tones;
const away = (isAway: boolean): void => {
  (window as unknown as Listening).away = isAway;
  document.dispatchEvent(new Event('visibilitychange'));
};
async function call(token: string, path: string, fields: Record<string, string>): Promise<void> {
  const answer = await fetch(`${BASE}${path}`, {
    method: 'POST',
    headers: { authorization: token },
    body: new URLSearchParams(fields),
  });
  expect(await answer.json()).toMatchObject({ type: 'ok' });
}

test.describe('deals between people', () => {
  test('a deal is cancelled with its warning, and the ad has its coins again [TERM-C2C-041]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease', { theme: 'white' });
    await publishAd(maker.page, '50', '6.32');
    const taker = await visitAs(otherCustomer, '/c2cTrade', { theme: 'white' });
    await takeAd(taker.page, '6.32', '20');
    await taker.page.getByText('Your turn: pay').waitFor();
    await confirmAct(taker.page, 'Cancel the deal', async () => {
      await taker.page.getByRole('dialog').getByText('Not after you have paid').waitFor();
      await taker.page.getByText('Three cancels a day close C2C').waitFor();
    });
    await taker.page.getByText('Cancelled').first().waitFor();
    await taker.page.goto(`${BASE}/c2cTrade`);
    await taker.page.getByRole('row').filter({ hasText: '6.32' }).getByText('50 USDT').first().waitFor();
    expect([maker.complaints, taker.complaints]).toEqual([[], []]);
  });

  test('an appeal is opened with its reason, answered with evidence, kept, and withdrawn [TERM-C2C-042]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease');
    await publishAd(maker.page, '30', '6.33');
    const taker = await visitAs(otherCustomer, '/c2cTrade');
    const id = await takeAd(taker.page, '6.33', '30');
    await confirmAct(taker.page, 'Paid');
    await taker.page.getByRole('button', { name: 'Open an appeal' }).click();
    const dialog = taker.page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('too short');
    await dialog.getByRole('button', { name: 'Open an appeal' }).click();
    await dialog.getByText('Please write at least 10 characters').waitFor();
    await dialog.getByLabel('Reason').fill('I have paid an hour ago, and nobody answers.');
    await dialog.getByRole('button', { name: 'Open an appeal' }).click();
    await taker.page.getByText('Decision due in').waitFor();
    expect(await seriousBarriers(taker.page)).toEqual([]);

    await maker.page.goto(`${BASE}/c2cDetail?id=${id}`);
    await maker.page.getByText('I have paid an hour ago').waitFor();
    expect(await maker.page.getByRole('button', { name: 'Release the coins' }).count()).toBe(0);
    await maker.page.getByRole('button', { name: 'Add evidence' }).click();
    await maker.page.getByRole('dialog').getByLabel('What it shows').fill('Nothing has arrived in my account.');
    await maker.page.getByRole('dialog').getByRole('button', { name: 'Add evidence' }).click();
    await maker.page.getByRole('dialog').waitFor({ state: 'detached' });
    await maker.page.getByText('Nothing has arrived in my account.').waitFor();
    await saveScreenshot(maker.page, 'appeal-desktop', false);
    const saving = maker.page.waitForEvent('download');
    await maker.page.getByRole('button', { name: 'Download transcript' }).click();
    expect(readFileSync(await (await saving).path(), 'utf8')).toContain('I have paid an hour ago');

    await taker.page.getByRole('button', { name: 'Withdraw the appeal' }).click();
    await taker.page.getByRole('dialog').getByRole('button', { name: 'Withdraw the appeal' }).click();
    await maker.page.getByText('Your turn: check that').waitFor();
    await confirmAct(maker.page, 'Release the coins', () => maker.page.getByLabel(/^I have seen/).check());
    await taker.page.getByText('Completed').first().waitFor();
    expect([maker.complaints, taker.complaints]).toEqual([[], []]);
  });

  test('a buy ad: its taker sells, its owner pays, and sold out it disappears [TERM-C2C-043]', async () => {
    const owner = await visitAs(advertiser, '/c2cRelease');
    await publishAd(owner.page, '25', '6.41', { does: 'Buy' });
    const seller = await visitAs(customer, '/c2cTrade?side=sell', { width: 390, height: 844 });
    const id = await takeAd(seller.page, '6.41', '25', 'Sell');
    await seller.page.getByText('The buyer’s turn').waitFor();
    await owner.page.goto(`${BASE}/c2cDetail?id=${id}`);
    await owner.page.getByText('Your turn: pay').waitFor();
    await owner.page.getByText('160.25 CNY').first().waitFor();
    await confirmAct(owner.page, 'Paid');
    await seller.page.getByText('Your turn: check that').waitFor();
    await confirmAct(seller.page, 'Release the coins', () => seller.page.getByLabel(/^I have seen/).check());
    for (const { page } of [seller, owner]) await page.getByText('Completed').first().waitFor();
    const market = await fetch(`${BASE}/api/c2c_deal_platform?type=buy&currency_id=3`);
    const { message } = (await market.json()) as { message: { data: readonly { price: string }[] } };
    expect(message.data.filter(({ price }) => price === '6.41')).toEqual([]);
    expect([owner.complaints, seller.complaints]).toEqual([[], []]);
  });

  test('a message sounds and is counted in every title until it is seen, or neither [TERM-C2C-032]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease');
    await publishAd(maker.page, '10', '6.43');
    const taker = await listening(customer, '/c2cTrade');
    const { page } = taker;
    await page.getByText('6.43 CNY').first().waitFor();
    const id = await takeAd(page, '6.43', '10');
    await page.getByText('Your turn: pay').waitFor();
    const [own, foreign] = [customer, advertiser];
    const says = async (text: string, { token } = foreign): Promise<void> => {
      await call(token, '/api/c2c/chat', { id, text });
      await page.getByText(text).first().waitFor();
    };
    await says('This is mine.', own);
    expect(await page.evaluate(tones)).toBe(0);
    await says('Have you paid?');
    await page.waitForFunction(() => (window as unknown as Listening).tones === 2);
    expect(await page.title()).not.toContain('(');

    await page.evaluate(away, true);
    await says('Are you there?');
    await page.waitForFunction(() => document.title.startsWith('(1) '));
    // Every page that names itself keeps the number: also the one whose title is a price, and the one after it.
    await page.getByRole('link', { name: 'Spot', exact: true }).first().click();
    await page.waitForURL(/dealCenter/);
    await page.waitForFunction(() => /^\(1\) [\d,.]+ /.test(document.title));
    await says('Hello?');
    await page.waitForFunction(() => /^\(2\) [\d,.]+ /.test(document.title));
    await page.goBack();
    await page.waitForFunction(() => /^\(2\) [^\d]/.test(document.title));
    await page.evaluate(away, false);
    await page.waitForFunction(() => !document.title.includes('('));
    expect(await page.evaluate(tones)).toBe(6);

    await page.getByRole('switch', { name: 'Sound and mark in the title' }).click();
    await page.evaluate(away, true);
    await says('Nobody hears this.');
    expect([await page.evaluate(tones), await page.title()]).toEqual([6, expect.not.stringContaining('(')]);
    await call(own.token, '/api/c2c/user_legal_pay_cancel', { id, password: FUND });
    expect([maker.complaints, taker.complaints]).toEqual([[], []]);
  });

  test('markup in a message is words, in every theme and direction of the page [TERM-C2C-045]', async () => {
    const maker = await visitAs(advertiser, '/c2cRelease');
    await publishAd(maker.page, '15', '6.44');
    const taker = await visitAs(otherCustomer, '/c2cTrade', { theme: 'white' });
    const id = await takeAd(taker.page, '6.44', '15');
    await taker.page.getByText('Your turn: pay').waitFor();
    const [own, foreign] = [otherCustomer, advertiser];
    const run = "document.title = 'taken'; window.taken = true";
    const lines = [`<img src="x:" onerror="${run}">`, `<b>bold</b><script>${run}</script>`, '[a](javascript:alert(1))'];
    for (const text of lines) await call(foreign.token, '/api/c2c/chat', { id, text });
    const reads = async ({ page }: Visitor): Promise<void> => {
      const log = page.getByRole('log');
      for (const text of lines) await log.getByText(text, { exact: true }).waitFor();
      expect(await log.locator('b, script, img, a').count()).toBe(0);
      expect([await page.title(), await page.evaluate(() => 'taken' in window)]).toEqual([
        expect.not.stringContaining('taken'),
        false,
      ]);
      expect(await seriousBarriers(page)).toEqual([]);
    };
    await reads(taker);
    const arabic = await visitAs(otherCustomer, `/c2cDetail?id=${id}`, { theme: 'white', locale: 'ar' });
    await arabic.page.locator('html[dir=rtl]').waitFor();
    await reads(arabic);
    const seller = await visitAs(advertiser, `/c2cDetail?id=${id}`, { locale: 'ar' });
    await reads(seller);
    await call(own.token, '/api/c2c/user_legal_pay_cancel', { id, password: FUND });
    for (const { complaints, context } of [maker, taker, arabic, seller]) {
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});
