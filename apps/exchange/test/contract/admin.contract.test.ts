import { expect, test } from '@jest/globals';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { call, get, post, trader } from './client.js';
import { operator } from './people.js';

const breaker = async (username: string, scope: string, mode: string, reason = 'a contract test') =>
  post('/api/admin/breaker', { scope, mode, reason }, { token: await operator(username) });

test('operators sign in, read their own identity, and sign out [AUTH-070]', async () => {
  const { status, body } = await post('/api/admin/login', { username: 'finance2', password: 'Harbor-2468' });
  expect([status, body]).toEqual([
    200,
    {
      type: 'ok',
      message: expect.any(String),
      id: expect.any(Number),
      roles: ['finance'],
      request_id: expect.any(String),
    },
  ]);
  const token = String(body.message);
  expect((await get('/api/admin/me', {}, { token })).body).toMatchObject({
    type: 'ok',
    id: body.id,
    roles: ['finance'],
    message: { id: body.id, username: 'finance2' },
  });
  expect((await post('/api/admin/logout', {}, { token })).body).toMatchObject({ type: 'ok', key: 'logout.success' });
  expect((await get('/api/admin/me', {}, { token })).body).toMatchObject({ type: '999' });
});

test('every failed sign-in is answered with the same text [AUTH-070]', async () => {
  for (const fields of [
    { username: 'operator', password: 'Harbor-2467' },
    { username: 'nobody', password: 'Harbor-2468' },
    { username: 'trader1@demo.bourse', password: 'Harbor-2468' },
  ]) {
    expect((await post('/api/admin/login', fields)).body).toMatchObject({ type: 'error', key: 'auth.wrong' });
  }
  expect((await post('/api/admin/login', { password: 'Harbor-2468' })).body).toMatchObject({
    type: 'error',
    key: 'set.enterAccount',
    field: 'username',
  });
  expect((await post('/api/admin/login', { username: 'operator' })).body).toMatchObject({
    type: 'error',
    key: 'login.psw6',
    field: 'password',
  });
});

test("without a token 999, with a user's 403, with too low a role 403 [AUTH-070]", async () => {
  const user = await trader(1);
  for (const [method, path] of [
    ['GET', '/api/admin/me'],
    ['GET', '/api/admin/reconciliation'],
    ['POST', '/api/admin/logout'],
    ['POST', '/api/admin/breaker'],
  ] as const) {
    expect([path, (await call(method, path)).body.type]).toEqual([path, '999']);
    const { status, body } = await call(method, path, {}, { token: user });
    expect([path, status, body.type, body.key]).toEqual([path, 403, 'error', 'common.forbidden']);
  }
  for (const username of ['support1', 'finance1']) {
    const { status, body } = await breaker(username, 'micro', 'halted');
    expect([status, body.key]).toEqual([403, 'common.forbidden']);
  }
});

test("an operator's token opens nothing of a user [AUTH-070]", async () => {
  const token = await operator('operator');
  for (const path of ['/api/wallet/list', '/api/user/info']) {
    const { body } = await call(path === '/api/user/info' ? 'GET' : 'POST', path, {}, { token });
    expect([path, body.type === 'ok']).toEqual([path, false]);
  }
  expect(
    (
      await post(
        '/api/coin/trade',
        { legal_id: 3, currency_id: 1, type: 1, target_price: '50000.00', amount: '0.001' },
        { token },
      )
    ).body,
  ).toMatchObject({ type: 'error', key: 'common.noPermission' });
});

test('the reconciliation lists each check and each breaker, without a finding [AUDIT-001]', async () => {
  const token = await operator('support1');
  // The delay of a stream, which a busy machine has for a moment, passes.
  const { status, body } = await eventuallySatisfied(
    () => get('/api/admin/reconciliation', {}, { token }),
    (answer) => answer.body.message.ok === 1,
  );
  expect([status, body.type]).toEqual([200, 'ok']);
  const { ok, checked_at, checks, breakers } = body.message;
  expect(checks.filter((check) => check.ok === 0)).toEqual([]);
  expect(ok).toBe(1);
  expect(checked_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  for (const check of checks) expect(Object.keys(check).sort()).toEqual(['detail', 'name', 'ok']);
  expect(breakers).toEqual(
    expect.arrayContaining(
      ['BTC/USDT', 'withdraw', 'c2c', 'lever', 'micro'].map((scope) => ({
        scope,
        mode: expect.stringMatching(/^(normal|cancel_only|halted)$/),
      })),
    ),
  );
  const metrics = (await get('/metrics')).text;
  expect(metrics).toContain('bourse_audit_ok 1');
});

test('a call of operators that does not exist is not found [AUTH-070]', async () => {
  expect((await get('/api/admin/nothing', {}, { token: await operator('operator') })).status).toBe(404);
});

test('operators read the partitions of the pairs; an admin moves one, and the trail has it [SPOT-225]', async () => {
  const token = await operator('operator');
  const where = async (): Promise<{ partitions: number; markets: { symbol: string; partition: number }[] }> =>
    (await get('/api/admin/partitions', {}, { token })).body.message as never;
  const { partitions, markets } = await where();
  expect(partitions).toBeGreaterThanOrEqual(1);
  const { symbol, partition } = markets.find((one) => one.symbol === 'LTC/USDT') ?? markets[0]!;
  const move = async (username: string, name: string, to: number) =>
    post(
      '/api/admin/partition',
      { symbol: name, partition: String(to), reason: 'a contract test' },
      { token: await operator(username) },
    );
  expect((await move('operator', symbol, partitions)).body).toMatchObject({ key: 'common.fieldInvalid' });
  expect((await move('operator', 'NO/PAIR', 0)).body).toMatchObject({ key: 'common.fieldInvalid' });
  expect((await move('finance1', symbol, partition)).status).toBe(403);
  const to = (partition + 1) % partitions;
  expect((await move('operator', symbol, to)).body).toMatchObject({ type: 'ok', key: 'admin.pairMoved' });
  await eventuallySatisfied(
    where,
    (now) => now.markets.some((one) => one.symbol === symbol && one.partition === to),
    10_000,
  );
  const { body } = await get('/api/admin/audit', { action: 'partition', target: symbol }, { token });
  expect(JSON.stringify(body.message)).toContain(`"after":"${to}"`);
  expect((await move('operator', symbol, partition)).body).toMatchObject({ type: 'ok' });
  await eventuallySatisfied(
    where,
    (now) => now.markets.every((one) => one.symbol !== symbol || one.partition === partition),
    10_000,
  );
});
