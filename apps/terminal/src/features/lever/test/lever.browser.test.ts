import { readFileSync } from 'node:fs';
import { expect, funded, test, type Person } from '@bourse/web/testing';
import { BASE, callAs, holdSession, visit, waitForPreference, type Looks } from '../../../../test/browser.js';
let session: Person;
test.beforeAll(async () => {
  session = await funded({ lever: { 3: '50000' } });
});

const CENTRE = '/leverdealCenter?legalId=3&currencyId=1';
const PAIR = { legal_id: '3', currency_id: '1' };
const grouped = (text: string): string => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

const call = <M>(path: string, fields: Record<string, string>): Promise<M> => callAs<M>(session, path, fields);
const signedIn = async (looks: Looks = {}) => {
  const visitor = await visit(looks);
  await holdSession(visitor.context, session);
  return visitor;
};

test.describe('the leverage centre', () => {
  test('the ticket shows the fee of a night and counts down to it [LEVERUI-042]', async () => {
    const { page } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    await form.getByRole('textbox', { name: 'Contracts' }).fill('2');
    const night = form.getByRole('definition').filter({ hasText: 'at 00:00 UTC, in' });
    await expect(night).toContainText(/^0\.\d+ USDT/);
    const before = await night.textContent();
    await expect(night).not.toHaveText(before ?? '');
  });

  test('a position is opened, given stops and closed: its row goes at once, with a toast [LEVERUI-021]', async () => {
    const { page, complaints } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    await form.getByLabel('Leverage multiple').selectOption('20');
    await form.getByRole('textbox', { name: 'Contracts' }).fill('2');
    const told = page.waitForResponse((answer) => answer.url().includes('/api/lever/preview'));

    const { message } = (await (await told).json()) as { message: { caution_money: string } };
    const margin = message.caution_money.replace(/\.?0+$/, '');
    await form.getByText(`${grouped(margin)} USDT`, { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Open long' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    // After a market order: the positions of the pair (api §5).
    await page.waitForURL((url) => url.pathname === '/leverTransactions');
    // The centre, which lists the position too, is shown until the code of this screen is there: a box that is opened
    // on it goes with it.
    await page.getByRole('heading', { level: 1, name: 'Open positions', exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Long 20×' }).first();
    await row.getByRole('button', { name: 'Stops of the position in BTC/USDT' }).click();
    const box = page.getByRole('dialog');
    const target = box.getByLabel('Take profit', { exact: true });
    await target.fill('99000');
    await box.getByRole('button', { name: 'Take profit: one step up' }).click();
    expect(await target.inputValue()).toBe('99000.01');
    await box.getByRole('button', { name: 'Confirm' }).click();
    await box.waitFor({ state: 'detached' });
    await row.getByText(/99,000\.01/).waitFor();
    const rows = page.getByRole('button', { name: 'Close the position in BTC/USDT' });
    const before = await rows.count();
    // A press asks: what closes, and what it brings at the mark price. Enter leaves everything as it is.
    const close = row.getByRole('button', { name: 'Close the position in BTC/USDT' });
    await close.click();
    await box.getByText('Expected result').waitFor();
    expect(await box.getByText(/^[+-]?\d+\.\d+ USDT$/).count()).toBe(1);
    await page.keyboard.press('Enter');
    await box.waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(before);
    await close.click();
    await box.getByLabel('Do not ask again before closing a position').check();
    await box.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label="Close the position in BTC/USDT"]').length === count,
      before - 1,
    );
    await page.getByText('Positions close without a question.').waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    // One toast shows its result.
    const messages = page.getByRole('region', { name: 'Messages', exact: true });
    await messages.getByText('Position closed: \u2066BTC/USDT 20×\u2069').waitFor();
    expect(await messages.locator('[data-toast]').filter({ hasText: 'closed' }).count()).toBe(1);
    await page.getByRole('button', { name: /^Notices(,|$)/ }).click();
    await page.getByRole('menuitem', { name: 'See all notices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notices' }).waitFor();
    // On a page that has nothing to do with it, and all that close together as one.
    const short = { legal_id: '3', currency_id: '1', type: '2', status: '1', multiple: '20', share: '1' };
    for (const hands of ['1', '2']) await call('/api/lever/submit', { ...short, share: hands });
    await call('/api/lever/batch_close', { type: '2' });
    await messages.getByText(/^Positions closed: \d+$/).waitFor();
    expect(complaints).toEqual([]);
  });

  test('no header of the open positions wraps at 1440 px, in English and German [LEVERUI-049]', async () => {
    await call('/api/lever/submit', { ...PAIR, type: '1', status: '1', multiple: '20', share: '2' });
    for (const locale of ['en', 'de']) {
      const { page } = await signedIn({ locale });
      await page.goto(`${BASE}${CENTRE}`);
      const row = page.getByRole('row').filter({ hasText: 'Long 20×' });
      await row.waitFor();
      const heights = await page
        .getByRole('table')
        .filter({ has: row })
        .getByRole('row')
        .evaluateAll((rows) => rows.slice(0, 2).map((each) => each.getBoundingClientRect().height));
      // Both have two lines.
      expect(heights[0]).toBeLessThanOrEqual(heights[1] ?? 0);
    }
    await call('/api/lever/batch_close', { type: '0' });
  });

  test('positions of all pairs of the quote are listed, or of the chosen pair alone [LEVERUI-050]', async () => {
    const { page } = await signedIn();
    await call('/api/lever/submit', { ...PAIR, type: '1', status: '1', multiple: '20', share: '2' });
    await call('/api/lever/submit', { ...PAIR, currency_id: '2', type: '1', status: '1', multiple: '20', share: '2' });
    await page.goto(`${BASE}${CENTRE}`);
    const table = page.getByRole('region', { name: 'Open positions' });
    await table.getByRole('link', { name: 'ETH/USDT' }).waitFor();
    await page.getByRole('tab', { name: 'Open positions (2)' }).waitFor();
    await page.getByLabel('This pair only').check();
    await page.getByRole('tab', { name: 'Open positions (1)' }).waitFor();
    await expect(table.getByRole('link')).toHaveText(['BTC/USDT']);
    await call('/api/lever/batch_close', { type: '0' });
  });

  test('the details of a closed position are saved as a picture without amounts [LEVERUI-055]', async () => {
    const own = { legal_id: '3', currency_id: '2', type: '1', multiple: '20', share: '2' };
    await call('/api/lever/submit', { ...own, status: '1' });
    await call('/api/lever/batch_close', { type: '0' });
    const { page, complaints } = await signedIn();
    await page.goto(`${BASE}/leverList`);
    await page.getByRole('tab', { name: 'Closed' }).click();
    await page.getByRole('link', { name: 'ETH/USDT' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Position details' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as picture' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^ETH-USDT \d+\.png$/);
    const picture = readFileSync(await file.path());
    // A PNG of 1440 × 800 pixels.
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1440, 800]);
    expect(complaints).toEqual([]);
  });

  test('the balance of the desk follows its push, without another read of the positions [LEVERUI-051]', async () => {
    const { page } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    const balance = page.getByText('Leverage balance', { exact: true }).locator('xpath=following-sibling::*');
    await expect(balance).toHaveText(/^[\d,]+\.\d{8} USDT$/);
    const before = BigInt((await balance.textContent())!.replace(/\D/g, ''));
    // Of one quote, the total is the figure beside it.
    await expect(page.getByText('Profit and loss', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('Total profit and loss')).toHaveCount(0);
    await page.route('**/api/lever/{my_trade,deal}*', (route) => route.abort());
    await call('/api/wallet/change', { type: '4', currency_id: '3', number: '100' });
    await expect
      .poll(async () => before - BigInt((await balance.textContent())!.replace(/\D/g, '')))
      .toBe(100n * 10n ** 8n);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    await expect(form.getByText(await balance.innerText(), { exact: true })).toBeVisible();
  });

  test('a position that opens elsewhere comes with its push, without a read of the list [LEVERUI-052]', async () => {
    const { page } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    await expect(page.getByText('Leverage balance', { exact: true })).toBeVisible();
    await page.route('**/api/lever/my_trade*', (route) => route.abort());
    await call('/api/lever/submit', {
      legal_id: '3',
      currency_id: '1',
      type: '1',
      status: '1',
      multiple: '10',
      share: '1',
    });
    await expect(page.getByRole('row').filter({ hasText: 'Long 10×' })).toHaveCount(1);
    await call('/api/lever/batch_close', { type: '0' });
    await expect(page.getByRole('row').filter({ hasText: 'Long 10×' })).toHaveCount(0);
  });

  test('"Close all" of this pair closes no position of another pair, and names the pair [LEVERUI-053]', async () => {
    const { page } = await signedIn();
    for (const currency_id of ['1', '2'])
      await call('/api/lever/submit', {
        legal_id: '3',
        currency_id,
        type: '1',
        status: '1',
        multiple: '10',
        share: '1',
      });
    await page.goto(`${BASE}${CENTRE}`);
    const rows = page.getByRole('row').filter({ hasText: 'Long 10×' });
    await expect(rows).toHaveCount(2);
    await page.getByLabel('This pair only').check();
    await expect(rows).toHaveCount(1);
    await page.getByRole('button', { name: 'Close all' }).click();
    const question = page.getByRole('dialog');
    await expect(question.getByText('BTC/USDT', { exact: true })).toBeVisible();
    await question.getByRole('button', { name: 'Close all' }).click();
    await expect(rows).toHaveCount(0);
    await page.getByLabel('This pair only').uncheck();
    await expect(rows).toHaveCount(1);
    await expect(rows.getByText('ETH/USDT')).toBeVisible();
    await call('/api/lever/batch_close', { type: '0' });
  });

  test('the keys of the sides turn the ticket and keep what is typed [LEVERUI-054]', async () => {
    const { page } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    const size = form.getByLabel('Contracts', { exact: true });
    await size.fill('3');
    const isChosen = (name: string) => expect(form.getByRole('tab', { name, selected: true })).toBeVisible();
    await size.blur();
    for (const [key, name] of [
      ['b', 'Long'],
      ['s', 'Short'],
    ] as const) {
      await page.keyboard.press(key);
      await isChosen(name);
      await expect(size).toHaveValue('3');
    }
    await form.getByRole('tab', { name: 'Long' }).click();
    await form.getByRole('tab', { name: 'Long' }).blur();
    await page.keyboard.press('s');
    await isChosen('Short');
  });

  test('a part closes and the rest stays in its row; a button or a number sets its size [LEVERUI-027]', async () => {
    const { page, complaints } = await signedIn();
    const fields = { legal_id: '3', currency_id: '1', type: '1', status: '1', multiple: '10', share: '4' };
    await call('/api/lever/submit', fields);
    await page.goto(`${BASE}/leverTransactions?legalId=3&currencyId=1`);
    const row = page.getByRole('row').filter({ hasText: 'Long 10×' }).first();
    await row.getByRole('button', { name: 'Close the position in BTC/USDT' }).click();
    const box = page.getByRole('dialog');
    const contracts = box.getByLabel('Contracts to close');
    const confirm = box.getByRole('button', { name: 'Close', exact: true }).last();
    expect(await contracts.inputValue()).toBe('4');
    await contracts.fill('5');
    await box.getByText('At most 4 contracts').waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await box.getByRole('button', { name: '25 %' }).click();
    expect(await contracts.inputValue()).toBe('1');
    await box.getByText('1 / 4 · 0.01 BTC').waitFor();
    await confirm.click();
    await box.waitFor({ state: 'detached' });
    await row.getByText('0.03', { exact: false }).first().waitFor();
    await call('/api/lever/batch_close', { type: '0' });
    expect(complaints).toEqual([]);
  });

  test('a position is reversed: it closes and the opposite opens with the same contracts [LEVERUI-047]', async () => {
    const { page, complaints } = await signedIn();
    await call('/api/lever/submit', { ...PAIR, type: '1', status: '1', multiple: '50', share: '3' });
    await page.goto(`${BASE}/leverTransactions?legalId=3&currencyId=1`);
    const long = page.getByRole('row').filter({ hasText: 'Long 50×' });
    await long.getByRole('button', { name: 'Reverse the position in BTC/USDT' }).click();
    const box = page.getByRole('dialog');
    await box.getByText('Short 50× · 0.03 BTC').waitFor();
    await box.getByRole('button', { name: 'Reverse', exact: true }).click();
    await box.waitFor({ state: 'detached' });
    const short = page.getByRole('row').filter({ hasText: 'Short 50×' });
    await short.getByText('0.03 BTC').waitFor();
    await expect(long).toHaveCount(0);
    await call('/api/lever/batch_close', { type: '0' });
    expect(complaints).toEqual([]);
  });

  test('a refused opposite leaves the position closed, is named, and opens with a retry [LEVERUI-047]', async () => {
    const { page } = await signedIn();
    await call('/api/lever/submit', { ...PAIR, type: '2', status: '1', multiple: '50', share: '1' });
    await page.goto(`${BASE}/leverTransactions?legalId=3&currencyId=1`);
    await page.getByRole('button', { name: 'Reverse the position in BTC/USDT' }).click();
    const submit = '**/api/lever/submit*';
    const refusal = { type: 'error', key: 'lever.houseLimit', message: 'House limit reached', request_id: 'r' };
    await page.route(submit, (route) => route.fulfill({ json: refusal }));
    const box = page.getByRole('dialog');
    await box.getByRole('button', { name: 'Reverse', exact: true }).click();
    await box.getByText('The position is closed. The opposite has not opened: House limit reached').waitFor();
    const { order } = await call<{ order: { total: number } }>('/api/lever/my_trade', { status: '1' });
    expect(order.total).toBe(0);
    await page.unroute(submit);
    await box.getByRole('button', { name: 'Try again' }).click();
    await box.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Long 50×' }).waitFor();
    await call('/api/lever/batch_close', { type: '0' });
  });

  test('an opposite that the account cannot pay is refused before anything closes [LEVERUI-047]', async () => {
    const { page } = await signedIn();
    await call('/api/lever/submit', { ...PAIR, type: '1', status: '1', multiple: '20', share: '1' });
    await page.route('**/api/lever/deal*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { message: object };
      await route.fulfill({
        json: { ...answer, message: { ...answer.message, lever_share_limit: { min: 5, max: 9 } } },
      });
    });
    await page.goto(`${BASE}/leverTransactions?legalId=3&currencyId=1`);
    await page.getByRole('button', { name: 'Reverse the position in BTC/USDT' }).click();
    const box = page.getByRole('dialog');
    await box.getByText('The opposite would be refused: At least 5 contracts').waitFor();
    expect(await box.getByRole('button', { name: 'Reverse', exact: true }).isDisabled()).toBe(true);
    await call('/api/lever/batch_close', { type: '0' });
  });

  test('a size in the quote is rounded down to contracts, and its unit is kept [LEVERUI-048]', async () => {
    const { page, complaints } = await signedIn();
    await page.goto(`${BASE}${CENTRE}`);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    await form.getByRole('tab', { name: 'Limit' }).click();
    await form.getByLabel('Price', { exact: true }).fill('20000');
    await form.getByLabel('Unit of the size').selectOption({ label: 'USDT' });
    const size = form.getByRole('textbox', { name: 'Size' });
    // With the spread of 0.1 % a contract of 0.01 BTC is worth 200.20 USDT.
    await size.fill('100');
    await form.getByRole('button', { name: 'Open long' }).click();
    await form.getByText('Less than one contract: 200.2').waitFor();
    await size.fill('800');
    await form.getByText('Contracts: 3 · 0.03 BTC').waitFor();
    await form.getByText('(rounded down to whole contracts)').waitFor();
    await form.getByLabel('Unit of the size').selectOption({ label: 'BTC' });
    await expect(size).toHaveValue('0.03');
    await size.fill('0.059');
    await form.getByText('Contracts: 5 · 0.05 BTC').waitFor();
    await waitForPreference(page, 'lever.sizeUnit');
    await page.reload();
    await expect(form.getByLabel('Unit of the size')).toHaveValue('base');
    await form.getByLabel('Unit of the size').selectOption({ label: 'Contracts' });
    await form.getByRole('textbox', { name: 'Contracts' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a transfer shows the liquidation price of each position before and after it [LEVERUI-046]', async () => {
    const { page } = await signedIn();
    await call('/api/lever/submit', { ...PAIR, type: '2', status: '1', multiple: '20', share: '10' });
    await page.goto(`${BASE}/leverTransactions?legalId=3&currencyId=1`);
    await page.getByRole('button', { name: 'Transfer', exact: true }).click();
    const box = page.getByRole('dialog');
    await box.getByLabel('Amount').fill('1000');
    const figures = await box.getByRole('definition').filter({ hasText: '→' }).first().textContent();
    const [before = 0, after = 0] = (figures ?? '').split('→').map((text) => Number(text.replace(/[^\d.]/g, '')));
    // 1,000 USDT over 0.1 BTC are 10,000.
    expect(Math.abs(after - before - 10_000)).toBeLessThan(0.02);
    await call('/api/lever/batch_close', { type: '0' });
  });

  test('an entrust at a price leads to the list of orders, and is revoked there [LEVERUI-022]', async () => {
    const { page } = await signedIn();
    // The button waits for the terms of the account: a press before them would be refused.
    await page.route(
      '**/api/lever/deal*',
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      },
      { times: 1 },
    );
    await page.goto(`${BASE}${CENTRE}`);
    const form = page.getByRole('form', { name: 'Leverage order in BTC/USDT' });
    await form.getByRole('tab', { name: 'Limit' }).click();
    await form.getByLabel('Price', { exact: true }).fill('20000');
    await form.getByRole('textbox', { name: 'Contracts' }).fill('1');
    await form.getByRole('button', { name: 'Open long' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL((url) => url.pathname === '/leverList');
    await page.getByRole('heading', { level: 1, name: 'Leverage orders' }).waitFor();
    const cancel = page.getByRole('button', { name: 'Cancel order in BTC/USDT' });
    await cancel.first().waitFor();
    const before = await cancel.count();
    await cancel.first().click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label="Cancel order in BTC/USDT"]').length === count,
      before - 1,
    );
  });
});
