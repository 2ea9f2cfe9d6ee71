import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { EvmNode, runningExchange, until, type RunningExchange } from './running-exchange.js';

/*
 * One person's way through the whole exchange, in the browser, with every service killed on the way: registers, is
 * certified, deposits on a real EVM node and on a simulated chain, trades, withdraws to a bound address, and reads a
 * statement in which every line has its cause.
 */

const PASSWORD = 'Anchor-1357';
const FUND = 'sea789';
const USDT = { id: '3', trc20: '4' };
const ETH = '2';
/** The final address of the coins: an external one, without a key here. */
const OUTSIDE = '0x52908400098527886E0F7030069857D2E4169EE7';
/** 0.05 less 0.1 percent (rules §15). */
const RECEIVED = 49_950_000_000_000_000n;
const account = `journey${Date.now()}@demo.bourse`;

let node: EvmNode;
let exchange: RunningExchange;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  node = await EvmNode.start();
  exchange = await runningExchange(node);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' });
  page = await context.newPage();
  page.setDefaultTimeout(testTimeoutMs(12_000));
  page.on('pageerror', (error) => complaints.push(error.message));
});
test.afterAll(async () => {
  await context?.close();
  await exchange?.end();
  await node?.stop();
});

interface Envelope<T> {
  readonly type: string;
  readonly message: T;
  readonly key?: string;
}
async function call<T>(path: string, fields?: Record<string, string>, token?: string): Promise<T> {
  const headers = { authorization: token ?? (await stored('token')) };
  const response = await fetch(`${exchange.url}${path}`, {
    headers,
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  });
  const body = (await response.json()) as Envelope<T>;
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
const stored = async (name: string): Promise<string> =>
  page.url().startsWith('http') ? String(await page.evaluate(`localStorage.getItem('${name}') ?? ''`)) : '';
const go = (path: string) => page.goto(`${exchange.url}${path}`);

/** The newest code of a kind that went to the person. */
async function newestCode(scene: string, to = account): Promise<string> {
  let code = '';
  await until(async () => {
    const letters = await call<{ code: string }[]>(
      `/dev/inbox?${new URLSearchParams({ scene, limit: '1', ...(to === '' ? {} : { to }) }).toString()}`,
    );
    code = letters[0]?.code ?? '';
    return code !== '';
  }, `a code (${scene})`);
  return code;
}
async function sendCode(scene: string): Promise<void> {
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: /Again in/ }).waitFor();
  await page.getByLabel('Verification code').fill(await newestCode(scene));
}
const row = (text: string) =>
  page
    .getByRole('list', { name: /^(Deposits|Withdrawals)$/ })
    .getByRole('listitem')
    .filter({ hasText: text })
    .first();
const available = async (currency: string): Promise<string> =>
  (await call<{ change_balance: string }>('/api/wallet/get_info', { currency })).change_balance;

/** A step of the journey: a failed step skips the following ones. */
function station(name: string, walk: () => Promise<void>): void {
  test(name, async () => {
    try {
      await walk();
    } catch (error) {
      throw new Error(
        `${(error as Error).message}\non ${page.url()}, which says: ` +
          `${(await page.locator('body').innerText()).slice(0, 600)}`,
        { cause: error },
      );
    }
  });
}

test.describe('from the registration to the statement [JOURNEY-001]', () => {
  station('registers and logs in; auth dies and returns', async () => {
    await go(`/register?haccount=${encodeURIComponent(account)}`);
    await sendCode('register');
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('input[name=re_password]').fill(PASSWORD);
    await page.getByRole('checkbox').check();
    await page.locator('form button[type=submit]').click();
    await page.waitForURL(/\/account\/firstSteps/);
    // The registration has signed the person in: without that session, the login is tried while auth comes back.
    await page.evaluate(() => localStorage.clear());
    await exchange.kill('auth');
    await go('/components/login');
    await page.getByLabel('E-mail address').fill(account);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('form button[type=submit]').click();
    await until(async () => (await stored('token')) !== '', 'a session');
  });

  station('sets the fund password, hands in papers, and is certified; the gateway dies in between', async () => {
    await go('/bindmpwd');
    await page.locator('input[name=password]').fill(FUND);
    await page.locator('input[name=re_password]').fill(FUND);
    await sendCode('fund');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL((url) => !url.pathname.endsWith('/bindmpwd'));

    const photo = { name: 'card.png', mimeType: 'image/png', buffer: await page.screenshot() };
    await go('/authentication');
    await page.getByLabel('Full name').fill('Maria Mar');
    await page.getByLabel('ID number').fill('PT-55-0001');
    await page.locator('input[type=file]').nth(0).setInputFiles(photo);
    await page.locator('input[type=file]').nth(1).setInputFiles(photo);
    await page.getByText('Uploaded').nth(1).waitFor();
    await page.getByRole('button', { name: 'Send for review' }).click();
    await page.getByText('Under review').waitFor();
    await exchange.kill('gateway');
    const operator = await call<string>('/api/admin/login', { username: 'support1', password: 'Harbor-2468' }, '');
    await call(
      '/api/admin/kyc/decide',
      { user_id: await stored('user_id'), pass: '1', reason: 'Papers are in order' },
      operator,
    );
    await go('/authentication');
    await page.getByText('Certified', { exact: true }).waitFor();
  });

  station('deposits on the EVM node; the ledger dies before it is confirmed, and it is credited once', async () => {
    await go(`/rechargeMoney?id=${ETH}&current=ETH`);
    const address = await call<string>('/api/wallet/get_in_address', { currency: ETH });
    await page.getByText(address, { exact: true }).waitFor();
    await node.pay(address, 1_500_000_000_000_000_000n);
    await row('+1.50000000 ETH').waitFor();
    await exchange.kill('wallet-ledger');
    await node.mine(6);
    await go(`/rechargeMoney?id=${ETH}&current=ETH`);
    await row('+1.50000000 ETH')
      .getByText('Credited')
      .waitFor({ timeout: testTimeoutMs(18_000) });
    expect(await available(ETH)).toBe('1.50000000');
  });

  station('deposits on the simulated chain', async () => {
    await go(`/rechargeMoney?id=${USDT.id}&current=USDT`);
    await page.getByText('TRC20', { exact: true }).click();
    const address = await call<string>('/api/wallet/get_in_address', { currency: USDT.id, type: USDT.trc20 });
    await page.getByText(address, { exact: true }).waitFor();
    await call('/dev/chain/deposit', { address, number: '500', currency: USDT.id, type: USDT.trc20 });
    await row('+500.00000000 USDT')
      .getByText('Credited')
      .waitFor({ timeout: testTimeoutMs(18_000) });
    expect(await available(USDT.id)).toBe('500.00000000');
  });

  station('trades; matching, market data and notices die and return', async () => {
    await go('/dealCenter');
    await page.getByRole('tab', { name: 'Buy', exact: true }).first().click();
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const { out } = await call<{ out: { price: string }[] }>('/api/transaction/deal', {
      legal_id: USDT.id,
      currency_id: '1',
    });
    // Without house quotes another user sells; else the best price of the book, or this one, is taken.
    const ask = out[0]?.price ?? '56700.00';
    const seller = await call<string>(
      '/api/user/login',
      { user_string: 'trader1@demo.bourse', password: 'Harbor-2468' },
      '',
    );
    await call(
      '/api/coin/trade',
      { legal_id: USDT.id, currency_id: '1', type: '2', target_price: ask, amount: '0.01' },
      seller,
    );
    await form.getByLabel('Price', { exact: true }).fill(ask);
    await form.getByLabel('Amount', { exact: true }).fill('0.002');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await until(
      async () => (await call<{ data: unknown[] }>('/api/coin/list')).data.length > 0,
      'the order to be taken',
    );
    for (const service of ['spot-matching', 'market-data', 'notices']) await exchange.kill(service);
    await until(
      async () => (await call<{ data: unknown[] }>('/api/coin/fills')).data.length > 0,
      'the order to be filled',
      90_000,
    );
    await go('/dealCenter');
    await page.getByRole('tab', { name: 'History', exact: true }).click();
    await page.getByRole('region', { name: 'History', exact: true }).getByText('0.002').first().waitFor();
  });

  station('binds an address, and a day later withdraws to it; the ledger dies, and it is paid once', async () => {
    await go(`/withdraw_address?id=${ETH}`);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /Again in/ }).waitFor();
    const binding = page.getByRole('form', { name: 'Withdrawal addresses' });
    await binding.getByLabel('Address').fill(OUTSIDE);
    await binding.getByLabel('Verification code').fill(await newestCode('draw_address', ''));
    await binding.getByRole('button', { name: 'Bind address' }).click();
    await page
      .getByRole('list', { name: 'Bound addresses' })
      .getByRole('listitem')
      .filter({ hasText: OUTSIDE })
      .waitFor();
    await call('/dev/clock', { advance_seconds: String(24 * 3_600 + 60) });

    await go('/finance');
    await page.getByRole('button', { name: 'Withdraw ETH' }).click();
    const form = page.getByRole('form', { name: 'Withdraw ETH' });
    await form.getByText(OUTSIDE, { exact: true }).waitFor();
    await form.getByLabel('Quantity').fill('0.05');
    await form.getByText('0.04995000 ETH').waitFor();
    await form.getByLabel('Fund password').fill(FUND);
    await form.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('dialog', { name: 'Withdraw now?' }).getByRole('button', { name: 'Confirm' }).click();
    await until(async () => {
      if ((await form.locator('[name=number]').inputValue()) === '') return true;
      // The clock has just moved by a day: while no fresh index exists, the call is refused, and a user presses again.
      // The command keeps its key, so that it is executed once.
      if ((await form.getByRole('alert').count()) > 0) {
        await form.getByRole('button', { name: 'Withdraw', exact: true }).click();
        await page.getByRole('dialog', { name: 'Withdraw now?' }).getByRole('button', { name: 'Confirm' }).click();
      }
      return false;
    }, 'the withdrawal to be taken');
    await exchange.kill('wallet-ledger');
    // Blocks come only with transactions: they are made until all is settled.
    await until(
      async () => {
        await node.mine(1);
        return (await call<{ data: { state: string }[] }>('/api/wallet/out_list')).data[0]?.state === 'done';
      },
      'the withdrawal to be done',
      120_000,
    );
    expect(await node.balance(OUTSIDE)).toBe(RECEIVED);
    await node.mine(10);
    await go('/account/coinRecord?tab=withdrawals');
    await row('0.05000000 ETH').getByRole('listitem').filter({ hasText: 'Done' }).filter({ hasText: '✓' }).waitFor();
    expect(await node.balance(OUTSIDE)).toBe(RECEIVED);
  });

  station('reads a statement in which every line has its cause; all accounts agree', async () => {
    await go('/finanrec');
    await page.getByText('Every balance equals the sum of its journals').waitFor();
    const lines = page.getByRole('region', { name: 'Statement' });
    for (const cause of [/Deposit/, /Withdrawal/, /Trade/]) await lines.getByText(cause).first().waitFor();
    const { data } = await call<{ data: { info: string; cause_type: string; cause_id: string }[] }>(
      '/api/statement/list?page_size=100',
    );
    expect(data.length).toBeGreaterThan(8);
    expect(data.filter(({ info, cause_type: type, cause_id: id }) => info === '' || type === '' || id === '')).toEqual(
      [],
    );
    expect((await call<{ ok: number }>('/api/statement/check')).ok).toBe(1);
    await until(async () => (await call<{ ok: number }>('/dev/audit')).ok === 1, 'a clean audit', 90_000);
    expect(complaints).toEqual([]);
  });
});
