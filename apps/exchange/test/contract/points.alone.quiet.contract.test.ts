import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, get, keyOf, post, trader, type Fields } from './client.js';
import { createCertified, done, FUND, createNewcomer, operator, PASSWORD, type Person } from './people.js';
import { readClock } from './dev-clock.js';

// Moves the business clock over midnights, and binds the one account of rules §17: it runs alone.
jest.setTimeout(testTimeoutMs(75_000));

const HAP = 8;
const DAY_MS = 86_400_000;
const ACCOUNT = { user_name: 'jcdemo', password: 'jcdemo1' };

type Points = MessageOf<'GET /api/jc/info'>;

const key = (): string => randomBytes(12).toString('hex');
const bind = (token: string, fields: Fields = ACCOUNT, options: { once?: boolean } = {}) =>
  post('/api/jc/bind', fields, { token, ...options });
const exchange = (token: string, use_number: string | undefined, fields: Fields = { password: FUND }, by = key()) =>
  post('/api/jc/exchange', { use_number, ...fields }, { token, headers: { 'idempotency-key': by } });
const info = async (token: string): Promise<Points> => (await done(get('/api/jc/info', {}, { token }))).message;
const free = async (token: string): Promise<number> => Number((await info(token)).free_jc_integral);
/** Accounts like that of the rules, each bound by one test. */
let serial = 100 + Math.floor(Math.random() * 800);
const another = (): Fields => ({ ...ACCOUNT, user_name: `jcdemo${(serial += 1)}` });

async function midnight(): Promise<void> {
  const at = (Math.floor((await readClock()) / DAY_MS) + 1) * DAY_MS + 1_000;
  await post('/dev/clock', { set: at });
  // The feed follows the clock within a second; before that no price is fresh.
  await eventuallySatisfied(
    async () => (await get('/api/status')).body.type,
    (type) => type === 'ok',
  );
}
async function boundPerson(): Promise<Person> {
  const person = await createCertified();
  await done(bind(person.token, another()));
  await eventuallySatisfied(
    () => info(person.token),
    ({ jc_integral }) => Number(jc_integral) === 1_000,
  );
  return person;
}

describe('binding', () => {
  test('fields and accounts are refused in their order, and nothing is bound by it [POINTS-010]', async () => {
    const { token } = await createNewcomer();
    expect((await bind(token, {})).body).toMatchObject({ key: 'common.fieldRequired', field: 'user_name' });
    expect((await bind(token, { user_name: 'a'.repeat(21), password: 'x' })).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'user_name',
    });
    expect((await bind(token, { user_name: 'jcdemo' })).body).toMatchObject({
      key: 'common.fieldRequired',
      field: 'password',
    });
    expect(await keyOf(bind(token, { user_name: 'jcdemo', password: 'b'.repeat(21) }))).toBe('common.fieldInvalid');
    expect(await keyOf(bind(token, { user_name: 'jcdemo', password: 'jcdemo2' }))).toBe('jc.bindFailed');
    expect(await keyOf(bind(token, { user_name: 'nobody', password: 'jcdemo1' }))).toBe('jc.bindFailed');
    expect((await get('/api/jc/bind', {}, { token })).body.message).toEqual({ user_name: '' });
    expect(await keyOf(get('/api/jc/info', {}, { token }))).toBe('jc.notBound');
  });

  test('a third party that gives no answer is refused as such, and the next try is free [POINTS-011]', async () => {
    const { token } = await createNewcomer();
    const silent = await bind(token, { user_name: 'jcdown', password: 'jcdemo1' }, { once: true });
    expect([silent.status, silent.body.key]).toEqual([503, 'common.unavailable']);
    expect((await get('/api/jc/bind', {}, { token })).body.message).toEqual({ user_name: '' });
    const account = another();
    await eventuallySatisfied(
      async () => (await bind(token, account)).body.type,
      (type) => type === 'ok',
      20_000,
    );
    expect((await get('/api/jc/bind', {}, { token })).body.message).toEqual({ user_name: account['user_name'] });
  });

  test('an account binds once, to one person, and its points are theirs once [POINTS-012]', async () => {
    const [first, second] = await Promise.all([createNewcomer(), createNewcomer()]);
    const account = another();
    const answers = await Promise.all([first, second, first, second].map(({ token }) => bind(token, account)));
    expect(answers.filter(({ body }) => body.type === 'ok')).toHaveLength(1);
    for (const { body } of answers) if (body.type !== 'ok') expect(body.key).toBe('jc.bound');
    const bound = answers.findIndex(({ body }) => body.type === 'ok') % 2 === 0 ? first : second;
    const other = bound === first ? second : first;
    await eventuallySatisfied(
      () => info(bound.token),
      ({ jc_integral }) => Number(jc_integral) === 1_000,
    );
    expect(await info(bound.token)).toMatchObject({ jc_integral: '1000.00000000', free_jc_integral: '500.00000000' });
    await eventuallySatisfied(
      () => keyOf(bind(other.token, account)),
      (refused) => refused === 'jc.bound',
      20_000,
    );
    expect(await keyOf(bind(bound.token, another()))).toBe('jc.bound');
  });

  test('a user with a bound account is in the programme until an operator ends it [POINTS-013]', async () => {
    const person = await createNewcomer();
    const type = async (): Promise<unknown> =>
      (await get('/api/user/info', {}, { token: person.token })).body.message.type;
    expect(await type()).toBe(0);
    await done(bind(person.token, another()));
    await eventuallySatisfied(type, (found) => found === 1, 20_000);
    const token = await operator('operator');
    await done(post('/api/admin/users/role', { user_id: person.id, type: 0, reason: 'out of it' }, { token }));
    expect(await type()).toBe(0);
    expect((await get('/api/jc/bind', {}, { token: person.token })).body.message).not.toEqual({ user_name: '' });
  });
});

describe('exchange', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await boundPerson());
  });

  test('refusals in their order: number, password, binding, free points [POINTS-020]', async () => {
    const unbound = await createCertified();
    for (const bad of [undefined, '', '0', 'x'])
      expect((await exchange(token, bad, {})).body).toMatchObject({ key: 'jc.numberRequired', field: 'use_number' });
    for (const bad of ['-1', '1e2'])
      expect((await exchange(token, bad, {})).body).toMatchObject({ key: 'common.fieldInvalid', field: 'use_number' });
    expect(await keyOf(exchange(token, '1.123456789'))).toBe('common.fieldInvalid');
    expect((await exchange(unbound.token, '1', {})).body).toMatchObject({ type: '996', key: 'fund.required' });
    expect(await keyOf(exchange(unbound.token, '1', { password: 'bad666' }))).toBe('fund.wrong');
    expect(await keyOf(exchange(unbound.token, '1'))).toBe('jc.notBound');
    expect((await exchange(token, '500.00000001')).body).toMatchObject({ key: 'jc.notEnough', field: 'use_number' });
    const { body } = await exchange(token, '0.11');
    expect(body).toMatchObject({ key: 'quantity.rule', params: { min: '0.11052632', max: '500' } });
    const nofund = await createNewcomer();
    expect((await exchange(nofund.token, '1')).body).toMatchObject({ type: 'not', key: 'fund.notSet' });
    expect(await info(token)).toMatchObject({ jc_integral: '1000.00000000', free_jc_integral: '500.00000000' });
  });

  test('200 points are 18.09 HAP, once for a key however often it comes [POINTS-021]', async () => {
    const before = Number((await balanceOf(token, HAP))['change_balance']);
    const by = key();
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(token, '200', { password: FUND }, by)));
    const { body } = await exchange(token, '200', { password: FUND }, by);
    for (const { body: told } of answers)
      expect(['jc.exchanged', 'common.processing', 'common.repeated']).toContain(told.key);
    expect(body).toMatchObject({ type: 'ok', key: 'jc.exchanged' });
    expect(body['exchange']).toMatchObject({
      exchange_num: '18.09000000',
      integral: '200.00000000',
      fact_market_price: '1.05000000',
    });
    expect(await keyOf(exchange(token, '201', { password: FUND }, by))).toBe('common.keyReused');
    expect(Number((await balanceOf(token, HAP))['change_balance']) - before).toBeCloseTo(18.09, 8);
    expect(await info(token)).toMatchObject({ jc_integral: '800.00000000', free_jc_integral: '300.00000000' });
    const page = (await get('/api/jc/exchange', {}, { token })).body.message;
    expect([page.total, page.data.map(({ id }) => id)]).toEqual([1, [body['exchange'].id]]);
  });

  test('exchanges at once never take more than is free [POINTS-022]', async () => {
    const { token: own } = await boundPerson();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(own, '120')));
    expect(answers.filter(({ body }) => body.type === 'ok')).toHaveLength(4);
    for (const { body } of answers) if (body.type !== 'ok') expect(body.key).toBe('jc.notEnough');
    expect(await info(own)).toMatchObject({ jc_integral: '520.00000000', free_jc_integral: '20.00000000' });
  });

  test('points that were not free at the binding are free after the next midnight [POINTS-023]', async () => {
    const { token: own } = await boundPerson();
    expect(await free(own)).toBe(500);
    await midnight();
    expect(await free(own)).toBe(1_000);
    await eventuallySatisfied(
      () => keyOf(exchange(own, '1000')),
      (found) => found === 'jc.exchanged',
    );
    expect(await info(own)).toMatchObject({ jc_integral: '0.00000000', free_jc_integral: '0.00000000' });
  });

  test('an exchange is refused without coins of the house, and the points stay [POINTS-024]', async () => {
    const { token: own } = await boundPerson();
    const [one, two] = [await operator('finance1'), await operator('finance2')];
    const coinsOfHouse = async (): Promise<string> => {
      const { message } = await done(get('/api/admin/house', {}, { token: one }));
      const rows = message;
      return rows.find(({ account, currency }) => account === 'h.points' && currency === 'HAP')!.balance;
    };
    const move = async (from: string, to: string, amount: string): Promise<void> => {
      const fields = { from, to, currency_id: HAP, amount, note: 'coins of points', reason: 'a test of points' };
      for (const token of [one, two]) await done(post('/api/admin/house/fund', fields, { token }));
    };
    const all = await coinsOfHouse();
    await move('h.points', 'h.capital', all);
    try {
      expect(Number(await coinsOfHouse())).toBe(0);
      const { status, body } = await exchange(own, '200');
      expect([status, body]).toEqual([200, expect.objectContaining({ type: 'error', key: 'jc.houseLimit' })]);
      expect(await info(own)).toMatchObject({ jc_integral: '1000.00000000', free_jc_integral: '500.00000000' });
      const { message } = await done(get('/api/jc/exchange', {}, { token: own }));
      expect(message).toMatchObject({ total: 0, data: [] });
    } finally {
      await move('h.capital', 'h.points', all);
    }
    expect((await exchange(own, '200')).body).toMatchObject({ type: 'ok', key: 'jc.exchanged' });
    expect(await info(own)).toMatchObject({ jc_integral: '800.00000000', free_jc_integral: '300.00000000' });
  });
});

describe('the points login', () => {
  test('its session only reads and exchanges points, without a fund password [POINTS-030]', async () => {
    const person = await boundPerson();
    const { body } = await post('/api/Independent/points', { user_string: person.account, password: PASSWORD });
    expect(body).toMatchObject({ type: 'ok', id: person.id });
    const token = body.message;
    expect((await get('/api/user/info', {}, { token })).body.message).toMatchObject({ id: person.id });
    expect(await free(token)).toBe(500);
    expect(await keyOf(exchange(token, '100', {}))).toBe('jc.exchanged');
    for (const path of ['/api/user/center', '/api/wallet/list', '/api/user/sessions', '/api/coin/list'])
      expect(await keyOf(get(path, {}, { token }))).toBe('common.noPermission');
    for (const path of ['/api/wallet/out', '/api/wallet/change', '/api/coin/trade', '/api/user/confirm_password'])
      expect(await keyOf(post(path, {}, { token }))).toBe('common.noPermission');
    await done(post('/api/user/logout', {}, { token }));
    expect(await keyOf(get('/api/jc/info', {}, { token }))).toBe('auth.expired');
  });

  test('it refuses as the login does [POINTS-031]', async () => {
    const enter = (fields: Fields) => post('/api/Independent/points', fields);
    expect(await keyOf(enter({}))).toBe('set.enterAccount');
    expect(await keyOf(enter({ user_string: 'somebody@example.org', password: 'short' }))).toBe('login.psw6');
    expect(await keyOf(enter({ user_string: 'somebody@example.org', password: 'wrong-password' }))).toBe('auth.wrong');
  });
});

test('trader1 binds the account of the rules, and 200 points are 18.09 HAP [POINTS-021]', async () => {
  const token = await trader(1);
  const bound = await bind(token);
  // Another run on the same exchange has bound it before.
  if (bound.body.type !== 'ok') expect(bound.body.key).toBe('jc.bound');
  await eventuallySatisfied(
    () => info(token),
    ({ jc_integral }) => Number(jc_integral) >= 200,
  );
  await eventuallySatisfied(
    async () => (await exchange(token, '200')).body['exchange'],
    (made) => made?.exchange_num === '18.09000000',
  );
});
