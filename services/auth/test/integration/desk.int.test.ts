import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { loadConfig, type Caller, type Config } from '@bourse/platform';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authAsks, serviceAsks } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { addOperator, resetOperator } from '../../src/operators.js';
import { PEPPER, startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';
import { codeOf, FUND, heard, otherThan, peopleOf, PASSWORD } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
let config: Config;
beforeAll(async () => {
  auth = await startAuth();
  config = loadConfig({
    BOURSE_DEV: '1',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'bourse-desk-')),
    PASSWORD_PEPPER: PEPPER,
  });
});
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

  test('are found by id, account, name, mail, phone, role; nothing is a pattern; the house is not there', async () => {
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
      inviter_id: 100002,
      balances: [{ currency: 3, account: 'change' }],
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
    const frozenFrom = async (from: 'trade' | 'withdraw') =>
      (await auth.asks.ask(authAsks.frozen, { userIds: [someone.id], from })).length > 0;
    for (const scope of ['withdraw', 'c2c', 'trade', 'all', 'none'] as const) {
      const news = heard(auth, someone.id);
      expect((await act(caller, 'users/freeze', { user_id: String(someone.id), scope })).key).toBe('common.success');
      expect([(await people.fresh(someone)).frozen, news.ended]).toEqual([scope, [[]]]);
      // What leverage asks before a trigger order opens, and the wallet before a payment [LEVER-112].
      expect([await frozenFrom('trade'), await frozenFrom('withdraw')]).toEqual([
        scope === 'all' || scope === 'trade',
        scope === 'all' || scope === 'withdraw',
      ]);
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

  test('lose sessions at once; authenticator or fund password when two people agree [HARD-207]', async () => {
    const [caller, second] = [await operator('support1'), await operator('finance1')];
    const someone = await people.register();
    await people.setFund(someone);
    const reset = (what: string): Promise<Answered> =>
      act(caller, 'users/reset', { user_id: String(someone.id), what });
    const agreed = async (what: string): Promise<void> => {
      const asked = await reset(what);
      expect(asked).toMatchObject({ key: 'admin.approvalWaiting', approval_id: expect.any(Number) });
      const id = String(asked['approval_id']);
      expect((await act(caller, 'approvals/approve', { id })).key).toBe('admin.samePerson');
      expect((await act(second, 'approvals/approve', { id })).key).toBe('admin.approvalApproved');
    };
    const key = async (): Promise<string> => {
      const { message } = await auth.post(
        '/api/apikey',
        { label: 'bot', permissions: 'read', password: FUND },
        { caller: await people.fresh(someone) },
      );
      return (message as { key: string }).key;
    };
    const living = (name: string): Promise<unknown> => auth.asks.ask(authAsks.apiKey, { key: name });
    const blockedUntil = async (): Promise<number> =>
      (await auth.asks.ask(authAsks.withdrawals, { userId: someone.id })).blockedUntil ?? 0;
    const unblock = (): Promise<unknown> =>
      auth.databases.query('update auth.account set withdrawals_blocked_until = null where id = $1', [someone.id]);

    const first = await key();
    const waiting = await reset('fund');
    expect((await people.fresh(someone)).fundMustReset).toBe(false);
    expect(await blockedUntil()).toBe(0);
    expect(await living(first)).not.toBeNull();
    await act(caller, 'approvals/reject', { id: String(waiting['approval_id']) });
    await agreed('fund');
    expect((await people.fresh(someone)).fundMustReset).toBe(true);
    expect((await people.callerOf(someone.token))?.userId).toBe(someone.id);
    expect(await living(first)).toBeNull();
    expect(await blockedUntil()).toBeGreaterThan(auth.clock.now() + 23.9 * 3_600_000);
    expect((await people.letters(someone.account, 'security'))[0]).toContain('fund password of your account was reset');

    await unblock();
    const { secret } = (await auth.post('/api/safe/totp_setup', {}, { caller: someone.caller })).message as {
      secret: string;
    };
    await auth.post('/api/safe/totp_enable', { totp_code: codeOf(secret) }, { caller: someone.caller });
    await auth.databases.query(
      `insert into auth.passkey (id, user_id, public_key, counter, transports, label, created_at)
        values ('lost', $1, 'key', 0, '{}', 'Lost phone', now())`,
      [someone.id],
    );
    const news = heard(auth, someone.id);
    await agreed('totp');
    expect(news.ended).toEqual(['all']);
    news.stop();
    expect(await blockedUntil()).toBeGreaterThan(auth.clock.now() + 23.9 * 3_600_000);
    expect([await people.callerOf(someone.token), (await people.login(someone.account)).type]).toEqual([null, 'ok']);
    const letters = (await people.letters(someone.account, 'security')).join();
    expect(letters).toContain('Support removed the authenticator');
    expect(letters).toContain('Support removed all passkeys');
    const again = await people.signedIn(someone.account);
    expect((await reset('sessions')).key).toBe('common.success');
    expect(await people.callerOf(again.token)).toBeNull();
    expect(
      (await trail())
        .filter(({ target }) => target === `user:${someone.id}`)
        .map((line) => [line.action, line.operator]),
    ).toEqual([
      ['users.reset.request', 'support1'],
      ['users.reset.reject', 'support1'],
      ['users.reset.request', 'support1'],
      ['users.reset', 'finance1'],
      ['users.reset.approve', 'finance1'],
      ['users.reset.request', 'support1'],
      ['users.reset', 'finance1'],
      ['users.reset.approve', 'finance1'],
      ['users.reset', 'support1'],
    ]);
  });

  test('get and lose roles; absent fields change nothing', async () => {
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
    const work = (): Promise<Readonly<Record<string, number>>> => auth.asks.ask(serviceAsks.work('auth'), {});
    const before = await work();
    expect(before).toEqual({
      kyc: expect.any(Number),
      frozen: expect.any(Number),
      approvals: expect.any(Number),
      approvals_held: 0,
    });
    const [caller, someone] = [await operator('support1'), await people.register()];
    const asked = await act(caller, 'users/reset', { user_id: String(someone.id), what: 'fund' });
    expect(await work()).toEqual({ ...before, approvals: Number(before['approvals']) + 1 });
    await act(caller, 'approvals/reject', { id: String(asked['approval_id']) });
    expect(await work()).toEqual(before);
    const piece = await auth.asks.ask(serviceAsks.export('auth'), {
      what: 'users',
      from: 0,
      to: Date.now() * 2,
      after: null,
    });
    expect(piece.columns.slice(0, 3)).toEqual(['id', 'account_number', 'email']);
    expect(piece.rows[0]?.[0]).toBe(100001);
    expect(piece.after).toBeNull();
    expect(piece.rows.every((row) => row.length === piece.columns.length)).toBe(true);
    expect(
      (
        await auth.asks.ask(serviceAsks.export('auth'), {
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
  const FIRST = 'Anchor-1357-first';
  const save = async (by: Caller, username: string, fields: Record<string, string> = {}): Promise<Answered> =>
    act(by, 'operators', { username, roles: 'finance', password: FIRST, ...fields });
  const decide = (by: Caller, verb: 'approve' | 'reject', asked: Answered): Promise<Answered> =>
    act(by, `approvals/${verb}`, { id: String(asked['approval_id']) });
  /** Added by operator, approved by operator2. */
  async function added(username: string, fields: Record<string, string> = {}): Promise<Answered> {
    const asked = await save(await operator('operator'), username, fields);
    const answer = await decide(await operator('operator2'), 'approve', asked);
    if (answer.key !== 'admin.approvalApproved') throw new Error(JSON.stringify([asked, answer]));
    return answer;
  }
  const isSecond = async (operatorId: number, others: number[]): Promise<boolean> =>
    (await auth.asks.ask(authAsks.secondPerson, { operatorId, others, role: 'finance' })).ok;

  test('a second admin approves their changes, one switches them off; no trail has a secret [HARD-104]', async () => {
    const [admin, second] = [await operator('operator'), await operator('operator2')];
    expect(await save(admin, 'a b')).toMatchObject({ key: 'common.fieldInvalid', field: 'username' });
    expect(await save(admin, 'finance9', { roles: 'finance,king' })).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'roles',
    });
    const asked = await save(admin, 'finance9');
    expect(asked).toMatchObject({ key: 'admin.approvalWaiting', approval_id: expect.any(Number) });
    expect((await signIn('finance9', FIRST)).key).toBe('auth.wrong');
    const list = async (by: Caller, query = ''): Promise<{ id: number }[]> =>
      ((await auth.get(`/api/admin/approvals${query}`, { caller: by })).message as { data: { id: number }[] }).data;
    expect((await list(second, '?state=waiting'))[0]).toEqual({
      in_force_at: '',
      held: 0,
      sent: 0,
      sent_time: '',
      sent_tries: 0,
      id: asked['approval_id'],
      call: 'operators',
      target: 'operator:finance9',
      reason: REASON.reason,
      before: {},
      after: { roles: ['finance'], active: true, password: 'set' },
      state: 'waiting',
      created_by: 'operator',
      decided_by: '',
      create_time: expect.stringMatching(/^\d/),
    });
    // An operator without the call's role neither sees nor decides it.
    const finance = await operator('finance2');
    expect((await list(finance)).map(({ id }) => id)).not.toContain(asked['approval_id']);
    for (const verb of ['approve', 'reject'] as const)
      expect((await decide(finance, verb, asked)).key).toBe('common.forbidden');
    expect((await decide(admin, 'approve', asked)).key).toBe('admin.samePerson');
    expect((await signIn('finance9', FIRST)).key).toBe('auth.wrong');
    expect(await decide(second, 'approve', asked)).toMatchObject({
      key: 'admin.approvalApproved',
      operator_id: expect.any(Number),
    });
    for (const verb of ['approve', 'reject'] as const)
      expect(await decide(second, verb, asked)).toMatchObject({
        key: 'admin.decided',
        params: { state: 'approved' },
      });
    expect((await operator('finance9', FIRST)).roles).toEqual(['finance']);

    const lower = await save(admin, 'finance9', { password: '', roles: 'support' });
    expect((await operator('finance9', FIRST)).roles).toEqual(['finance']);
    await decide(second, 'approve', lower);
    expect((await operator('finance9', FIRST)).roles).toEqual(['support']);
    // Other fields are ignored when an operator is switched off.
    expect((await save(admin, 'finance9', { roles: 'admin', active: '0', password: 'x' })).key).toBe('common.success');
    expect((await signIn('finance9', FIRST)).key).toBe('auth.wrong');
    expect(await save(admin, 'finance10', { active: '0' })).toMatchObject({ key: 'common.notFound' });
    const [row] = await auth.databases.query<{ roles: string[] }>(
      `select roles from auth.operator where username = 'finance9'`,
    );
    expect(row?.roles).toEqual(['support']);
    const lines = (await trail()).filter(({ target }) => target === 'operator:finance9');
    expect(lines.map(({ action, operator: by }) => [action, by])).toEqual([
      ['operators.request', 'operator'],
      ['operators.approve', 'operator2'],
      ['operators.request', 'operator'],
      ['operators.approve', 'operator2'],
      ['operators.save', 'operator'],
    ]);
    const kept = await auth.databases.query('select * from auth.approval');
    expect(JSON.stringify([lines, kept])).not.toMatch(/Anchor|argon/);
  });

  test('operators without the role of a decision, or switched off, no longer count for it [HARD-520]', async () => {
    const { operator_id: id } = await added('finance7');
    const others = [5, id as number, 987_654];
    const gone = async (role: 'finance' | 'admin'): Promise<readonly number[]> =>
      (await auth.asks.ask(authAsks.secondPerson, { operatorId: 1, others, role })).gone;
    expect([await gone('finance'), await gone('admin')]).toEqual([[987_654], [id, 987_654]]);
    await save(await operator('operator'), 'finance7', { active: '0' });
    expect(await gone('finance')).toEqual([id, 987_654]);
  });

  test('a sponsor is no second person, in either direction, for 72 hours [HARD-104]', async () => {
    const { operator_id: sock } = await added('sock1');
    const { operator_id: puppet } = await added('sock2');
    const [one, two, three] = [1, 5, 2]; // operator, operator2, finance1
    for (const sponsor of [one, two]) {
      expect(await isSecond(sock as number, [sponsor])).toBe(false);
      expect(await isSecond(sponsor, [sock as number])).toBe(false);
    }
    expect(await isSecond(sock as number, [puppet as number])).toBe(false);
    expect(await isSecond(sock as number, [three])).toBe(true);
    expect(await isSecond(one, [two])).toBe(true);
    // The same for waiting calls: an admin added by another one cannot approve that one's calls.
    await added('sock3', { roles: 'admin' });
    const asked = await save(await operator('operator'), 'sock4');
    expect(await decide(await operator('sock3', FIRST), 'approve', asked)).toMatchObject({
      key: 'admin.samePerson',
      params: { hours: 72 },
    });
    await auth.databases.query(`update auth.operator_sponsor set at = at - interval '72 hours 1 second'`);
    expect(await isSecond(sock as number, [one, two, puppet as number])).toBe(true);
    expect((await decide(await operator('sock3', FIRST), 'approve', asked)).key).toBe('admin.approvalApproved');
    // A reset counts as much as an addition.
    await decide(await operator('operator2'), 'approve', await save(await operator('operator'), 'sock1'));
    expect(await isSecond(sock as number, [one])).toBe(false);
  });

  test('an operator cannot remove own rights, set the own password here, or approve the own access', async () => {
    const [admin, second] = [await operator('operator'), await operator('operator2')];
    for (const fields of [{ roles: 'finance' }, { roles: 'admin', active: '0' }] as Record<string, string>[])
      expect((await save(admin, 'operator', { password: '', ...fields })).key).toBe('admin.ownRights');
    expect(await save(admin, 'operator', { roles: 'admin' })).toMatchObject({
      key: 'admin.ownPassword',
      field: 'password',
    });
    const asked = await save(admin, 'operator2', { roles: 'admin' });
    expect((await decide(second, 'approve', asked)).key).toBe('admin.samePerson');
    expect((await decide(second, 'reject', asked)).key).toBe('admin.approvalRejected');
    expect((await signIn('operator2')).type).toBe('ok');
  });

  test('a call is rejected when outdated, when its author is gone, or when undecided [HARD-104]', async () => {
    const [admin, second] = [await operator('operator'), await operator('operator2')];
    const [first, again] = [await save(admin, 'twice'), await save(admin, 'twice', { roles: 'admin' })];
    expect((await decide(second, 'approve', first)).key).toBe('admin.approvalApproved');
    expect((await decide(second, 'approve', again)).key).toBe('admin.outdated');
    await added('leaving', { roles: 'admin' });
    const left = await save(await operator('leaving', FIRST), 'heir');
    await save(admin, 'leaving', { active: '0' });
    await auth.databases.query(`update auth.operator_sponsor set at = at - interval '73 hours'`);
    expect((await decide(second, 'approve', left)).key).toBe('admin.outdated');
    await auth.databases.query('update auth.approval set expires_at = created_at where id = $1', [left['approval_id']]);
    expect(await decide(second, 'approve', left)).toMatchObject({
      key: 'admin.decided',
      params: { state: 'rejected' },
    });
    // Two approvals at once: one of them is carried out.
    const raced = await save(admin, 'raced');
    const third = await operator('operator2');
    const answers = await Promise.all([decide(second, 'approve', raced), decide(third, 'approve', raced)]);
    expect(answers.map(({ key }) => key).sort()).toEqual(['admin.approvalApproved', 'admin.decided']);
  });

  test('while there is one admin, the console is the way in [HARD-104]', async () => {
    const admin = await operator('operator');
    await auth.databases.query(`update auth.operator set active = false where roles @> array['admin'] and id <> 1`);
    try {
      expect((await save(admin, 'alone')).key).toBe('admin.soleAdmin');
    } finally {
      await auth.databases.query(`update auth.operator set active = true where username = 'operator2'`);
    }
  });

  test('passwords have 12 to 128 characters and are none of the common ones [HARD-311]', async () => {
    const admin = await operator('operator');
    for (const password of ['Anchor-1357', 'a'.repeat(129)])
      expect(await save(admin, 'finance8', { password })).toMatchObject({
        key: 'admin.passwordLength',
        params: { min: 12, max: 128 },
        field: 'password',
      });
    expect(await save(admin, 'finance8', { password: '' })).toMatchObject({ key: 'admin.passwordLength' });
    expect(await save(admin, 'some-long-name', { password: 'Some-Long-Name' })).toMatchObject({
      key: 'register.pswCommon',
    });
    const longest = 'Ö'.repeat(64) + '-1'.repeat(32);
    await added('finance8', { password: longest });
    expect((await signIn('finance8', longest)).type).toBe('ok');
    expect((await signIn('finance8', longest.slice(0, -1))).key).toBe('auth.wrong');
    const own = await operator('finance8', longest);
    expect(await act(own, 'password', { password: longest, new_password: 'Anchor-1357' })).toMatchObject({
      key: 'admin.passwordLength',
      field: 'new_password',
    });
  });

  test('choose their own password and authenticator by the old ones; their other sessions end', async () => {
    const CHOSEN = 'Anchor-1357-own';
    const first = await operator('finance1');
    const second = await operator('finance1');
    expect((await act(first, 'password', { password: 'Wrong-1234', new_password: CHOSEN })).key).toBe('auth.wrong');
    expect((await act(first, 'password', { password: PASSWORD, new_password: CHOSEN })).key).toBe('common.success');
    const living = await auth.databases.query<{ public_id: string }>(
      'select public_id from auth.operator_session where operator_id = $1 and ended_at is null',
      [first.userId],
    );
    expect(living.map(({ public_id }) => public_id)).toEqual([first.sessionId]);
    expect(second.sessionId).not.toBe(first.sessionId);

    expect((await act(first, 'totp_setup', { password: PASSWORD })).key).toBe('auth.wrong');
    const { secret } = (await act(first, 'totp_setup', { password: CHOSEN })).message as { secret: string };
    expect((await signIn('finance1', CHOSEN)).type).toBe('ok');
    expect((await act(first, 'totp_enable', { totp_code: otherThan(codeOf(secret)) })).key).toBe('login.totpWrong');
    expect((await act(first, 'totp_enable', { totp_code: codeOf(secret) })).key).toBe('totp.enabled');
    expect((await signIn('finance1', CHOSEN)).key).toBe('login.totpRequired');
    // From now on a password alone changes nothing, nor does a code that was used.
    for (const [path, fields] of [
      ['totp_setup', { password: CHOSEN }],
      ['password', { password: CHOSEN, new_password: 'Anchor-1357-other' }],
    ] as const) {
      expect((await act(first, path, fields)).key).toBe('login.totpRequired');
      expect((await act(first, path, { ...fields, totp_code: codeOf(secret) })).key).toBe('login.totpWrong');
    }
    expect((await act(first, 'totp_setup', { password: CHOSEN, totp_code: codeOf(secret, 1) })).type).toBe('ok');
    await auth.databases.query('update auth.operator set totp_step = 0 where id = $1', [first.userId]);
    expect((await signIn('finance1', CHOSEN, { totp_code: codeOf(secret, 1) })).type).toBe('ok');
  });

  test('if all need an authenticator, the first password is good for one sign-in with it [HARD-104]', async () => {
    const [admin, second] = [await operator('operator'), await operator('operator2')];
    await auth.databases.query(`insert into auth.setting_value (key, version, value) values ('admin_totp', 1, '1')`);
    try {
      const asked = await save(admin, 'guarded', { roles: 'support' });
      expect(asked['totp']).toBeUndefined();
      const { totp } = (await decide(second, 'approve', asked)) as unknown as { totp: { secret: string } };
      expect((await signIn('guarded', FIRST)).key).toBe('login.totpRequired');
      const totp_code = codeOf(totp.secret);
      expect(await signIn('guarded', FIRST, { totp_code })).toMatchObject({
        key: 'admin.passwordFirst',
        need: 'new_password',
      });
      expect((await signIn('guarded', FIRST, { totp_code, new_password: 'short' })).key).toBe('admin.passwordLength');
      expect((await signIn('guarded', FIRST, { totp_code, new_password: FIRST })).key).toBe('register.pswCommon');
      expect((await signIn('guarded', FIRST, { totp_code, new_password: 'Anchor-1357-mine' })).type).toBe('ok');
      expect((await signIn('guarded', FIRST, { totp_code: codeOf(totp.secret, 1) })).key).toBe('auth.wrong');
      expect((await signIn('guarded', 'Anchor-1357-mine', { totp_code: codeOf(totp.secret, 1) })).type).toBe('ok');
    } finally {
      await auth.databases.query(`delete from auth.setting_value where key = 'admin_totp'`);
    }
  });

  test('a lost authenticator is replaced by two admins; the password stays [AUTH-164]', async () => {
    const [admin, second] = [await operator('operator'), await operator('operator2')];
    const { operator_id: id } = await added('lost1');
    const own = await operator('lost1', FIRST);
    const { secret: old } = (await act(own, 'totp_setup', { password: FIRST })).message as { secret: string };
    await act(own, 'totp_enable', { totp_code: codeOf(old) });
    await auth.databases.query('delete from auth.operator_sponsor');
    // Not for oneself: a stolen session would ask for it.
    expect(await save(admin, 'operator', { password: '', roles: 'admin', new_totp: '1' })).toMatchObject({
      key: 'admin.ownRights',
      field: 'new_totp',
    });
    for (let attempt = 0; attempt < 20; attempt += 1)
      await auth.databases.query('insert into auth.failure (bucket, at) values ($1, now())', [
        `operator:${String(id)}`,
      ]);
    const elsewhere = (totp_code: string): Promise<Answered> =>
      auth.post('/api/admin/login', { username: 'lost1', password: FIRST, totp_code }, { ip: '203.0.113.7' });
    expect((await elsewhere(codeOf(old, 1))).key).toBe('login.resetOnly');

    const asked = await save(admin, 'lost1', { password: '', new_totp: '1' });
    expect((await decide(admin, 'approve', asked)).key).toBe('admin.samePerson');
    expect(await people.callerOf((await signIn('operator2')).message)).not.toBeNull();
    const approved = await decide(second, 'approve', asked);
    const { secret } = approved['totp'] as { secret: string; otpauth_url: string };
    expect(secret).not.toBe(old);
    const [session] = await auth.databases.query<{ ended: boolean }>(
      'select ended_at is not null as ended from auth.operator_session where public_id = $1',
      [own.sessionId],
    );
    expect(session?.ended).toBe(true);
    expect((await elsewhere(codeOf(old, 1))).key).toBe('login.totpWrong');
    expect((await elsewhere(codeOf(secret))).type).toBe('ok');
    // The approver who is shown the secret is a sponsor of this access, and so is the requester.
    for (const sponsor of [1, 5]) expect(await isSecond(id as number, [sponsor])).toBe(false);
    const line = (await trail()).findLast(({ target }) => target === 'operator:lost1');
    expect(line).toMatchObject({ action: 'operators.approve', operator: 'operator2' });
    expect(JSON.parse(line?.after ?? '')).toMatchObject({ authenticator: 'new', password: 'kept' });
    expect(JSON.stringify([line, await auth.databases.query('select * from auth.approval')])).not.toContain(secret);
  });

  test("the first one comes from the machine's console, and so does a reset [AUTH-163] [HARD-471]", async () => {
    await auth.databases.query(`insert into auth.setting_value (key, version, value) values ('admin_totp', 1, '1')`);
    try {
      const access = await addOperator(config, auth.databases.url, { username: 'Alice', roles: ['admin'] });
      const device: Device = { ip: '192.0.2.44', agent: 'console' };
      const enter = (password: string, secret: string, own?: string): Promise<Answered> => {
        const fields = { username: 'alice', password, totp_code: codeOf(secret) };
        return auth.post('/api/admin/login', own === undefined ? fields : { ...fields, new_password: own }, device);
      };
      // The terminal of the machine has shown the first password: nothing is done with it but choosing an own one.
      expect(await enter(access.password, access.totpSecret)).toMatchObject({
        type: 'error',
        key: 'admin.passwordFirst',
        need: 'new_password',
      });
      const entered = await enter(access.password, access.totpSecret, 'Anchor-2468-alice');
      expect(access.password.length).toBeGreaterThanOrEqual(12);
      expect(entered).toMatchObject({ type: 'ok', roles: ['admin'] });
      await expect(addOperator(config, auth.databases.url, { username: 'alice', roles: ['admin'] })).rejects.toThrow(
        'already',
      );
      await expect(addOperator(config, auth.databases.url, { username: 'bob', roles: ['king'] })).rejects.toThrow(
        'Roles are',
      );
      await expect(resetOperator(config, auth.databases.url, 'nobody')).rejects.toThrow('no operator');
      const renewed = await resetOperator(config, auth.databases.url, 'alice');
      expect(await people.callerOf(entered.message)).toBeNull();
      expect((await enter('Anchor-2468-alice', access.totpSecret)).key).toBe('auth.wrong');
      expect((await enter(renewed.password, renewed.totpSecret)).key).toBe('admin.passwordFirst');
      expect((await enter(renewed.password, renewed.totpSecret, 'Anchor-1357-alice')).type).toBe('ok');
      const lines = (await trail()).filter(({ target }) => target === 'operator:alice');
      expect(lines.map(({ action, operator: by }) => [action, by])).toEqual([
        ['operators.add', 'console'],
        ['operators.reset', 'console'],
      ]);
      expect(JSON.stringify(lines)).not.toContain(renewed.password);
    } finally {
      await auth.databases.query(`delete from auth.setting_value where key = 'admin_totp'`);
    }
  });
});
