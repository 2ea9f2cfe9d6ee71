import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { authAsks } from '@bourse/messaging';
import { Config } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';
import { FUND, otherThan, PASSWORD, peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth({ LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);
const setup = (who: Someone): Promise<Answered> => auth.post('/api/safe/totp_setup', {}, { caller: who.caller });
const age = (who: Someone, column: string, minutes: number): Promise<unknown> =>
  auth.databases.query(
    `update auth.session set ${column} = ${column} - $2 * interval '1 minute' where public_id = $1`,
    [who.caller.sessionId, minutes],
  );
/** A browser that sends an id of its own, as the edge passes its hash on. */
const browser = (agent: string, ip = '203.0.113.50'): Device & { device: string } => ({
  ip,
  agent,
  device: randomBytes(24).toString('base64url'),
});

describe('a confirmed session [HARD-103]', () => {
  test('is one that signed in with the password within ten minutes, or gave it again', async () => {
    const who = await people.register();
    await age(who, 'confirmed_at', 9);
    expect((await setup(who)).type).toBe('ok');
    await age(who, 'confirmed_at', 1);
    expect(await setup(who)).toMatchObject({ type: 'error', key: 'auth.confirm', need: 'password' });
    const confirm = (password: string): Promise<Answered> =>
      auth.post('/api/user/confirm_password', { password }, { caller: who.caller });
    expect(await confirm('')).toMatchObject({ key: 'common.fieldRequired', field: 'password' });
    expect(await confirm('Wrong-1234')).toMatchObject({ key: 'auth.wrong', params: { left: 9 }, field: 'password' });
    const done = await confirm(PASSWORD);
    expect(done).toMatchObject({ type: 'ok', key: 'auth.confirmed' });
    expect(Math.abs((done['until'] as number) - auth.clock.sessions() - 600_000)).toBeLessThan(5_000);
    expect((await setup(who)).type).toBe('ok');
  });

  test('the confirmation is of this session, counts on the clock of sessions, and ends with it', async () => {
    const who = await people.register();
    const other = await people.signedIn(who.account);
    await age(who, 'confirmed_at', 11);
    expect([(await setup(who)).key, (await setup(other)).type]).toEqual(['auth.confirm', 'ok']);
    await auth.post('/api/user/logout', {}, { caller: other.caller });
    expect((await setup(other)).type).toBe('999');
  });

  test('a second fund password needs a code, the first a confirmation; all keys end [HARD-305]', async () => {
    const who = await people.register();
    const set = async (): Promise<Answered> =>
      auth.post(
        '/api/safe/update_password',
        { password: FUND, re_password: FUND, code: await people.codeFor(who.account, 'fund', who.caller) },
        { caller: who.caller },
      );
    await age(who, 'confirmed_at', 11);
    expect((await set()).key).toBe('auth.confirm');
    await age(who, 'confirmed_at', -11);
    await people.forgetPause();
    expect((await set()).key).toBe('fund.saved');
    expect((await people.letters(who.account, 'security'))[0]).toContain('A fund password was set');
    const made = await auth.post(
      '/api/apikey',
      { label: 'bot', permissions: 'read', password: FUND },
      { caller: who.caller },
    );
    const { key } = made.message as { key: string };
    expect(await auth.asks.ask(authAsks.apiKey, { key })).not.toBeNull();
    await age(who, 'confirmed_at', 11);
    await people.forgetPause();
    expect((await set()).key).toBe('fund.saved');
    expect(await auth.asks.ask(authAsks.apiKey, { key })).toBeNull();
    expect(await auth.asks.ask(authAsks.withdrawals, { userId: who.id })).toMatchObject({
      blockedUntil: expect.any(Number),
    });
  });
});

describe('a device id of our own [HARD-310]', () => {
  test('recognizes a browser behind another address and agent, and nothing more', async () => {
    const who = await people.register();
    const home = browser('home/1');
    await people.signedIn(who.account, home);
    const before = (await people.letters(who.account, 'security')).length;
    await people.signedIn(who.account, { ...home, ip: '198.51.100.9', agent: 'home/2' });
    expect(await people.letters(who.account, 'security')).toHaveLength(before);
    // The same address and agent without the id: a stranger.
    await people.signedIn(who.account, { ip: '198.51.100.9', agent: 'home/2' });
    expect(await people.letters(who.account, 'security')).toHaveLength(before + 1);
    const rows = await auth.databases.query<{ device: string }>('select device from auth.device where user_id = $1', [
      who.id,
    ]);
    expect(rows.map(({ device }) => device)).toContain(`id:${home.device}`);
  });

  test('a device known by address and agent before there were ids stays known, and is not locked out', async () => {
    const who = await people.register();
    const [ip, agent] = ['203.0.113.60', 'browser/128'];
    const legacy = createHash('sha256').update(`${ip}|${agent}`).digest('base64url').slice(0, 22);
    await auth.databases.query('insert into auth.device (user_id, device, last_at) values ($1, $2, now())', [
      who.id,
      legacy,
    ]);
    for (let count = 0; count < 10; count += 1)
      await people.login(who.account, 'Wrong-1234', {}, { ip: '198.51.100.66', agent: 'stranger' });
    expect((await people.login(who.account, PASSWORD, {}, { ip: '198.51.100.66', agent: 'stranger' })).key).toBe(
      'set.enterCode',
    );
    const before = (await people.letters(who.account, 'security')).length;
    const updated = { ...browser(agent, ip) };
    expect((await people.login(who.account, PASSWORD, {}, updated)).type).toBe('ok');
    expect(await people.letters(who.account, 'security')).toHaveLength(before);
    // From now on by the id alone.
    expect((await people.login(who.account, PASSWORD, {}, { ...updated, agent: 'browser/129' })).type).toBe('ok');
  });

  test('the codes of an hour are counted for a whole /64 of IPv6 [HARD-314]', async () => {
    const strict = await startAuth({ RATE_SCALE: '1' });
    try {
      const ask = (name: number, ip: string): Promise<Answered> =>
        strict.post('/api/sms_mail', { user_string: `new${name}@example.org`, scene: 'register' }, { ip, agent: 'a' });
      for (let count = 1; count <= 20; count += 1)
        expect((await ask(count, `2001:db8:7:7::${count.toString(16)}`)).key).toBe('code.sent');
      expect((await ask(21, '2001:db8:7:7:ffff::1')).key).toBe('code.tooMany');
      expect((await ask(22, '2001:db8:7:8::1')).key).toBe('code.sent');
    } finally {
      await strict.end();
    }
  });

  test('the codes of an hour are no more for an address that asks for all of them at once [AUTH-221]', async () => {
    const strict = await startAuth({ RATE_SCALE: '1' });
    try {
      const ask = (name: number): Promise<Answered> =>
        strict.post('/api/sms_mail', { user_string: `all${name}@example.org`, scene: 'register' });
      for (let count = 1; count <= 15; count += 1) expect((await ask(count)).key).toBe('code.sent');
      const answers = await Promise.all(Array.from({ length: 25 }, (_, at) => ask(100 + at)));
      expect(answers.filter(({ key }) => key === 'code.sent')).toHaveLength(5);
      expect(answers.filter(({ key }) => key === 'code.tooMany')).toHaveLength(20);
    } finally {
      await strict.end();
    }
  });

  test('code requests of strangers do not block a known device', async () => {
    const strict = await startAuth({ RATE_SCALE: '1' });
    try {
      const account = 'trader1@demo.bourse';
      const home = browser('home/1');
      const ask = (device: Device): Promise<Answered> =>
        strict.post('/api/sms_mail', { user_string: account, scene: 'forget' }, device);
      expect((await strict.post('/api/user/login', { user_string: account, password: PASSWORD }, home)).type).toBe(
        'ok',
      );
      for (let count = 0; count < 5; count += 1) {
        expect((await ask({ ip: `198.51.100.${count}`, agent: 'stranger' })).key).toBe('code.sent');
        await strict.databases.query(`update auth.code set created_at = created_at - interval '1 minute'`);
      }
      expect((await ask({ ip: '198.51.100.77', agent: 'stranger' })).key).toBe('code.tooMany');
      expect((await ask(home)).key).toBe('code.sent');
      expect((await ask(home)).key).toBe('code.tooSoon');
    } finally {
      await strict.end();
    }
  });
});

describe('codes belong to their requesters [HARD-310, HARD-303]', () => {
  test('guesses from elsewhere count apart, and get the same answers as without a code', async () => {
    const account = 'asked@example.org';
    const stranger: Device = { ip: '198.51.100.70', agent: 'stranger' };
    const code = await people.codeFor(account, 'register');
    const guess = (name: string, digits: string, device: Device): Promise<Answered> =>
      auth.post('/api/user/check_email', { email_code: digits, user_string: name, scene: 'register' }, device);
    for (const left of [4, 3, 2, 1, 0, 0])
      for (const name of [account, 'never@example.org'])
        expect(await guess(name, otherThan(code), stranger)).toMatchObject({ key: 'code.wrong', params: { left } });
    expect(await guess(account, code, stranger)).toMatchObject({ key: 'code.wrong' });
    expect(await guess(account, code, {})).toMatchObject({ key: 'code.ok' });
    expect(await auth.databases.query('select tries from auth.code where name_key = $1', [`email:${account}`])).toEqual(
      [{ tries: 1 }],
    );
  });
});

test("people's security actions are logged with the person and without a secret [HARD-206]", async () => {
  const who = await people.register();
  await people.login(who.account, 'Wrong-1234');
  await people.setFund(who);
  await auth.asks.ask(authAsks.fund, { userId: who.id, password: 'wrong1' });
  await auth.post('/api/safe/freeze', { password: PASSWORD }, { caller: who.caller });
  // Lines are written behind the answers.
  const lines = await eventually(() => {
    const read = readFileSync(join(auth.get$(Config).dataDir, 'security.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { event: string; user_id?: number; ip?: string; request_id?: string });
    return read.some(({ event, user_id }) => event === 'account.frozen' && user_id === who.id) ? read : null;
  });
  const events = lines.filter(({ user_id }) => user_id === who.id).map(({ event }) => event);
  expect(events).toEqual(
    expect.arrayContaining([
      'sign_in.succeeded',
      'sign_in.failed',
      'code.sent',
      'fund_password.set',
      'fund_password.wrong',
      'account.frozen',
    ]),
  );
  expect(lines.find(({ event, user_id }) => event === 'sign_in.failed' && user_id === who.id)).toMatchObject({
    ip: '192.0.2.1',
    request_id: 'r',
  });
  const text = JSON.stringify(lines);
  for (const secret of [PASSWORD, FUND, 'Wrong-1234', 'wrong1', who.token, who.account])
    expect(text).not.toContain(secret);
});
