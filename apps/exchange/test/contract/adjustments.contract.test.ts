import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { runChecks } from './audit.js';
import { balanceOf, call, get, post, signIn, trader, type Fields } from './client.js';
import { fund, createNewcomer, operator, type Person } from './people.js';

const USDT = 3,
  XRP = 4,
  /** No other test moves house money in this coin. */
  ADA = 7;
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

type Adjustment = RowOf<'GET /api/admin/adjustments'>;
interface Page<X> {
  data: X[];
  page: number;
  page_size: number;
  total: number;
  has_more: number;
}

let ann: string, ben: string, support: string, person: Person;
beforeAll(async () => {
  [ann, ben, support, person] = await Promise.all([
    operator('finance1'),
    operator('finance2'),
    operator('support1'),
    createNewcomer(),
  ]);
});

const units = (text: string | undefined): bigint => {
  const [whole = '0', fraction = ''] = (text ?? '0').replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(8, '0'));
  return text?.startsWith('-') ? -value : value;
};
const write = (path: string, fields: Fields, token: string) =>
  post(`/api/admin/${path}`, { reason: 'a test of corrections', ...fields }, { token });
const ask = (fields: Fields = {}, token = ann) =>
  write(
    'adjustments/create',
    {
      user_id: person.id,
      currency_id: USDT,
      account: 'change',
      amount: '25.5',
      reason_code: 'goodwill',
      note: 'lost parcel',
      ...fields,
    },
    token,
  );
const asked = async (fields: Fields = {}): Promise<number> => {
  const { body } = await ask(fields);
  expect(body).toMatchObject({ type: 'ok', key: 'admin.adjustmentCreated', id: expect.any(Number) });
  return body.id as number;
};
const list = async (fields: Fields = {}): Promise<Page<Adjustment>> =>
  (await get('/api/admin/adjustments', fields, { token: ann })).body.message;
const house = async (account: string, currency = 'USDT'): Promise<string | undefined> =>
  (await get('/api/admin/house', {}, { token: ann })).body.message.find(
    (row) => row.account === account && row.currency === currency,
  )?.balance;
const change = async (currency = USDT): Promise<string | undefined> =>
  (await balanceOf(person.token, currency))['change_balance'];

describe('corrections by hand', () => {
  test('a request that is repeated because its answer was lost asks once [ADJUST-031]', async () => {
    const note = 'asked for once';
    const options = { token: ann, headers: { 'idempotency-key': `adjust-${person.id}` } };
    const fields = { user_id: person.id, currency_id: USDT, account: 'change', amount: '1', reason_code: 'goodwill' };
    const repeat = () =>
      post('/api/admin/adjustments/create', { ...fields, note, reason: 'a test of corrections' }, options);
    const first = (await repeat()).body;
    expect(first).toMatchObject({ type: 'ok', id: expect.any(Number) });
    expect((await repeat()).body).toMatchObject({ type: 'ok', id: first.id });
    const waiting = (await list({ state: 'waiting', user_id: person.id })).data.filter((row) => row.note === note);
    expect(waiting).toHaveLength(1);
    await write('adjustments/reject', { id: first.id }, ann);
  });

  test('a movement of the house that is repeated by its requester is still waiting [ADJUST-031]', async () => {
    const options = { token: ann, headers: { 'idempotency-key': `house-${person.id}` } };
    const fields = { from: 'h.capital', to: 'h.lever_fund', currency_id: USDT, amount: '1.03', note: 'asked for once' };
    const repeat = () => post('/api/admin/house/fund', { ...fields, reason: 'a test of corrections' }, options);
    const first = (await repeat()).body;
    expect(first).toMatchObject({ type: 'ok', key: 'admin.fundWaiting', state: 'waiting' });
    expect((await repeat()).body).toMatchObject({ type: 'ok', key: 'admin.fundWaiting', id: first.id });
    await write('adjustments/reject', { id: first.id }, ann);
  });

  test('one operator asks, another approves; the person reads why in the statement [ADJUST-010]', async () => {
    const id = await asked();
    expect(await change()).toBe('0.00000000');
    const waiting = (await list({ state: 'waiting', user_id: person.id })).data.find((row) => row.id === id);
    expect(waiting).toEqual({
      id,
      user_id: person.id,
      currency_id: USDT,
      account: 'change',
      amount: '25.50000000',
      reason_code: 'goodwill',
      note: 'lost parcel',
      state: 'waiting',
      created_by: 'finance1',
      decided_by: '',
      create_time: expect.stringMatching(TIME),
    });
    expect((await write('adjustments/approve', { id }, ann)).body).toMatchObject({
      type: 'error',
      key: 'admin.samePerson',
    });
    expect((await write('adjustments/approve', { id }, ben)).body).toMatchObject({
      type: 'ok',
      key: 'admin.adjustmentApproved',
    });
    expect(await change()).toBe('25.50000000');
    expect((await list({ user_id: person.id })).data.find((row) => row.id === id)).toMatchObject({
      state: 'approved',
      decided_by: 'finance2',
    });
    const { data } = (await get('/api/statement/list', { cause_type: 'adjustment' }, { token: person.token })).body
      .message;
    expect(data).toEqual([
      expect.objectContaining({
        value: '25.50000000',
        account: 'change',
        cause_id: String(id),
        info: 'Correction by the exchange: lost parcel',
      }),
    ]);
    const german = (
      await get('/api/statement/list', { cause_type: 'adjustment' }, { token: person.token, headers: { lang: 'de' } })
    ).body.message;
    expect(german.data[0]?.info).toBe('Korrektur durch die Börse: lost parcel');
    expect((await get('/api/statement/export', {}, { token: person.token })).text).toContain(
      '25.50000000,25.50000000,0,adjustment',
    );
    expect((await get('/api/statement/check', {}, { token: person.token })).body.message).toMatchObject({ ok: 1 });
  });

  test('it is decided once [ADJUST-011]', async () => {
    const [approved, refused] = [await asked({ amount: '1' }), await asked({ amount: '1' })];
    const before = units(await change());
    const both = await Promise.all([
      write('adjustments/approve', { id: approved }, ben),
      write('adjustments/approve', { id: approved }, ben),
      write('adjustments/reject', { id: approved }, ben),
    ]);
    expect(both.filter(({ body }) => body.type === 'ok')).toHaveLength(1);
    for (const { body } of both.filter(({ body: { type } }) => type !== 'ok'))
      expect(body).toMatchObject({ type: 'error', key: 'admin.decided' });
    expect((await write('adjustments/reject', { id: refused }, ben)).body).toMatchObject({
      type: 'ok',
      key: 'admin.adjustmentRejected',
    });
    expect((await write('adjustments/approve', { id: refused }, ben)).body).toMatchObject({
      type: 'error',
      key: 'admin.decided',
    });
    expect([before, before + 10n ** 8n]).toContain(units(await change()));
    expect((await list({ state: 'rejected', user_id: person.id })).data.map(({ id }) => id)).toContain(refused);
  });

  test('a debit that the balance does not cover waits; a covered one goes to the capital [ADJUST-012]', async () => {
    const id = await asked({ amount: '-1000' });
    expect((await write('adjustments/approve', { id }, ben)).body).toMatchObject({
      type: 'error',
      key: 'balance.insufficient',
    });
    expect((await list({ state: 'waiting', user_id: person.id })).data.map((row) => row.id)).toContain(id);
    await write('adjustments/reject', { id }, ben);
    await fund(person, { change: { [ADA]: '1' } });
    const [before, owned] = [units(await house('h.capital', 'ADA')), units(await change(ADA))];
    const small = await asked({ currency_id: ADA, amount: '-0.5' });
    expect((await write('adjustments/approve', { id: small }, ben)).body.type).toBe('ok');
    expect(units(await change(ADA))).toBe(owned - 5n * 10n ** 7n);
    expect(units(await house('h.capital', 'ADA'))).toBe(before + 5n * 10n ** 7n);
    expect((await runChecks()).filter(({ name, ok }) => name.startsWith('wallet-ledger') && ok === 0)).toEqual([]);
  });

  test('bad fields are refused by name, in their order [ADJUST-013]', async () => {
    const refusals: [Fields, string, string][] = [
      [{ user_id: '' }, 'common.fieldRequired', 'user_id'],
      [{ user_id: 'x' }, 'common.fieldInvalid', 'user_id'],
      [{ currency_id: '' }, 'common.fieldRequired', 'currency_id'],
      [{ account: '' }, 'common.fieldRequired', 'account'],
      [{ account: 'savings' }, 'common.fieldInvalid', 'account'],
      [{ amount: '' }, 'common.fieldInvalid', 'amount'],
      [{ amount: '0' }, 'common.fieldInvalid', 'amount'],
      [{ amount: '+1' }, 'common.fieldInvalid', 'amount'],
      [{ amount: '--1' }, 'common.fieldInvalid', 'amount'],
      [{ amount: '1e3' }, 'common.fieldInvalid', 'amount'],
      [{ amount: '0.000000001' }, 'common.fieldInvalid', 'amount'],
      [{ reason_code: '' }, 'common.fieldRequired', 'reason_code'],
      [{ reason_code: 'two words' }, 'common.fieldInvalid', 'reason_code'],
      [{ note: '' }, 'common.fieldRequired', 'note'],
      [{ currency_id: 99 }, 'common.notFound', 'currency_id'],
      [{ currency_id: XRP, account: 'legal' }, 'transfer.notSupported', 'account'],
      [{ user_id: 999_999_999 }, 'common.notFound', 'user_id'],
    ];
    for (const [fields, key, field] of refusals)
      expect([fields, (await ask(fields)).body]).toEqual([
        fields,
        expect.objectContaining({ type: 'error', key, field }),
      ]);
    expect((await ask({ reason: 'x' })).body).toMatchObject({ type: 'error', key: 'admin.reason' });
    for (const path of ['adjustments/approve', 'adjustments/reject']) {
      expect((await write(path, {}, ben)).body).toMatchObject({
        type: 'error',
        key: 'common.fieldRequired',
        field: 'id',
      });
      for (const id of ['999999', '99999999999999999', 'x'])
        expect((await write(path, { id }, ben)).body).toMatchObject({ type: 'error', key: 'common.notFound' });
    }
  });

  test('only finance and above may read and act; people may not [ADJUST-014]', async () => {
    const token = await trader(1);
    for (const [method, path] of [
      ['GET', 'adjustments'],
      ['POST', 'adjustments/create'],
      ['POST', 'adjustments/approve'],
      ['POST', 'adjustments/reject'],
      ['GET', 'journals'],
      ['GET', 'house'],
      ['POST', 'house/fund'],
      ['GET', 'export'],
    ] as const) {
      for (const one of [token, support])
        expect([
          path,
          (await call(method, `/api/admin/${path}`, { reason: 'a test of roles' }, { token: one })).status,
        ]).toEqual([path, 403]);
      expect((await call(method, `/api/admin/${path}`, { reason: 'a test of roles' })).body).toMatchObject({
        type: '999',
      });
    }
  });
});

describe('the books', () => {
  test('money of the house moves when a second person makes the same call [ADJUST-015]', async () => {
    const move = {
      from: 'h.capital',
      to: 'h.lever_fund',
      currency_id: USDT,
      amount: `${Math.floor(Math.random() * 1e6) / 1e6 + 1}`.slice(0, 8),
      note: 'cover of the fund',
    };
    const before = units(await house('h.lever_fund'));
    const first = (await write('house/fund', move, ann)).body;
    expect(first).toMatchObject({ type: 'ok', key: 'admin.fundWaiting', state: 'waiting', id: expect.any(Number) });
    expect((await write('house/fund', move, ann)).body).toMatchObject({ type: 'error', key: 'admin.samePerson' });
    expect(units(await house('h.lever_fund'))).toBe(before);
    expect((await write('house/fund', move, ben)).body).toMatchObject({
      type: 'ok',
      key: 'admin.fundDone',
      state: 'approved',
      id: first.id,
    });
    expect(units(await house('h.lever_fund'))).toBe(before + units(move.amount));
    expect((await list()).data.find(({ id }) => id === first.id)).toMatchObject({
      user_id: 0,
      account: 'h.capital>h.lever_fund',
      state: 'approved',
      created_by: 'finance1',
      decided_by: 'finance2',
    });
    for (const [fields, key, field] of [
      [{ from: 'h.outside' }, 'common.fieldInvalid', 'from'],
      [{ to: 'h.clearing' }, 'common.fieldInvalid', 'to'],
      [{ to: 'h.capital' }, 'transfer.same', 'to'],
      [{ to: 'h.outside', from: 'h.lever' }, 'common.fieldInvalid', 'to'],
      [{ note: '' }, 'common.fieldRequired', 'note'],
      [{ amount: '-1' }, 'common.fieldInvalid', 'amount'],
      [{ currency_id: 99 }, 'common.notFound', 'currency_id'],
    ] as const) {
      expect((await write('house/fund', { ...move, ...fields }, ann)).body).toMatchObject({
        type: 'error',
        key,
        field,
      });
    }
  });

  test('capital comes in from outside and goes out again, two persons and a proof each time [ADJUST-018]', async () => {
    const amount = `${Math.floor(Math.random() * 1e6) / 1e6 + 1}`.slice(0, 8);
    const held = async () => [units(await house('h.capital', 'ADA')), units(await house('h.outside', 'ADA'))];
    const before = await held();
    for (const [from, to, sign] of [
      ['h.outside', 'h.capital', 1n],
      ['h.capital', 'h.outside', 0n],
    ] as const) {
      const move = { from, to, currency_id: ADA, amount, note: 'transaction 0x11 to the hot wallet' };
      expect((await write('house/fund', move, ann)).body).toMatchObject({ type: 'ok', state: 'waiting' });
      expect((await write('house/fund', move, ben)).body).toMatchObject({ type: 'ok', state: 'approved' });
      expect(await held()).toEqual([
        (before[0] ?? 0n) + sign * units(amount),
        (before[1] ?? 0n) - sign * units(amount),
      ]);
    }
  });

  test('journals come with all their legs, which add up to nothing [BOOKS-002]', async () => {
    const id = await asked({ amount: '2' });
    await write('adjustments/approve', { id }, ben);
    const { data, total } = (
      await get('/api/admin/journals', { cause_type: 'adjustment', cause_id: id }, { token: ann })
    ).body.message;
    expect(total).toBe(1);
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        time: expect.stringMatching(TIME),
        cause_type: 'adjustment',
        cause_id: String(id),
        legs: expect.arrayContaining([
          { owner: 'house', account: 'h.capital', state: 'available', currency: 'USDT', amount: '-2.00000000' },
          { owner: String(person.id), account: 'change', state: 'available', currency: 'USDT', amount: '2.00000000' },
        ]),
      },
    ]);
    const page = (await get('/api/admin/journals', { limit: 100 }, { token: ann })).body.message;
    expect(page.data.length).toBeGreaterThan(10);
    for (const { legs } of page.data) {
      const sums = new Map<string, bigint>();
      for (const { currency, amount } of legs) sums.set(currency, (sums.get(currency) ?? 0n) + units(amount));
      expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
    }
    expect(
      (await get('/api/admin/journals', { user_id: person.id, from: '2030-01-01 00:00:00' }, { token: ann })).body
        .message,
    ).toMatchObject({ data: [], total: 0 });
    expect((await get('/api/admin/journals', { cause_id: '7' }, { token: ann })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      field: 'cause_type',
    });
    expect((await get('/api/admin/journals', { from: 'yesterday' }, { token: ann })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
      field: 'from',
    });
  });
});

describe('logs of every account', () => {
  test('all eight kinds of account have a log; initial balances have their cause [WALLET-018]', async () => {
    const [seller, acceptor] = await Promise.all([signIn('seller@demo.bourse'), signIn('acceptor@demo.bourse')]);
    for (let type = 1; type <= 8; type++) {
      expect((await post('/api/wallet/legal_log', { type, currency: USDT }, { token: acceptor })).body).toMatchObject({
        type: 'ok',
        message: {
          list: expect.any(Array),
          count: expect.any(Number),
          page: 1,
          page_size: 10,
          has_more: expect.any(Number),
        },
      });
    }
    const { list: lines } = (await post('/api/wallet/legal_log', { type: 8, currency: USDT }, { token: seller })).body
      .message;
    expect(lines).toContainEqual(
      expect.objectContaining({ account: 'merchant', value: '20000.00000000', info: 'Opening balance' }),
    );
  });
});
