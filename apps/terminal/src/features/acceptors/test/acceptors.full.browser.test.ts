import { mkdirSync } from 'node:fs';
import { expect, fitsWidth, screenBarriers, seriousBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, demoSession, visit, type Looks } from '../../../../test/browser.js';
import { stubAcceptors } from './stubs.js';

const SCREEN = '/account/aceite';
const PHONE = { width: 390, height: 844 };
let customer: { token: string; id: number };
let acceptor: { token: string; id: number };
test.beforeAll(async () => {
  [customer, acceptor] = await Promise.all([demoSession('trader3@demo.bourse'), demoSession('acceptor@demo.bourse')]);
});

/** A person at the screen whose acceptors are stubbed. */
async function at(session: typeof customer, looks: Looks = {}) {
  const visitor = await visit(looks);
  await holdSession(visitor.context, session);
  const stubs = await stubAcceptors(visitor.page);
  await visitor.page.goto(`${BASE}${SCREEN}`);
  return { ...visitor, stubs };
}

test.describe('a customer', () => {
  test('sees quotas and rates, and the result of an order before it is sent [ACCUI-020]', async () => {
    const { page, complaints, stubs } = await at(customer);
    await page.getByRole('button', { name: 'Deposit: Pier One' }).click();
    const form = page.getByRole('form', { name: 'Order' });
    await form.getByRole('button', { name: 'Order the deposit' }).click();
    for (const fault of ['Enter a mobile number', 'Enter an account', 'Enter an amount', 'Choose a payment method'])
      await form.getByText(fault).waitFor();
    await form.getByLabel('Pay (USD)').fill('60000');
    await form.getByText(/More than the acceptor can take now: at most .51,020.40/).waitFor();
    await form.getByLabel('Pay (USD)').fill('100');
    expect(await form.locator('output').textContent()).toBe('98.00');
    await form.getByLabel('Mobile number').fill('13800001111');
    await form.getByLabel('Account you pay from').fill('6217000011112222');
    await form.getByRole('radio', { name: 'Bank' }).check();
    const pay = page.getByRole('region', { name: 'Where to pay after you have ordered' });
    await pay.getByText('6222021001122334455').waitFor();
    expect(await pay.getByRole('img').count()).toBe(0);
    expect(await pay.getByText('pier-one').count()).toBe(0);
    expect(await screenBarriers(page)).toEqual([]);
    stubs.refuseNext = { key: 'acceptor.quota', message: 'The acceptor can take at most 51,020.40 now' };
    await form.getByRole('button', { name: 'Order the deposit' }).click();
    await form.getByText('The acceptor can take at most 51,020.40 now').waitFor();
    await form.getByRole('button', { name: 'Order the deposit' }).click();
    await page.getByRole('tab', { name: 'My deals', selected: true }).waitFor();
    expect(stubs.posted.at(-1)).toEqual({
      path: 'deal',
      fields: {
        acceptor_id: '1',
        type: 'buy',
        mobile: '13800001111',
        deal_account: '6217000011112222',
        money: '100',
        // What the form has shown: at other rates the order is refused.
        receive_money: '98.00000000',
        way: 'bank',
      },
    });
    expect(complaints).toEqual([]);
  });

  test('withdraws with the fund password, never more than is there [ACCUI-021]', async () => {
    const { page, stubs } = await at(customer);
    await page.getByRole('button', { name: 'Withdraw: Pier One' }).click();
    const form = page.getByRole('form', { name: 'Order' });
    await form.getByLabel('Mobile number').fill('13800001111');
    await form.getByLabel('Account to be paid').fill('6217');
    await form.getByLabel('Give (USDT)').fill('45000');
    await form.getByRole('radio', { name: 'WeChat' }).check();
    await form.getByRole('button', { name: 'Order the withdrawal' }).click();
    await form.getByText(/More than is there: at most/).waitFor();
    await form.getByText('The fund password is exactly 6 letters or digits').waitFor();
    await form.getByLabel('Give (USDT)').fill('50');
    expect(await form.locator('output').textContent()).toBe('49.00');
    await form.getByLabel('Fund password').fill('fund66');
    await form.getByRole('button', { name: 'Order the withdrawal' }).click();
    await page.getByRole('tab', { name: 'My deals', selected: true }).waitFor();
    expect(stubs.posted.at(-1)?.fields).toMatchObject({
      type: 'sell',
      money: '50',
      password: 'fund66',
      way: 'we_chat',
    });
  });

  test('reads the party to act, confirms, objects with a reason, and cancels [ACCUI-022] [COMPLAINT-023]', async () => {
    const { page, complaints, stubs } = await at(customer);
    await page.getByRole('tab', { name: 'My deals' }).click();
    const rows = page.getByRole('list', { name: 'My deals' }).getByRole('listitem');
    await rows.nth(4).waitFor();
    expect(await rows.count()).toBe(5);
    await page.getByRole('button', { name: 'Show 1 more' }).click();
    await page.getByText('No payment arrived').waitFor();
    expect(await rows.count()).toBe(6);
    await rows
      .first()
      .getByText(/Your turn: pay .100.00. in fiat to .Pier One/)
      .waitFor();
    await rows.first().getByRole('timer').waitFor();
    expect(await rows.nth(3).getByRole('timer').count()).toBe(0);
    // Support knows by the link which deal is meant.
    expect(await rows.nth(1).getByRole('link', { name: 'Complain' }).getAttribute('href')).toMatch(
      /\/complaints\?kind=(deposit|withdrawal)&about=9002$/,
    );
    expect(await screenBarriers(page)).toEqual([]);
    await rows.nth(1).getByRole('button', { name: 'Object' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Object' }).click();
    await dialog.getByText('Enter a reason').waitFor();
    expect(await seriousBarriers(page, { within: 'dialog' })).toEqual([]);
    await dialog.getByLabel('Reason').fill('Nothing came');
    await dialog.getByRole('button', { name: 'Object' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)).toEqual({ path: 'user_object', fields: { id: '9002', reason: 'Nothing came' } });
    for (const [at, name, path] of [
      [1, 'Money has arrived', 'user_confirm'],
      [2, 'Cancel order', 'user_cancel'],
    ] as const) {
      await rows.nth(at).getByRole('button', { name }).click();
      await page.getByRole('dialog').getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(stubs.posted.at(-1)?.path).toBe(path);
    }
    await page.getByLabel('Kind').selectOption('Withdrawal');
    await page.waitForFunction(() => document.querySelectorAll('ul[aria-label="My deals"] > li').length === 3);
    expect(complaints).toEqual([]);
  });

  test('has no desk [ACCUI-023]', async () => {
    const { page } = await at(customer);
    await page.goto(`${BASE}/aceite?tab=desk`);
    await page.getByRole('cell', { name: 'Pier One', exact: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Acceptor desk' }).count()).toBe(0);
  });
});

test.describe('an acceptor', () => {
  test('confirms, rejects with a reason, and shows that it has transferred [ACCUI-024]', async () => {
    const { page, complaints, stubs } = await at(acceptor);
    await page.getByRole('tab', { name: 'Acceptor desk' }).click();
    const rows = page.getByRole('list', { name: 'Orders' }).getByRole('listitem');
    await rows
      .first()
      .getByText(/Your turn: confirm when .100.00. in fiat have arrived/)
      .waitFor();
    expect(await screenBarriers(page)).toEqual([]);
    const dialog = page.getByRole('dialog');
    await rows.first().getByRole('button', { name: 'Money has arrived' }).click();
    await dialog.getByRole('button', { name: 'Money has arrived' }).click();
    await dialog.getByText('The fund password is exactly 6 letters or digits').waitFor();
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Money has arrived' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)).toEqual({ path: 'confirm', fields: { id: '9001', password: 'fund66' } });
    await rows.first().getByRole('button', { name: 'Reject' }).click();
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText('Enter a reason').waitFor();
    await dialog.getByLabel('Reason').fill('Nothing came');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)?.fields).toEqual({ id: '9001', password: 'fund66', reason: 'Nothing came' });
    await rows.nth(2).getByRole('button', { name: 'I have transferred' }).click();
    await dialog.getByRole('button', { name: 'I have transferred' }).click();
    await dialog.getByText('Choose an image').waitFor();
    expect(await seriousBarriers(page, { within: 'dialog' })).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('sets rates within their bounds and moves own coins up to the balance [ACCUI-025]', async () => {
    const { page, stubs } = await at(acceptor);
    await page.getByRole('tab', { name: 'Acceptor desk' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Rates' }).click();
    await dialog.getByLabel('Deposit').fill('20.1');
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('0 to 20 percent').waitFor();
    await dialog.getByLabel('Deposit').fill('1.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)).toEqual({
      path: 'rates',
      fields: { recharge_rate: '1.5', cash_rate: '2', password: 'fund66' },
    });
    await page.getByRole('button', { name: 'Post coins' }).click();
    await dialog.getByLabel('Amount (USDT)').fill('1000.5');
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Post coins' }).click();
    await dialog.getByText(/More than is there: at most .1,000.00/).waitFor();
    await dialog.getByLabel('Amount (USDT)').fill('1000');
    await dialog.getByRole('button', { name: 'Post coins' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)?.fields).toEqual({ direction: 'in', number: '1000', password: 'fund66' });
    await page.getByRole('button', { name: 'Payment accounts' }).click();
    await dialog.getByLabel('Bank name').fill('Quay Bank');
    await dialog.getByLabel('Fund password').fill('fund66');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(stubs.posted.at(-1)?.fields).toMatchObject({ bank_name: 'Quay Bank', wechat_account: 'pier-one' });
  });
});

for (const { theme, locale } of [
  { theme: 'dark', locale: 'en' },
  { theme: 'white', locale: 'ar' },
] as const)
  test.describe(`in ${theme} and ${locale}`, () => {
    test('the three views have no serious barrier and fit a phone [ACCUI-026]', async () => {
      const { page, context } = await at(acceptor, { theme, locale });
      const shots = process.env['SHOTS'];
      if (shots) mkdirSync(shots, { recursive: true });
      for (const view of ['list', 'order', 'mine', 'desk'] as const) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`${BASE}${SCREEN}${view === 'mine' || view === 'desk' ? `?tab=${view}` : ''}`);
        if (view === 'order') await page.getByRole('row').nth(1).getByRole('button').first().click();
        await page.locator('main').getByText('Pier One').first().waitFor();
        expect([view, await screenBarriers(page)]).toEqual([view, []]);
        if (shots) await page.screenshot({ path: `${shots}/${theme}-${view}.png`, fullPage: true });
        await page.setViewportSize(PHONE);
        expect([view, await fitsWidth(page)]).toEqual([view, true]);
        if (shots) await page.screenshot({ path: `${shots}/${theme}-${view}-phone.png`, fullPage: true });
      }
      await context.close();
    });
  });
