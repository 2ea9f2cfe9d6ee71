import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { loadConfig, type Caller, type Config } from '@bourse/platform';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addOperator, resetOperator } from '../../src/operators.js';
import { PEPPER, startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';
import { codeOf, heard, otherThan, peopleOf, PASSWORD } from './people.js';

jest.setTimeout(60_000);

let auth: AuthProcess;
let config: Config;
beforeAll(async () => {
  auth = await startAuth();
  config = loadConfig({
    BOURSE_DEV: '1',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'bourse-desk-')),
    PASSWORD_PEPPER: PEPPER,
  });
}, 60_000);
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

const signIn = (username: string, password = 'Harbor-2468', more: Record<string, string> = {}): Promise<Answered> =>
  auth.post('/api/admin/login', { username, password, ...more });
async function operator(username: string, password?: string, more?: Record<string, string>): Promise<Caller> {
  const answer = await signIn(username, password, more);
  const caller = await people.callerOf(answer.message);
  if (!caller) throw new Error(`${username}: ${JSON.stringify(answer)}`);
  return caller;
}
const REASON = { reason: 'a test of the desk' };
const act = (caller: Caller, path: string, fields: Record<string, string>): Promise<Answered> =>
  auth.post(`/api/admin/${path}`, { ...REASON, ...fields }, { caller });
interface Line {
  id: string;
  action: string;
  target: string;
  reason: string;
  operator: string;
  operatorId: number;
  before: string;
  after: string;
}
const trail = async (): Promise<Line[]> =>
  (
    await auth.databases.query<{ payload: string }>(
      `select payload from auth.outbox where topic = 'operator.actions' order by number`,
    )
  ).flatMap(({ payload }) => (JSON.parse(payload) as { body: Line }[]).map(({ body }) => body));
const lastLine = async (): Promise<Line | undefined> => (await trail()).at(-1);

describe('people at the desk [AUTH-161]', () => {
  const list = async (query: string): Promise<{ data: { id: number; email: string }[]; total: number }> =>
    (await auth.get(`/api/admin/users${query}`, { caller: await operator('support1') })).message as never;

  test('are found by id, account, name, mail, phone and role; nothing is a pattern; the house is not among them', async () => {
    expect((await list('')).total).toBeGreaterThanOrEqual(9);
    expect((await list('?keyword=100001')).data.map(({ id }) => id)).toEqual([100001]);
    expect((await list('?keyword=b100002')).data.map(({ id }) => id)).toEqual([100002]);
    expect((await list('?keyword=trader')).total).toBe(3);
    expect((await list('?keyword=5550100003')).data.map(({ id }) => id)).toEqual([100003]);
    expect((await list('?keyword=%25')).total).toBe(0);
    expect((await list('?keyword=trader_')).total).toBe(0);
    expect((await list('?role=region')).data.map(({ id }) => id)).toEqual([100040]);
    expect((await list('?role=seller')).data.map(({ id }) => id)).toEqual([100020]);
    expect((await list('?keyword=house.bourse')).total).toBe(0);
  });

  test('one is shown with sessions, balances and holds, never with a secret', async () => {
    const caller = await operator('support1');
    const someone = await people.signedIn('trader3@demo.bourse');
    const { message } = await auth.get('/api/admin/users/100003', { caller });
    expect(message).toMatchObject({
      id: 100003,
      email: 'trader3@demo.bourse',
      frozen: 'none',
      balances: [{ currency: 3, product: 'change' }],
      holds: [],
      sessions: [{ id: someone.caller.sessionId, current: 0 }],
    });
    expect(JSON.stringify(message)).not.toMatch(/hash|sealed|argon/i);
    for (const id of ['4711', '0', 'x', '99999999999999999'])
      expect([id, (await auth.get(`/api/admin/users/${id}`, { caller })).key]).toEqual([id, 'common.notFound']);
  });

  test('are frozen by scope and opened again, at once and with a line of the trail [AUTH-160]', async () => {
    const caller = await operator('support1');
    const someone = await people.register();
    for (const scope of ['withdraw', 'all', 'none'] as const) {
      const news = heard(auth, someone.id);
      expect((await act(caller, 'users/freeze', { user_id: String(someone.id), scope })).key).toBe('common.success');
      expect([(await people.fresh(someone)).frozen, news.ended]).toEqual([scope, [[]]]);
      news.stop();
    }
    expect(await lastLine()).toMatchObject({
      action: 'users.freeze',
      target: `user:${someone.id}`,
      operator: 'support1',
      operatorId: caller.userId,
      reason: REASON.reason,
      before: '{"frozen":"all"}',
      after: '{"frozen":"none"}',
    });
    const before = (await trail()).length;
    expect((await act(caller, 'users/freeze', { user_id: '4711', scope: 'all' })).key).toBe('common.notFound');
    expect((await act(caller, 'users/freeze', { user_id: String(someone.id), scope: 'sleep' })).key).toBe(
      'common.fieldInvalid',
    );
    expect((await trail()).length).toBe(before);
  });

  test('lose their sessions, their authenticator, or a fund password that must be set anew', async () => {
    const caller = await operator('support1');
    const someone = await people.register();
    await people.setFund(someone);
    const reset = (what: string): Promise<Answered> =>
      act(caller, 'users/reset', { user_id: String(someone.id), what });
    expect((await reset('fund')).key).toBe('common.success');
    expect((await people.fresh(someone)).fundMustReset).toBe(true);
    expect((await people.callerOf(someone.token))?.userId).toBe(someone.id);
    const { secret } = (await auth.post('/api/safe/totp_setup', {}, { caller: someone.caller })).message as {
      secret: string;
    };
    await auth.post('/api/safe/totp_enable', { totp_code: codeOf(secret) }, { caller: someone.caller });
    const news = heard(auth, someone.id);
    expect((await reset('totp')).key).toBe('common.success');
    expect(news.ended).toEqual(['all']);
    news.stop();
    expect([await people.callerOf(someone.token), (await people.login(someone.account)).type]).toEqual([null, 'ok']);
    expect((await people.letters(someone.account, 'security'))[0]).toContain('removed');
    const again = await people.signedIn(someone.account);
    expect((await reset('sessions')).key).toBe('common.success');
    expect(await people.callerOf(again.token)).toBeNull();
    expect((await trail()).filter(({ target }) => target === `user:${someone.id}`).map(({ after }) => after)).toEqual([
      '{"reset":"fund"}',
      '{"reset":"totp"}',
      '{"reset":"sessions"}',
    ]);
  });

  test('get and lose roles; what is not said stays', async () => {
    const caller = await operator('operator');
    const someone = await people.register();
    const role = (fields: Record<string, string>): Promise<Answered> =>
      act(caller, 'users/role', { user_id: String(someone.id), ...fields });
    expect((await role({ is_seller: '1', region: 'Porto/Foz' })).key).toBe('common.success');
    expect(await people.fresh(someone)).toMatchObject({ isSeller: true, isAcceptor: false, region: 'Porto/Foz' });
    expect((await role({ is_acceptor: '1', type: '1' })).key).toBe('common.success');
    expect(await people.fresh(someone)).toMatchObject({ isSeller: true, isAcceptor: true, region: 'Porto/Foz' });
    expect((await role({ region: '', is_seller: '0' })).key).toBe('common.success');
    expect(await people.fresh(someone)).toMatchObject({ isSeller: false, isAcceptor: true, region: '' });
    for (const region of ['a/b/c', '/b', 'a/'])
      expect(await role({ region })).toMatchObject({ key: 'common.fieldInvalid', field: 'region' });
    expect(await role({ is_seller: 'yes' })).toMatchObject({ key: 'common.fieldInvalid', field: 'is_seller' });
  });

  test('are counted for the dashboard and exported piece by piece without secrets', async () => {
    expect(await auth.asks.ask('auth.work', {})).toEqual({ kyc: expect.any(Number), frozen: expect.any(Number) });
    const piece = await auth.asks.ask<object, { columns: string[]; rows: (string | number)[][]; after: string | null }>(
      'auth.export',
      { what: 'users', from: 0, to: Date.now() * 2, after: null },
    );
    expect(piece.columns.slice(0, 3)).toEqual(['id', 'account_number', 'email']);
    expect([piece.rows[0]?.[0], piece.after, piece.rows.every((row) => row.length === piece.columns.length)]).toEqual([
      100001,
      null,
      true,
    ]);
    expect(
      (
        await auth.asks.ask<object, { rows: unknown[] }>('auth.export', {
          what: 'users',
          from: 0,
          to: Date.now() * 2,
          after: '100040',
        })
      ).rows.length,
    ).toBeLessThan(piece.rows.length);
  });
});

describe('operators [AUTH-162]', () => {
  test('are added, changed and put off by an admin; everyone but the actor signs in again; the password is never in the trail', async () => {
    const admin = await operator('operator');
    const save = (fields: Record<string, string>): Promise<Answered> =>
      act(admin, 'operators', { username: 'finance9', roles: 'finance', password: 'Anchor-1357', ...fields });
    expect(await save({ username: 'a b' })).toMatchObject({ key: 'common.fieldInvalid', field: 'username' });
    expect(await save({ password: 'short' })).toMatchObject({ key: 'login.psw6', field: 'password' });
    expect(await save({ password: '' })).toMatchObject({ key: 'login.psw6', field: 'password' });
    expect(await save({ password: 'password' })).toMatchObject({ key: 'register.pswCommon' });
    expect(await save({ roles: 'finance,king' })).toMatchObject({ key: 'common.fieldInvalid', field: 'roles' });
    const added = await save({});
    expect(added).toMatchObject({ key: 'common.success', id: expect.any(Number) });
    expect(added['totp']).toBeUndefined(); // a demo install asks for none
    const nine = await operator('finance9', 'Anchor-1357');
    expect(nine.roles).toEqual(['finance']);
    const { message } = await auth.get('/api/admin/operators', { caller: admin });
    expect((message as { username: string }[]).find(({ username }) => username === 'finance9')).toEqual({
      id: added['id'],
      username: 'finance9',
      roles: ['finance'],
      active: 1,
      totp: 0,
      created_at: expect.any(String),
      last_at: expect.stringMatching(/^\d/),
    });
    expect((await save({ password: '', roles: 'support', active: '1' })).key).toBe('common.success');
    expect((await operator('finance9', 'Anchor-1357')).roles).toEqual(['support']);
    expect((await save({ password: '', active: '0' })).key).toBe('common.success');
    expect((await signIn('finance9', 'Anchor-1357')).key).toBe('auth.wrong');
    const lines = (await trail()).filter(({ target }) => target === 'operator:finance9');
    expect(lines.map(({ action }) => action)).toEqual(['operators.save', 'operators.save', 'operators.save']);
    expect(JSON.stringify(lines)).not.toMatch(/Anchor|argon/);
  });

  test('nobody takes the own rights away', async () => {
    const admin = await operator('operator');
    for (const fields of [{ roles: 'finance' }, { roles: 'admin', active: '0' }] as Record<string, string>[])
      expect((await act(admin, 'operators', { username: 'operator', ...fields })).key).toBe('admin.ownRights');
  });

  test('choose their own password and authenticator, with the old password; their other sessions end', async () => {
    const first = await operator('finance1');
    const second = await operator('finance1');
    expect(
      (
        await act(first, 'password', {
          password: 'Wrong-1234',
          new_password: 'Anchor-1357',
          re_password: 'Anchor-1357',
        })
      ).key,
    ).toBe('auth.wrong');
    expect(
      (await act(first, 'password', { password: PASSWORD, new_password: 'Anchor-1357', re_password: 'Anchor-1358' }))
        .key,
    ).toBe('pswFalse');
    expect(
      (await act(first, 'password', { password: PASSWORD, new_password: 'Anchor-1357', re_password: 'Anchor-1357' }))
        .key,
    ).toBe('common.success');
    const living = await auth.databases.query<{ public_id: string }>(
      'select public_id from auth.operator_session where operator_id = $1 and ended_at is null',
      [first.userId],
    );
    expect(living.map(({ public_id }) => public_id)).toEqual([first.sessionId]);
    expect(second.sessionId).not.toBe(first.sessionId);

    expect((await act(first, 'totp_setup', { password: PASSWORD })).key).toBe('auth.wrong');
    const { secret } = (await act(first, 'totp_setup', { password: 'Anchor-1357' })).message as { secret: string };
    expect((await signIn('finance1', 'Anchor-1357')).type).toBe('ok');
    expect((await act(first, 'totp_enable', { totp_code: otherThan(codeOf(secret)) })).key).toBe('login.totpWrong');
    expect((await act(first, 'totp_enable', { totp_code: codeOf(secret) })).key).toBe('totp.enabled');
    expect((await signIn('finance1', 'Anchor-1357')).key).toBe('login.totpRequired');
    expect((await signIn('finance1', 'Anchor-1357', { totp_code: codeOf(secret, 1) })).type).toBe('ok');
  });

  test('a new one gets an authenticator where all need one, and enters with it', async () => {
    const admin = await operator('operator');
    await auth.databases.query(`update auth.setting set value = '1' where name = 'admin_totp'`);
    try {
      const { totp } = (await act(admin, 'operators', {
        username: 'guarded',
        roles: 'support',
        password: 'Anchor-1357',
      })) as unknown as { totp: { secret: string } };
      expect((await signIn('guarded', 'Anchor-1357')).key).toBe('login.totpRequired');
      expect((await signIn('guarded', 'Anchor-1357', { totp_code: codeOf(totp.secret) })).type).toBe('ok');
    } finally {
      await auth.databases.query(`update auth.setting set value = '0' where name = 'admin_totp'`);
    }
  });

  test('the first one comes from the console of the machine, with a line of the trail; a lost access is reset there [AUTH-163]', async () => {
    await auth.databases.query(`update auth.setting set value = '1' where name = 'admin_totp'`);
    try {
      const access = await addOperator(config, auth.databases.url, { username: 'Alice', roles: ['admin'] });
      const device: Device = { ip: '192.0.2.44', agent: 'console' };
      const enter = (password: string, secret: string, ahead = 0): Promise<Answered> =>
        auth.post('/api/admin/login', { username: 'alice', password, totp_code: codeOf(secret, ahead) }, device);
      const entered = await enter(access.password, access.totpSecret);
      expect(entered).toMatchObject({ type: 'ok', roles: ['admin'] });
      await expect(addOperator(config, auth.databases.url, { username: 'alice', roles: ['admin'] })).rejects.toThrow(
        'already',
      );
      await expect(addOperator(config, auth.databases.url, { username: 'bob', roles: ['king'] })).rejects.toThrow(
        'Roles are',
      );
      await expect(resetOperator(config, auth.databases.url, 'nobody')).rejects.toThrow('no operator');
      const anew = await resetOperator(config, auth.databases.url, 'alice');
      expect(await people.callerOf(entered.message)).toBeNull();
      expect((await enter(access.password, access.totpSecret, 1)).key).toBe('auth.wrong');
      expect((await enter(anew.password, anew.totpSecret)).type).toBe('ok');
      const lines = (await trail()).filter(({ target }) => target === 'operator:alice');
      expect(lines.map(({ action, operator: by }) => [action, by])).toEqual([
        ['operators.add', 'console'],
        ['operators.reset', 'console'],
      ]);
      expect(JSON.stringify(lines)).not.toContain(anew.password);
    } finally {
      await auth.databases.query(`update auth.setting set value = '0' where name = 'admin_totp'`);
    }
  });
});
