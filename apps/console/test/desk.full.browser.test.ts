import { randomBytes, randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  BASE,
  call,
  demoSession,
  expect,
  FUND,
  merchant,
  newcomer,
  operatorToken,
  type Person,
  PIXEL,
  read,
  saveScreenshot,
  test,
  upload,
} from '@bourse/web/testing';
import { barriers, CONSOLE, operatorAt, personAt, REASON } from './visitors.js';

// The people's side of the console, with people and operators who do it at once.

/** Somebody whose papers wait for support. */
async function applicant(name: string): Promise<Person> {
  const person = await newcomer();
  const [front_pic, reverse_pic] = [await upload(person.token, 'kyc'), await upload(person.token, 'kyc')];
  await call('/api/user/real_name', { name, card_id: `P${randomInt(1e8, 1e9)}`, front_pic, reverse_pic }, person.token);
  return person;
}

/** Gives the reason that every act asks for, and does it. */
async function confirm(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Reason/).fill(REASON);
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
}
test.describe('the people’s side of the console', () => {
  test('identity documents are enlarged and approved by keyboard; the person is certified [CONSOLE-120]', async () => {
    const name = `Ada ${randomBytes(3).toString('hex')}`;
    const person = await applicant(name);
    const page = await operatorAt('support1', `/kyc?user=${person.id}`);
    await page.getByRole('heading', { name }).waitFor();
    const front = page.getByRole('img', { name: 'Front' });
    await front.waitFor();
    // The picture is shown before its bytes have arrived.
    await expect.poll(() => front.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await page.keyboard.press('+');
    await page.keyboard.press(']');
    expect(await front.getAttribute('data-zoom')).toBe('150');
    expect(await page.getByRole('img', { name: 'Back' }).getAttribute('data-turn')).toBe('90');
    await saveScreenshot(page, 'kyc');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('p');
    await page.getByRole('dialog').getByText(`Certify ${name}`).waitFor();
    await confirm(page);
    await page.getByRole('heading', { name }).waitFor({ state: 'detached' });
    expect((await read('/api/user/info', person.token)).review_status).toBe(2);
  });

  test('the page of a person links to their papers and to lists filtered by them [CONSOLE-128]', async () => {
    const name = `Ida ${randomBytes(3).toString('hex')}`;
    const person = await applicant(name);
    const page = await operatorAt('operator', `/users/${person.id}`);
    const lists = page.getByRole('navigation', { name: 'Lists of this person' });
    await lists.getByRole('link', { name: 'Identity checks' }).click();
    await page.waitForURL(`**/kyc/${person.id}`);
    // Of the page before, too, is a heading with the name.
    await page.getByRole('img', { name: 'Front' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    for (const [link, path] of [
      ['Deposits', 'deposits'],
      ['Withdrawals', 'withdrawals'],
      ['Appeals', 'appeals'],
    ] as const) {
      await page.goto(`${CONSOLE}/users/${person.id}`);
      const asked = page.waitForRequest((request) => new URL(request.url()).pathname === `/api/admin/${path}`);
      await lists.getByRole('link', { name: link, exact: true }).click();
      expect(new URL((await asked).url()).searchParams.get('user_id')).toBe(String(person.id));
      await page.waitForURL(`**/${path}?user_id=${person.id}`);
      expect(await page.locator('input[name=user_id]').inputValue()).toBe(String(person.id));
    }
  });

  test('one page shows everything about a person, and their list the actions on them [CONSOLE-121]', async () => {
    const person = await newcomer();
    const page = await operatorAt('operator', `/users/${person.id}`);
    await page.getByRole('heading', { name: person.account }).waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('dialog').getByLabel('What is closed').selectOption('withdraw');
    await confirm(page);
    await page.getByText('Frozen: Withdrawals').waitFor();
    await page.getByRole('tabpanel').getByText(REASON).waitFor();
    await saveScreenshot(page, 'person');
    expect(await barriers(page)).toEqual([]);
    const trading = ['Spot orders', 'Leverage', 'Seconds contracts', 'C2C deals', 'Ads', 'Acceptor deals', 'Savings'];
    for (const tab of [...trading, 'Deposits', 'Points exchanged', 'Rebates']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').getByText('There is nothing here.').waitFor();
    }
  });

  test('two operators decide an appeal above the amount, and see each other’s proposal [CONSOLE-122]', async () => {
    // An amount that one operator may not decide about alone.
    const [{ token: owner }, { token: taker }] = [
      await merchant({ legal: { 3: '10100' } }),
      await merchant({ legal: { 3: '100' } }),
    ];
    const { id: ad } = await call(
      '/api/c2c_send',
      {
        ...{ total_number: 10_001, price: '6.50', way: 'bank', coin_code: 'CNY', currency_id: 3, type: 'sell' },
        password: FUND,
      },
      owner,
    );
    const { id } = await call('/api/c2c/do_legal_deal', { id: ad as number, password: FUND }, taker);
    const deal = { id: id as string };
    await call('/api/c2c/user_legal_pay', { ...deal, password: FUND }, taker);
    await call('/api/c2c/chat', { ...deal, text: 'Please release the coins' }, taker);
    const evidence = await upload(taker, 'evidence');
    const { appeal } = await call(
      '/api/c2c/appeal',
      { ...deal, reason: 'I have paid and nothing came', evidence },
      taker,
    );
    const path = `/appeals/${(appeal as { id: string }).id}`;

    const one = await operatorAt('finance1', path);
    await one.getByText('Please release the coins').waitFor();
    await one.getByText('I have paid and nothing came').first().waitFor();
    await one
      .getByRole('img', { name: /^Evidence/ })
      .first()
      .waitFor();
    const two = await operatorAt('finance2', path);
    await one.getByRole('button', { name: 'Decide for the buyer' }).click();
    await confirm(one);
    await one.getByText('Your proposal waits').waitFor();
    await saveScreenshot(one, 'appeal');
    expect(await barriers(one)).toEqual([]);
    await two.reload();
    await two.getByText('A second person has to decide').waitFor();
    await two.getByRole('button', { name: 'Decide for the buyer' }).click();
    await confirm(two);
    await two.getByText('Words of the decision').waitFor();
    expect((await read(`/api/c2c_deal?id=${deal.id}`, taker)).is_sure).toBe(1);
  });

  test('a complaint with a picture is answered, and the person reads it [CONSOLE-123]', async () => {
    const person = await newcomer();
    const images = await upload(person.token, 'evidence');
    const subject = `Where is it ${randomBytes(3).toString('hex')}`;
    const fields = { kind: 'deposit', subject, text: 'I sent 100 USDT.', images };
    const { id } = await call('/api/complaint/add', fields, person.token);
    const page = await operatorAt('support1', `/complaints/${String(id)}`);
    await page.getByRole('heading', { name: subject }).waitFor();
    await page.getByRole('img', { name: 'Picture 1' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('dialog').getByLabel('Answer to the person').fill('It has 2 of 6 confirmations.');
    await confirm(page);
    await page.getByText('It has 2 of 6 confirmations.').waitFor();
    await saveScreenshot(page, 'complaint');
    const thread = await read(`/api/complaint/detail?id=${String(id)}`, person.token);
    expect(thread.state).toBe('answered');
    expect(thread.messages?.at(-1)?.text).toBe('It has 2 of 6 confirmations.');
    // The page of the person has this complaint alone.
    await page.getByRole('link', { name: person.account }).click();
    await page.getByRole('tab', { name: 'Complaints' }).click();
    await page.getByRole('tabpanel').getByText(subject).waitFor();
    expect(await page.getByRole('tabpanel').getByRole('row').count()).toBe(2);
  });

  test('news is written in two languages with a cover, and a reader of each reads it [CONSOLE-124]', async () => {
    const mark = randomBytes(3).toString('hex');
    const page = await operatorAt('support1', '/news/new');
    await page.getByLabel('Heading').fill(`Maintenance ${mark}`);
    await page.getByLabel('Text', { exact: true }).fill(`<p>We are back at <strong>noon ${mark}</strong>.</p>`);
    await page.getByLabel('Cover picture').setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('img', { name: 'Cover picture' }).waitFor();
    await page.getByRole('article', { name: 'As readers see it' }).getByText(`noon ${mark}`).waitFor();
    await saveScreenshot(page, 'news');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save this language' }).click();
    await confirm(page);
    await page.waitForURL(/\/news\/\d+/);
    // The address changes before the page does: a language chosen in between is one of the new item.
    await page.getByRole('heading', { name: 'News item' }).waitFor();
    const id = /\/news\/(\d+)/.exec(page.url())?.[1] ?? '';
    await page.getByRole('main').getByLabel('Language', { exact: true }).selectOption('zh');
    await page.getByLabel('Heading').fill(`维护 ${mark}`);
    await page.getByLabel('Text', { exact: true }).fill('<p>中午恢复。</p>');
    await page.getByRole('button', { name: 'Save this language' }).click();
    await confirm(page);
    for (const [locale, heading] of [
      ['en', `Maintenance ${mark}`],
      ['zh', `维护 ${mark}`],
    ] as const) {
      const reader = await personAt(await demoSession('trader3@demo.bourse'), `/noticeDetail?id=${id}`, { locale });
      await reader.getByRole('heading', { name: heading }).waitFor();
    }
    const token = await operatorToken('support1');
    await fetch(`${BASE}/api/admin/news`, {
      method: 'DELETE',
      headers: { authorization: token },
      body: new URLSearchParams({ id, reason: REASON }),
    });
  });

  test('a message to one person is in their box [CONSOLE-125]', async () => {
    const person = await newcomer();
    const page = await operatorAt('support1', `/notices?user=${person.id}`);
    await page.getByLabel('Heading').fill('Your question');
    await page.getByLabel('Text', { exact: true }).fill('First line\n\nSecond & last');
    await page.getByRole('article').getByText('Second & last').waitFor();
    await page.getByRole('button', { name: 'Send the message' }).click();
    await confirm(page);
    const { message } = await call('/api/notice/list', {}, person.token);
    expect((message as { list: { title: string }[] }).list.map(({ title }) => title)).toContain('Your question');
  });
});
