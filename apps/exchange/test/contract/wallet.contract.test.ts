import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MessageOf, RowOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { runChecks } from './audit.js';
import { balanceOf, call, callAtOnce, get, post, put, type Answered, type Fields, type Body } from './client.js';
import { createTrader } from './people.js';

const BTC = 1,
  USDT = 3,
  XRP = 4,
  HAP = 8;
const DECIMAL = /^-?\d+\.\d{8}$/;
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const ID = /^\d{1,19}$/;

type Log = RowOf<'GET /api/statement/list'>;
type Journal = RowOf<'GET /api/statement/journals'>;
interface DataPage<X> {
  data: X[];
  page: number;
  page_size: number;
  total: number;
  has_more: number;
}
type Group = MessageOf<'POST /api/wallet/list'>['change_wallet'];

let seller: string, newbie: string, holder: string;
beforeAll(async () => {
  const people = [
    createTrader({ change: { [USDT]: '200' }, legal: { [USDT]: '1000' } }),
    createTrader({ change: { [USDT]: '5000' } }),
    createTrader({ micro: { [HAP]: '100' } }),
  ];
  [seller, newbie, holder] = (await Promise.all(people)).map(({ token }) => token) as [string, string, string];
});

const units = (text: string | undefined): bigint => {
  const [whole = '0', fraction = ''] = (text ?? '0').replace('-', '').split('.');
  const value = BigInt(whole) * 10n ** 8n + BigInt(fraction.padEnd(8, '0').slice(0, 8));
  return text?.startsWith('-') ? -value : value;
};
const move = (token: string, fields: Fields, headers: Record<string, string> = {}) =>
  post(
    '/api/wallet/change',
    { currency_id: USDT, from_field: 'change', to_field: 'legal', ...fields },
    { token, headers },
  );
const message = async <B extends Body>(answer: Promise<Answered<B>>): Promise<B['message']> => {
  const { status, body } = await answer;
  if (status !== 200 || body.type !== 'ok') throw new Error(JSON.stringify(body));
  return body.message;
};

describe('balances', () => {
  test('the wallet shows every coin in the accounts that may hold it, with its worth [WALLET-001]', async () => {
    const wallet = await message(post('/api/wallet/list', { user_id: 100001 }, { token: seller }));
    expect(wallet).toMatchObject({
      account_number: expect.any(String),
      total_assets: expect.stringMatching(/^\d+\.\d{4}$/),
      is_open_CTbi: 1,
    });
    expect(wallet.list.map(({ token }) => token)).toEqual(['BTC', 'ETH', 'USDT', 'XRP', 'LTC', 'DOGE', 'ADA', 'HAP']);
    expect(wallet.change_wallet.balance.map(({ currency_name }) => currency_name)).toEqual(
      wallet.list.map(({ token }) => token),
    );
    expect(wallet.legal_wallet.balance.map(({ currency_name }) => currency_name)).toEqual(['BTC', 'ETH', 'USDT']);
    expect(wallet.lever_wallet.balance.map(({ currency_name }) => currency_name)).toEqual(['BTC', 'ETH', 'USDT']);
    expect(wallet.micro_wallet.balance.map(({ currency_name }) => currency_name)).toEqual(['USDT', 'HAP']);
    for (const coin of wallet.change_wallet.balance) {
      for (const account of ['change', 'legal', 'lever', 'micro'] as const) {
        expect(coin[`${account}_balance`]).toMatch(DECIMAL);
        expect(coin[`lock_${account}_balance`]).toMatch(DECIMAL);
      }
      expect(coin).toMatchObject({
        contract_address: coin.currency_name === 'USDT' ? '0xdAC17F958D2ee523a2206206994597C13D831ec7' : '',
        currency_type: expect.stringMatching(/^(coin|token)$/),
        ExRate: expect.any(String),
        multi_protocol: coin.currency_name === 'USDT' ? 1 : 0,
        is_show_memo: coin.currency_name === 'XRP' ? 1 : 0,
      });
    }
    expect((await message(get('/api/wallet/list', {}, { token: seller }))).account_number).toBe(wallet.account_number);
  });

  test('worth is available and held at the USDT price, added up exactly [WALLET-002]', async () => {
    const wallet = await message(post('/api/wallet/list', {}, { token: newbie }));
    const worth = (group: Group, account: 'change'): bigint =>
      group.balance.reduce(
        (sum, coin) =>
          sum + (units(coin[`${account}_balance`]) + units(coin[`lock_${account}_balance`])) * units(coin.usdt_price),
        0n,
      ) /
      10n ** 8n;
    expect(units(wallet.change_wallet.usdt_totle)).toBe(worth(wallet.change_wallet, 'change'));
    expect(wallet.change_wallet.balance.find(({ currency }) => currency === USDT)?.usdt_price).toBe('1.00000000');
    expect(units(wallet.total_assets) / 10_000n).toBe(
      (units(wallet.change_wallet.usdt_totle) +
        units(wallet.legal_wallet.usdt_totle) +
        units(wallet.lever_wallet.usdt_totle) +
        units(wallet.micro_wallet.usdt_totle)) /
        10_000n,
    );
  });

  test('worth by day ends with the current one; deposits are no profit [WALLET-040]', async () => {
    // Journals have the time of the database: where earlier files moved the clock, the coins came in months ago.
    const { days } = await message(get('/api/wallet/equity', { days: 365 }, { token: seller }));
    expect(days).toHaveLength(365);
    expect(days.map(({ day }) => day)).toEqual([...days.map(({ day }) => day)].sort());
    expect(days[0]).toEqual({
      day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      equity: '0.00000000',
      deposits: '0.00000000',
      profit: '0.00000000',
    });
    expect(days.at(-1)?.equity).toBe('1200.00000000');
    const sum = (field: 'deposits' | 'profit'): bigint => days.reduce((total, day) => total + units(day[field]), 0n);
    expect([sum('deposits'), sum('profit')]).toEqual([units('1200'), 0n]);
    expect((await message(get('/api/wallet/equity', {}, { token: seller }))).days).toHaveLength(30);
    expect((await get('/api/wallet/equity', { days: 8 }, { token: seller })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
      field: 'days',
    });
  });

  test('the detail of a coin names all four accounts; an unknown coin is not found [WALLET-003]', async () => {
    const { body } = await post('/api/wallet/detail', { currency: USDT, type: 'legal' }, { token: seller });
    expect(body.message).toMatchObject({
      currency: USDT,
      currency_name: 'USDT',
      change_balance: expect.stringMatching(DECIMAL),
      lock_micro_balance: expect.stringMatching(DECIMAL),
      is_open_CTbi: 1,
    });
    expect((await post('/api/wallet/detail', { currency: 99 }, { token: seller })).body).toMatchObject({
      type: 'error',
      key: 'common.notFound',
    });
    expect((await post('/api/wallet/detail', {}, { token: seller })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      field: 'currency',
    });
  });

  test("the currency list carries the caller's balances [WALLET-003]", async () => {
    const list = await message(get('/api/currency/user_currency_list', {}, { token: seller }));
    const usdt = await balanceOf(seller, USDT);
    expect(list.find(({ id }) => id === USDT)).toMatchObject({
      name: 'USDT',
      is_legal: 1,
      is_lever: 1,
      is_match: 1,
      is_micro: 1,
      wallet: {
        change_balance: usdt['change_balance'],
        legal_balance: usdt['legal_balance'],
        lever_balance: usdt['lever_balance'],
        micro_balance: usdt['micro_balance'],
      },
    });
  });

  test.each([
    '/api/wallet/list',
    '/api/wallet/hzhistory',
    '/api/wallet/holds',
    '/api/statement/list',
    '/api/statement/journals',
    '/api/statement/check',
    '/api/currency/user_currency_list',
  ])('%s needs a token [WALLET-004]', async (path) => {
    expect((await get(path)).body).toMatchObject({ type: '999', key: 'auth.expired' });
  });

  test('paths that the contract does not name do not exist [WALLET-004]', async () => {
    expect((await call('POST', '/api/currency/lhWithdraw', {}, { token: seller })).status).toBe(404);
  });
});

describe('transfers', () => {
  test('move at once between accounts, and appear in history, logs and statement [WALLET-005]', async () => {
    const before = await balanceOf(seller, USDT);
    const { body } = await move(seller, { number: '12.5', from_field: 'legal', to_field: 'change' });
    expect(body).toMatchObject({
      type: 'ok',
      key: 'transfer.success',
      id: expect.stringMatching(ID),
      command_id: expect.any(String),
    });
    const id = body.id;
    const after = await balanceOf(seller, USDT);
    expect([
      units(after['legal_balance']) - units(before['legal_balance']),
      units(after['change_balance']) - units(before['change_balance']),
    ]).toEqual([-1_250_000_000n, 1_250_000_000n]);
    const history = await message(get('/api/wallet/hzhistory', {}, { token: seller }));
    expect(history).toMatchObject({ page: 1, page_size: 30 });
    expect(history.data[0]).toEqual({
      id,
      currency_id: USDT,
      currency_name: 'USDT',
      type: 'legal-change',
      from_field: 'legal',
      to_field: 'change',
      number: '12.50000000',
      create_time: expect.stringMatching(TIME),
    });
    const logs = await message(post('/api/wallet/legal_log', { type: 1, currency: USDT }, { token: seller }));
    expect(logs).toMatchObject({ page: 1, page_size: 10 });
    expect(logs.list[0]).toMatchObject({
      id: expect.stringMatching(ID),
      value: '-12.50000000',
      account: 'legal',
      state: 'available',
      currency_id: USDT,
      currency_name: 'USDT',
      balance_after: after['legal_balance'],
      journal_id: expect.stringMatching(ID),
      cause_type: 'transfer',
      cause_id: id,
      is_fee: 0,
    });
    expect(logs.list[0]?.info).not.toMatch(/^log\./);
    const whole = await message(post('/api/account/list', {}, { token: seller }));
    expect(
      whole.data
        .slice(0, 2)
        .map(({ account, value }) => [account, value])
        .sort(),
    ).toEqual([
      ['change', '12.50000000'],
      ['legal', '-12.50000000'],
    ]);
    expect(whole.data[0]?.journal_id).toBe(whole.data[1]?.journal_id);
    await move(seller, { number: '12.5' });
  });

  test('types 3 and 4 are transfers to lever and back [WALLET-006]', async () => {
    const before = await balanceOf(seller, USDT);
    for (const [type, sign] of [
      [3, 1n],
      [4, -1n],
    ] as const) {
      expect(
        (await post('/api/wallet/change', { number: 5, currency_id: USDT, type }, { token: seller })).body,
      ).toMatchObject({ type: 'ok', key: 'transfer.success' });
      const after = await balanceOf(seller, USDT);
      expect(units(after['lever_balance']) - units(before['lever_balance'])).toBe(sign > 0n ? 500_000_000n : 0n);
    }
    expect(await balanceOf(seller, USDT)).toEqual(before);
    expect(
      (await post('/api/wallet/change', { number: 5, currency_id: USDT, type: 7 }, { token: seller })).body,
    ).toMatchObject({ type: 'error', key: 'common.fieldInvalid' });
  });

  test.each<[string, Fields, string]>([
    [
      'no amount, whatever else is wrong',
      { number: '', to_field: 'change', currency_id: 99 },
      'transfer.amountRequired',
    ],
    ['nothing', { number: '0' }, 'transfer.amountRequired'],
    ['nothing with decimals', { number: '0.00' }, 'transfer.amountRequired'],
    ['a negative amount', { number: '-1' }, 'common.fieldInvalid'],
    ['an exponent', { number: '1e3' }, 'common.fieldInvalid'],
    [
      'more decimals than the coin has, before the accounts',
      { number: '0.000000001', to_field: 'change' },
      'common.fieldInvalid',
    ],
    ['an account that does not exist', { number: '1', to_field: 'points' }, 'common.fieldInvalid'],
    ['no accounts', { number: '1', from_field: '', to_field: '' }, 'common.fieldRequired'],
    ['one account, before the coin', { number: '1', to_field: 'change', currency_id: XRP }, 'transfer.same'],
    ['a coin that may not be there', { number: '1', currency_id: XRP }, 'transfer.notSupported'],
    [
      'a coin that may not leave from there',
      { number: '1', currency_id: BTC, from_field: 'micro', to_field: 'change' },
      'transfer.notSupported',
    ],
    ['an unknown coin', { number: '1', currency_id: 99 }, 'transfer.notSupported'],
    ['more than there is', { number: '999999999' }, 'balance.insufficient'],
    [
      'out of an empty account',
      { number: '1', currency_id: BTC, from_field: 'legal', to_field: 'change' },
      'balance.insufficient',
    ],
  ])('%s is refused and moves nothing [WALLET-007]', async (_, fields, key) => {
    const before = await balanceOf(seller, USDT);
    const { status, body } = await move(seller, fields);
    expect([status, body.type, body.key]).toEqual([200, 'error', key]);
    if (key === 'common.fieldInvalid' && fields['number'] === '0.000000001')
      expect(body).toMatchObject({ field: 'number', params: { field: 'number', scale: 8 } });
    expect(await balanceOf(seller, USDT)).toEqual(before);
  });

  test('the same key answers the first answer again and moves once; another body is refused [WALLET-008]', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const before = await balanceOf(holder, HAP);
    const fields = { currency_id: HAP, number: '1.5', from_field: 'micro', to_field: 'change' };
    const answers = await Promise.all([1, 2, 3].map(() => move(holder, fields, headers)));
    const first = answers.find(({ body }) => body.type === 'ok');
    expect(first?.body).toMatchObject({ key: 'transfer.success' });
    for (const { body } of answers)
      expect(['transfer.success', 'common.processing', 'common.repeated']).toContain(body.key);
    const again = await eventuallySatisfied(
      () => move(holder, fields, headers),
      ({ body }) => body.type === 'ok',
    );
    expect(again.body).toMatchObject({ id: first?.body.id, command_id: first?.body.command_id });
    expect((await move(holder, { ...fields, number: '2.5' }, headers)).body).toMatchObject({
      type: 'error',
      key: 'common.keyReused',
    });
    expect(units((await balanceOf(holder, HAP))['change_balance']) - units(before['change_balance'])).toBe(
      150_000_000n,
    );
    const stored = await get('/api/command', { key: headers['Idempotency-Key'] }, { token: holder });
    expect(stored.body).toMatchObject({ type: 'ok', id: first?.body.id });
    await move(holder, { ...fields, from_field: 'change', to_field: 'micro' });
  });

  test('a refusal is final under its key [WALLET-008]', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const legal = (await balanceOf(newbie, USDT))['change_balance'];
    const all = { number: `${units(legal) / 10n ** 8n + 1n}` };
    expect((await move(newbie, all, headers)).body).toMatchObject({ type: 'error', key: 'balance.insufficient' });
    expect((await move(newbie, all, headers)).body).toMatchObject({ type: 'error', key: 'balance.insufficient' });
  });

  test('sixty-four at once for a tenth of the balance each: exactly ten pass [WALLET-009]', async () => {
    const before = await balanceOf(newbie, USDT);
    const tenth = units(before['change_balance']) / 10n;
    const number = `${tenth / 10n ** 8n}.${(tenth % 10n ** 8n).toString().padStart(8, '0')}`;
    const answers = await callAtOnce(64, () => move(newbie, { number }));
    expect(answers.filter(({ body }) => body.type === 'ok')).toHaveLength(10);
    expect(new Set(answers.filter(({ body }) => body.type !== 'ok').map(({ body }) => body.key))).toEqual(
      new Set(['balance.insufficient']),
    );
    const moved = tenth * 10n;
    expect(
      (
        await move(newbie, {
          number: `${moved / 10n ** 8n}.${(moved % 10n ** 8n).toString().padStart(8, '0')}`,
          from_field: 'legal',
          to_field: 'change',
        })
      ).body.type,
    ).toBe('ok');
    expect(await balanceOf(newbie, USDT)).toEqual(before);
  });
});

describe('the statement', () => {
  test('proves every balance: each is the sum of its lines [WALLET-010]', async () => {
    const { ok, accounts } = await message(get('/api/statement/check', {}, { token: seller }));
    expect(ok).toBe(1);
    for (const { balance, sum } of accounts) expect(balance).toBe(sum);
    const usdt = await balanceOf(seller, USDT);
    expect(
      accounts.find((row) => row.account === 'legal' && row.currency === 'USDT' && row.state === 'available')?.balance,
    ).toBe(usdt['legal_balance']);
  });

  test('lists lines by account, coin, cause and time, newest first, in pages [WALLET-011]', async () => {
    await move(seller, { number: '3' });
    await move(seller, { number: '3', from_field: 'legal', to_field: 'change' });
    const list = (fields: Fields): Promise<DataPage<Log>> =>
      message(get('/api/statement/list', fields, { token: seller }));
    const first = await list({ account: 'legal', currency: USDT, cause_type: 'transfer', limit: 1 });
    expect(first).toMatchObject({ page: 1, page_size: 1, has_more: 1 });
    expect(first.data[0]).toMatchObject({ value: '-3.00000000', account: 'legal', cause_type: 'transfer' });
    const second = await list({ account: 'legal', currency: USDT, cause_type: 'transfer', limit: 1, page: 2 });
    expect(second.data[0]).toMatchObject({ value: '3.00000000' });
    expect(first.total).toBe(second.total);
    expect(units(second.data[0]?.balance_after) + units(first.data[0]?.value)).toBe(
      units(first.data[0]?.balance_after),
    );
    const past = await list({ page: 1000, limit: 100 });
    expect([past.data, past.has_more]).toEqual([[], 0]);
    expect((await list({ from: '2099-01-01 00:00:00' })).total).toBe(0);
    expect((await list({ to: '2000-01-01 00:00:00' })).total).toBe(0);
    const at = first.data[0]?.created_time ?? '';
    expect((await list({ from: at, to: at, account: 'legal' })).data.map(({ id }) => id)).toContain(first.data[0]?.id);
    expect((await get('/api/statement/list', { from: 'yesterday' }, { token: seller })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
      field: 'from',
    });
  });

  test('lists journals, each with its changes and lines; holds only when they are asked for [WALLET-041]', async () => {
    const { token } = await createTrader({ change: { [USDT]: '100' } });
    const journals = (fields: Fields): Promise<DataPage<Journal>> =>
      message(get('/api/statement/journals', fields, { token }));
    const moved = (await move(token, { number: '7' })).body.id;
    const order = { legal_id: USDT, currency_id: BTC, type: 1, amount: '0.001', target_price: '20000' };
    const { id } = (await post('/api/coin/trade', order, { token })).body;
    await put('/api/coin/trade', { id }, { token });
    const [transfer] = (await journals({})).data;
    expect(transfer).toMatchObject({
      id: expect.stringMatching(ID),
      created_time: expect.stringMatching(TIME),
      cause_type: 'transfer',
      cause_id: moved,
      is_hold: 0,
      changes: [
        { account: 'change', currency_name: 'USDT', value: '-7.00000000', held: '0.00000000', fee: '0.00000000' },
        { account: 'legal', currency_name: 'USDT', value: '7.00000000', held: '0.00000000', fee: '0.00000000' },
      ],
    });
    expect(transfer?.lines.map(({ journal_id, account, value }) => [journal_id, account, value])).toEqual([
      [transfer?.id, 'change', '-7.00000000'],
      [transfer?.id, 'legal', '7.00000000'],
    ]);
    // The hold of the order and its return: only when asked for, newest first, and found by their cause.
    const held = await journals({ holds: 1, cause_type: 'order', cause_id: id });
    expect(held.data.map(({ is_hold, changes: [change] }) => [is_hold, change?.value, change?.held])).toEqual([
      [1, '0.00000000', '-20.00000000'],
      [1, '0.00000000', '20.00000000'],
    ]);
    expect((await journals({ cause_type: 'order' })).data).toEqual([]);
    expect((await journals({ holds: 1 })).data[2]?.id).toBe(transfer?.id);
    // A filter by account finds journals with a line on it and shows them whole.
    const legal = await journals({ account: 'legal', currency: USDT, limit: 1 });
    expect(legal).toMatchObject({ page_size: 1, total: 1, has_more: 0, data: [{ id: transfer?.id }] });
    expect(legal.data[0]?.lines).toHaveLength(2);
    expect((await journals({ account: 'micro' })).data).toEqual([]);
    expect((await get('/api/statement/journals', { holds: 'yes' }, { token })).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'holds',
    });
  });

  test('the export has a line for each entry, and they add up to the balance [WALLET-012]', async () => {
    const response = await get('/api/statement/export', { account: 'legal', currency: USDT }, { token: seller });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const [head, ...lines] = response.text.trimEnd().split('\n');
    expect(head).toBe('time,account,state,currency,amount,balance_after,is_fee,cause_type,cause_id,journal_id,info');
    const rows = lines.map((line) => line.split(','));
    expect(
      rows.every(
        (row) =>
          /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(row[0] ?? '') && row[1] === 'legal' && row[3] === 'USDT',
      ),
    ).toBe(true);
    const sum = rows.filter((row) => row[2] === 'available').reduce((total, row) => total + units(row[4]), 0n);
    expect(sum).toBe(units((await balanceOf(seller, USDT))['legal_balance']));
    for (const [format, pattern] of [
      ['beancount', /^\S+ balance Assets:Exchange:Legal:Available {2}(\S+) ~ 0 USDT$/m],
      ['hledger', /^ {4}Assets:Exchange:Legal:Available {2}0\.0+ USDT = (\S+) USDT$/m],
    ] as const) {
      const book = await get('/api/statement/export', { account: 'legal', currency: USDT, format }, { token: seller });
      expect([book.status, book.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(units(pattern.exec(book.text)?.[1])).toBe(units((await balanceOf(seller, USDT))['legal_balance']));
    }
    const all = await get('/api/statement/export', { format: 'koinly' }, { token: seller });
    expect(all.headers.get('content-disposition')).toContain('koinly.csv');
    const [, ...moves] = all.text.trimEnd().split('\n');
    const moved = moves
      .map((line) => line.split(','))
      .reduce((total, row) => total + units(row[3]) - units(row[1]), 0n);
    const wallet = await balanceOf(seller, USDT);
    expect(moved).toBe(units(wallet['legal_balance']) + units(wallet['change_balance']));
    expect((await get('/api/statement/export', { format: 'pdf' }, { token: seller })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
    });
  });

  test("texts come in the caller's language [WALLET-013]", async () => {
    const info = async (lang: string): Promise<string> =>
      (await message(post('/api/account/list', { limit: 1 }, { token: seller, headers: { lang } }))).data[0]?.info ??
      '';
    const [english, german] = [await info('en'), await info('de')];
    expect(english.length).toBeGreaterThan(3);
    expect(german).not.toMatch(/^log\./);
  });

  test("no person reads another person's lines by naming them [WALLET-014]", async () => {
    const own = await message(post('/api/account/list', { user_id: 100001, limit: 100 }, { token: newbie }));
    expect(own.data.filter(({ cause_type }) => cause_type === 'seed').map(({ cause_id }) => cause_id)).not.toContain(
      '100001',
    );
  });

  test.each([
    ['legal_log without a type', { currency: USDT }, 'common.fieldRequired'],
    ['legal_log of a type that is none', { type: 9, currency: USDT }, 'common.fieldInvalid'],
    ['legal_log without a coin', { type: 1 }, 'common.fieldRequired'],
  ])('%s is refused [WALLET-015]', async (_, fields, key) => {
    expect((await post('/api/wallet/legal_log', fields, { token: seller })).body).toMatchObject({ type: 'error', key });
  });
});

test('the holds of a person sum to the locked amount [WALLET-016]', async () => {
  const order = await post(
    '/api/coin/trade',
    { legal_id: USDT, currency_id: BTC, type: 1, target_price: '10.00', amount: '0.2' },
    { token: seller },
  );
  expect(order.body).toMatchObject({ type: 'ok' });
  const id = order.body.id;
  const holds = await message(get('/api/wallet/holds', { currency: USDT }, { token: seller }));
  expect(holds.find((hold) => hold.cause_id === id)).toEqual({
    account: 'change',
    currency_name: 'USDT',
    amount: '2.00000000',
    cause_type: 'order',
    cause_id: id,
    info: expect.stringMatching(/.{4}/),
  });
  const usdt = await balanceOf(seller, USDT);
  const sum = holds
    .filter((hold) => hold.account === 'change' && hold.currency_name === 'USDT')
    .reduce((total, hold) => total + units(hold.amount), 0n);
  expect(sum).toBe(units(usdt['lock_change_balance']));
  expect((await put('/api/coin/trade', { id }, { token: seller })).body).toMatchObject({ type: 'ok' });
  await eventuallySatisfied(
    () => balanceOf(seller, USDT),
    (now) => now['lock_change_balance'] === '0.00000000',
  );
  const lines = await message(get('/api/statement/list', { cause_type: 'order', limit: 4 }, { token: seller }));
  expect(lines.data.map(({ state, value }) => [state, value])).toEqual([
    ['available', '2.00000000'],
    ['held', '-2.00000000'],
    ['held', '2.00000000'],
    ['available', '-2.00000000'],
  ]);
});

test('all invariants hold after all this [WALLET-017]', async () => {
  const checks = await runChecks();
  expect(checks.filter(({ name, ok }) => name.startsWith('wallet-ledger.') && ok !== 1)).toEqual([]);
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(
      ['conservation', 'overdraft', 'holds', 'chain', 'sums', 'clearing'].map((name) => `wallet-ledger.${name}`),
    ),
  );
});
