import { randomBytes, randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { testTimeoutMs } from '@bourse/testing/eventually';
import {
  call,
  codeFor,
  deposit,
  expect,
  FUND,
  newcomer,
  operatorToken,
  type Person,
  read,
  test,
  until,
  upload,
  withBank,
} from '@bourse/web/testing';
import { appealOf, rich, sellAd } from './people.js';
import { CONSOLE, operatorAt } from './visitors.js';

// Every act of the console that no other test presses: it is opened, filled and sent, and its line stands in the trail.

type Body = Awaited<ReturnType<typeof call>>;
const USDT = 3;
/** Told to be seen by who reads the trail; the mark tells this run from another. */
const mark = randomBytes(4).toString('hex');

/** Presses beside a dialog until that has its effect: the second press of a double click that opened it has none. */
async function pressBeside(page: Page, hasEffect: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.mouse.click(5, 5);
    await hasEffect();
  }).toPass({ timeout: testTimeoutMs(4_000) });
}

interface Act {
  readonly name: string;
  /** Who presses it, and where. */
  readonly by: string;
  readonly prepare?: () => Promise<string>;
  /** Address of the screen; of what `prepare` answers. */
  readonly at: (made: string) => string;
  /** Opens the act and fills what it asks for besides the reason. */
  readonly press: (page: Page, made: string) => Promise<void>;
  /** How its line is named in the trail. */
  readonly action: string;
  /** Waits for a second operator, who does not come. */
  readonly waits?: true;
}

interface AuditLine {
  readonly operator: string;
  readonly action: string;
  readonly reason: string;
}

const key = (page: Page, id: string) => page.locator(`tr[data-key="${id}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const asOperator = async (
  path: string,
  fields: Record<string, string | number>,
  username = 'operator',
): Promise<Body> =>
  call(`/api/admin/${path}`, { reason: 'made ready in a test', ...fields }, await operatorToken(username));

let person: Person;
let wealthy: Person;
let appeal: string;
test.beforeAll(async () => {
  person = await newcomer();
  wealthy = await rich('25000');
  // A claim is linked to a deposit that came by the chain.
  await deposit(wealthy, '25000');
  const taker = await rich('50');
  await Promise.all([withBank(wealthy), withBank(taker)]);
  appeal = (await appealOf(wealthy, taker)).id;
});

async function claim(): Promise<string> {
  const fields = { currency: USDT, amount: '25000', account: `tx ${mark}` };
  const { id } = await call('/api/wallet/charge_req', fields, wealthy.token);
  return String(id);
}
async function depositOf(): Promise<string> {
  const finance = await operatorToken('finance1');
  const { data } = await read(`/api/admin/deposits?user_id=${wealthy.id}`, finance);
  return data[0]?.id ?? '';
}
/** An operator of the test's own. */
async function colleague(): Promise<string> {
  const username = `desk${randomBytes(4).toString('hex')}`;
  const { approval_id: id } = await asOperator('operators', { username, password: 'Lantern-13579', roles: 'support' });
  await asOperator('approvals/approve', { id: Number(id) }, 'operator2');
  return username;
}

const ACTS: readonly Act[] = [
  {
    name: 'a breaker',
    by: 'operator',
    at: () => '/breakers',
    press: async (page) => {
      await page.locator('li[data-scope="LTC/USDT"]').getByRole('button', { name: 'Set' }).click();
      await dialog(page).getByRole('combobox').selectOption('cancel_only');
    },
    action: 'breaker',
  },
  {
    name: 'a setting',
    by: 'operator',
    at: () => '/settings?words=support_url',
    press: async (page) => {
      await button(page, 'Change support_url').click();
      await dialog(page).locator('[name=value]').fill('https://help.example.org');
    },
    action: 'settings.save',
  },
  {
    name: 'a row of the catalog',
    by: 'operator',
    at: () => '/catalog/currencies',
    press: async (page) => {
      await page.locator('tr[data-key]', { hasText: 'DOGE' }).getByRole('button', { name: 'Change' }).click();
      await dialog(page).locator('input[name=website]').fill(`https://${mark}.example.org`);
    },
    action: 'catalog.currencies.save',
  },
  {
    name: 'a shop',
    by: 'support1',
    prepare: async () => {
      const moved = { number: '2500', currency_id: USDT, from_field: 'change', to_field: 'legal' };
      await call('/api/wallet/change', moved, wealthy.token);
      const asked = { name: `Desk ${mark}`, currency_id: USDT, level: 'verified', password: FUND };
      await call('/api/legal/shop_apply', asked, wealthy.token);
      return '';
    },
    at: () => '/shops?status=0',
    press: (page) => page.locator('tr[data-key]', { hasText: mark }).getByRole('button', { name: 'Open it' }).click(),
    action: 'shops.decide',
  },
  {
    name: 'an ad',
    by: 'support1',
    prepare: () => sellAd(wealthy),
    at: () => '/ads',
    press: (page, id) => key(page, id).getByRole('button', { name: 'Take off the shelf' }).click(),
    action: 'c2c_ads/off',
  },
  {
    name: 'the terms of an acceptor',
    by: 'finance1',
    at: () => '/acceptors',
    press: (page) => button(page, 'Change terms').first().click(),
    action: 'acceptors.save',
  },
  {
    name: 'a deal with an acceptor',
    by: 'finance1',
    prepare: async () => {
      const user = wealthy.token;
      const [acceptor] = await read('/api/acceptor/list', user);
      const asked = { money: '100', mobile: '+1 5550100', deal_account: '4000 1234', way: 'bank', password: FUND };
      const { deal: opened } = await call(
        '/api/acceptor/deal',
        { acceptor_id: acceptor?.id ?? 0, type: 'buy', ...asked },
        user,
      );
      const { id } = opened as { id: string };
      // The acceptor has five minutes to confirm before anybody can object.
      await call('/dev/clock', { advance_seconds: 300, scope: 'business' }, user);
      const pic = await upload(user, 'evidence');
      await call('/api/acceptor/user_object', { id, reason: 'I have paid', pic }, user);
      return id;
    },
    at: () => '/acceptor-deals?objected=1',
    press: async (page, id) => {
      await key(page, id).getByRole('cell').first().click();
      await button(page, 'Reject the deal').click();
      await dialog(page).locator('textarea[name=reason]').waitFor();
    },
    action: 'acceptor_deals.decide',
  },
  {
    name: 'a deposit that is linked to a claim',
    by: 'finance1',
    prepare: claim,
    at: () => `/deposit-claims?status=1&user_id=${wealthy.id}`,
    press: async (page, id) => {
      const deposit = await depositOf();
      await key(page, id).getByRole('button', { name: 'Find the deposit' }).click();
      await button(page, 'Link by number').click();
      await dialog(page).locator('input[name=deposit_id]').fill(deposit);
    },
    action: 'charge_reqs.decide',
  },
  {
    name: 'a claim that is refused',
    by: 'finance1',
    prepare: claim,
    at: () => `/deposit-claims?status=1&user_id=${wealthy.id}`,
    press: (page, id) => key(page, id).getByRole('button', { name: 'Refuse' }).click(),
    action: 'charge_reqs.decide',
  },
  {
    name: 'a claim that is closed',
    by: 'finance1',
    prepare: claim,
    at: () => `/deposit-claims?status=1&user_id=${wealthy.id}`,
    press: async (page, id) => {
      await key(page, id).getByRole('button', { name: 'Find the deposit' }).click();
      await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    },
    action: 'charge_reqs.decide',
  },
  {
    name: 'a withdrawal that is refused',
    by: 'finance1',
    prepare: async () => {
      const asked = { address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', number: '10000', currency: USDT, type: 4 };
      return String((await call('/api/wallet/out', { ...asked, pay_password: FUND }, wealthy.token))['id']);
    },
    at: () => `/withdrawals?state=review&user_id=${wealthy.id}`,
    press: (page, id) => key(page, id).getByRole('button', { name: 'Refuse' }).click(),
    action: 'withdrawals.reject',
  },
  {
    name: 'an adjustment that is refused',
    by: 'finance2',
    prepare: async () => {
      const asked = {
        user_id: person.id,
        currency_id: USDT,
        account: 'change',
        amount: '1.5',
        reason_code: 'goodwill',
      };
      return String((await asOperator('adjustments/create', { ...asked, note: `note ${mark}` }, 'finance1'))['id']);
    },
    at: () => `/adjustments?user_id=${person.id}`,
    press: (page) => page.locator('tr[data-key]', { hasText: mark }).getByRole('button', { name: 'Reject' }).click(),
    action: 'adjustments.reject',
  },
  {
    name: 'what waits for a second operator',
    by: 'operator2',
    prepare: async () => {
      const username = `never${randomBytes(4).toString('hex')}`;
      await asOperator('operators', { username, password: 'Lantern-13579', roles: 'support' });
      return username;
    },
    at: () => '/approvals?state=waiting',
    press: (page, username) =>
      page.locator('tr[data-key]', { hasText: username }).getByRole('button', { name: 'Refuse' }).click(),
    action: 'operators.reject',
  },
  {
    name: 'a note at an appeal',
    by: 'support1',
    at: () => `/appeals/${appeal}`,
    press: async (page) => {
      await button(page, 'Add a note').click();
      await dialog(page).getByLabel('Note', { exact: true }).fill('Both sides were called.');
    },
    action: 'appeals.note',
  },
  {
    name: 'an appeal that is taken on',
    by: 'support1',
    at: () => `/appeals/${appeal}`,
    press: (page) => button(page, 'Take it on').click(),
    action: 'appeals.assign',
  },
  {
    name: 'a complaint that is closed',
    by: 'support1',
    prepare: async () => {
      const fields = { kind: 'deposit', subject: `Where ${mark}`, text: 'I sent 100 USDT.' };
      return String((await call('/api/complaint/add', fields, person.token))['id']);
    },
    at: (id) => `/complaints/${id}`,
    press: (page) => button(page, 'Close the complaint').click(),
    action: 'complaints.close',
  },
  {
    name: 'news that are taken away',
    by: 'support1',
    prepare: async () => {
      const fields = { c_id: 36, lang: 'en', title: `Gone ${mark}`, content: '<p>Soon</p>' };
      return String((await asOperator('news', fields, 'support1'))['id']);
    },
    at: () => '/news?c_id=36',
    press: (page, id) => key(page, id).getByRole('button', { name: 'Remove' }).click(),
    action: 'news.remove',
  },
  {
    name: 'roles of a person',
    by: 'operator',
    at: () => `/users/${person.id}`,
    press: async (page) => {
      await button(page, 'Roles').click();
      await dialog(page).getByLabel('Seller', { exact: true }).check();
      await button(page, 'Go on').click();
    },
    action: 'users.role',
  },
  {
    name: 'sessions of a person',
    by: 'support1',
    prepare: async () => String((await newcomer()).id),
    at: (id) => `/users/${id}`,
    press: (page) => button(page, 'End sessions').click(),
    action: 'users.reset',
  },
  {
    name: 'the fund password of a person',
    by: 'support1',
    prepare: async () => {
      const somebody = await newcomer();
      const code = await codeFor(somebody.account, 'fund', somebody.token);
      await call('/api/safe/update_password', { password: FUND, re_password: FUND, code }, somebody.token);
      return String(somebody.id);
    },
    at: (id) => `/users/${id}`,
    press: (page) => button(page, 'Reset fund password').click(),
    action: 'users.reset.request',
    waits: true,
  },
  {
    name: 'papers that are sent back',
    by: 'support1',
    prepare: async () => {
      const { id, token } = await newcomer();
      const [front_pic, reverse_pic] = [await upload(token, 'kyc'), await upload(token, 'kyc')];
      const papers = { name: `Ida ${mark}`, card_id: `P${randomInt(1e8, 1e9)}`, front_pic, reverse_pic };
      await call('/api/user/real_name', papers, token);
      return String(id);
    },
    at: (id) => `/kyc/${id}`,
    press: (page) => page.getByRole('button', { name: /^Send back/ }).click(),
    action: 'kyc.decide',
  },
  {
    name: 'an operator who is switched off',
    by: 'operator',
    prepare: colleague,
    at: () => '/operators',
    press: (page, username) =>
      page.locator('tr[data-key]', { hasText: username }).getByRole('button', { name: 'Switch off' }).click(),
    action: 'operators.save',
  },
];

/** The lines of the trail that one act has left: that of the operator, and those of services that it made act. */
async function linesOf(reason: string, by: string): Promise<readonly AuditLine[]> {
  const token = await operatorToken('finance1');
  const lines = await until(
    async () => (await read('/api/admin/audit?limit=100', token)).data.filter((one) => one.reason === reason),
    (found) => found.some(({ operator }) => operator === by),
  );
  return lines.map(({ operator, action }) => ({ operator, action, reason }));
}
/** Gives the reason and sends; the dialog goes, or says that a second operator is needed. */
async function send(page: Page, reason: string, waits = false): Promise<void> {
  await dialog(page).locator('textarea[name=reason]').fill(reason);
  await dialog(page).locator('button[type=submit]').click();
  if (waits) {
    await dialog(page).getByText('Nothing has changed yet').waitFor();
    await dialog(page).locator('button[data-autofocus]').click();
  }
  await dialog(page).waitFor({ state: 'detached' });
}

test.describe('acts that are pressed', () => {
  test.afterAll(async () => {
    // A busy exchange may put it off; the next test finds the market open.
    const opened = (): Promise<boolean> =>
      asOperator('breaker', { scope: 'LTC/USDT', mode: 'normal' }).then(
        () => true,
        () => false,
      );
    expect(await until(opened, Boolean)).toBe(true);
    await asOperator('settings/save', { key: 'support_url', value: '' });
  });

  for (const act of ACTS)
    test(`${act.name}: opened, filled, sent, and in the trail [CONSOLE-304]`, async () => {
      const made = (await act.prepare?.()) ?? '';
      const page = await operatorAt(act.by, act.at(made));
      await act.press(page, made);
      const reason = `pressed in a test: ${act.name} ${mark}`;
      await send(page, reason, act.waits);
      expect(await linesOf(reason, act.by)).toContainEqual({ operator: act.by, action: act.action, reason });
    });

  test('an operator changes the own password [CONSOLE-304]', async () => {
    const username = await colleague();
    const [first, own, next] = ['Lantern-13579', 'Lantern-24680-mine', 'Lantern-97531-next'];
    await call('/api/admin/login', { username, password: first, new_password: own });
    const page = await operatorAt('support1', '/account');
    const { message: token } = await call('/api/admin/login', { username, password: own });
    await page.evaluate((kept) => sessionStorage.setItem('console.token', kept), token as string);
    await page.context().addInitScript((kept) => sessionStorage.setItem('console.token', kept), token as string);
    await page.goto(`${CONSOLE}/account`);
    await button(page, 'Change password').click();
    await dialog(page).locator('input[name=password]').fill(own);
    await dialog(page).locator('input[name=new_password]').fill(next);
    const reason = `pressed in a test: password ${mark}`;
    await send(page, reason);
    expect(await linesOf(reason, username)).toContainEqual(expect.objectContaining({ operator: username }));
    await call('/api/admin/login', { username, password: next });
    await expect(call('/api/admin/login', { username, password: own })).rejects.toThrow();
  });

  test('a text of the catalog is cleared, and a concurrent change of another field stays [CONSOLE-300]', async () => {
    interface Row {
      readonly id: number;
      readonly name: string;
      readonly website: string;
      readonly explorer: string;
    }
    const admin = await operatorToken('operator');
    const doge = async (): Promise<Row | undefined> =>
      (await read('/api/admin/catalog/currencies', admin)).find(({ name }) => name === 'DOGE');
    const before = await doge();
    const save = (fields: Record<string, string>): Promise<Body> =>
      asOperator('catalog/currencies/save', { id: before?.id ?? 0, ...fields });
    await save({ website: 'https://a.example.org', explorer: 'https://b.example.org' });
    const page = await operatorAt('operator', '/catalog/currencies');
    await page.locator('tr[data-key]', { hasText: 'DOGE' }).getByRole('button', { name: 'Change' }).click();
    await dialog(page).locator('input[name=website]').fill('');
    await save({ explorer: 'https://c.example.org' });
    await send(page, `emptied ${mark}`);
    expect(await doge()).toMatchObject({ website: '', explorer: 'https://c.example.org' });
    await save({ website: before?.website ?? '', explorer: before?.explorer ?? '' });
  });

  test('a press outside of an action asks before typed input is lost [CONSOLE-305]', async () => {
    const page = await operatorAt('support1', `/users/${person.id}`);
    await button(page, 'End sessions').click();
    // Nothing typed: it closes.
    await pressBeside(page, () => expect(dialog(page)).toHaveCount(0, { timeout: 200 }));
    await button(page, 'End sessions').click();
    await dialog(page).locator('textarea[name=reason]').fill('a long and careful reason');
    const question = dialog(page).getByText('Close and lose what you typed?');
    await pressBeside(page, () => expect(question).toBeVisible({ timeout: 200 }));
    await button(page, 'Keep writing').click();
    expect(await dialog(page).locator('textarea[name=reason]').inputValue()).toBe('a long and careful reason');
    await page.keyboard.press('Escape');
    await button(page, 'Close without saving').click();
    await dialog(page).waitFor({ state: 'detached' });
  });
});
