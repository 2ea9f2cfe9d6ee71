import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { PasswordsBusy } from '../../src/shared/crypto/hash-queue.js';
import { Passwords } from '../../src/shared/application/ports/passwords.js';
import { Clock } from '@bourse/platform';
import { startAuth, type Answered, type AuthProcess, type Device } from './auth-process.js';
import { FUND, otherThan, PASSWORD, peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

/** More calls than a code bears tries. */
const MANY = 6;
const OTHER = 'Anchor-1357';
const busy = (method: 'hash' | 'hashLogin' | 'verify', times = MANY): void => {
  const spy = jest.spyOn(auth.get$(Passwords), method);
  for (let at = 0; at < times; at += 1) spy.mockRejectedValueOnce(new PasswordsBusy('the queue is full'));
};
const keysOf = async (times: number, call: () => Promise<Answered>): Promise<(string | undefined)[]> => {
  const keys: (string | undefined)[] = [];
  for (let at = 0; at < times; at += 1) keys.push((await call()).key);
  return keys;
};
const all = (times: number, key: string): string[] => Array.from({ length: times }, () => key);

const signUp = (account: string, code: string, password = PASSWORD, device: Device = {}): Promise<Answered> =>
  auth.post(
    '/api/user/register',
    { type: 'email', user_string: account, code, password, re_password: password },
    device,
  );
const forget = (account: string, code: string, password: string): Promise<Answered> =>
  auth.post('/api/user/forget', { account, code, password, repassword: password });
const setFund = ({ caller }: Someone, code: string, password: string): Promise<Answered> =>
  auth.post('/api/safe/update_password', { password, re_password: password, code }, { caller });
const bind = ({ caller }: Someone, code: string, email: string): Promise<Answered> =>
  auth.post('/api/safe/email', { email, code }, { caller });

describe('a call with a code that is answered 503 is repeated with the same code', () => {
  test('a registration that finds the hashing queue full costs no try of its code [AUTH-227]', async () => {
    const account = 'busy@example.org';
    const code = await people.codeFor(account, 'register');
    busy('hashLogin');
    expect(await keysOf(MANY, () => signUp(account, code))).toEqual(all(MANY, 'common.unavailable'));
    expect((await signUp(account, code)).key).toBe('register.success');
  });

  test('so do a reset of the password and a new fund password [AUTH-227]', async () => {
    const who = await people.register();
    const code = await people.codeFor(who.account, 'fund', who.caller);
    busy('hash');
    expect(await keysOf(MANY, () => setFund(who, code, FUND))).toEqual(all(MANY, 'common.unavailable'));
    expect((await setFund(who, code, FUND)).key).toBe('fund.saved');
    const reset = await people.codeFor(who.account, 'forget');
    busy('hashLogin');
    expect(await keysOf(MANY, () => forget(who.account, reset, OTHER))).toEqual(all(MANY, 'common.unavailable'));
    expect((await forget(who.account, reset, OTHER)).key).toBe('forget.success');
  });

  test('wrong digits still cost tries, beside right ones that cost none [AUTH-227]', async () => {
    const account = 'guessed@example.org';
    const code = await people.codeFor(account, 'register');
    busy('hashLogin', 1);
    expect((await signUp(account, code)).key).toBe('common.unavailable');
    for (const left of [4, 3, 2, 1, 0])
      expect(await signUp(account, otherThan(code))).toMatchObject({ key: 'code.wrong', params: { left } });
    expect((await signUp(account, code)).key).toBe('code.expired');
  });
});

describe('a call whose time is over uses up no code', () => {
  /** Later than the time of a call, and earlier than the end of the gateway's signature. */
  const LATE_MS = 10_000;
  beforeAll(() => {
    auth.limitCalls(5_000);
  });
  afterAll(() => {
    auth.limitCalls(null);
  });
  /** Calls with a code, each made ready first; `call` is repeated with the same code. */
  const CALLS: Readonly<Record<string, () => Promise<{ call: () => Promise<Answered>; done: string }>>> = {
    'a registration': async () => {
      const account = 'late@example.org';
      const code = await people.codeFor(account, 'register');
      return { call: () => signUp(account, code), done: 'register.success' };
    },
    'a reset of the password': async () => {
      const { account } = await people.register();
      const code = await people.codeFor(account, 'forget');
      return { call: () => forget(account, code, OTHER), done: 'forget.success' };
    },
    'a new fund password': async () => {
      const who = await people.register();
      const code = await people.codeFor(who.account, 'fund', who.caller);
      return { call: () => setFund(who, code, FUND), done: 'fund.saved' };
    },
    'a new contact': async () => {
      const who = await people.register();
      const code = await people.codeFor('new@example.org', 'bind', who.caller);
      return { call: () => bind(who, code, 'new@example.org'), done: 'bind.email' };
    },
  };

  test.each(Object.keys(CALLS))('%s is refused and can be repeated with the same code [AUTH-228]', async (name) => {
    const { call, done } = await CALLS[name]!();
    const clock = jest.spyOn(auth.get$(Clock), 'real').mockImplementation(() => Date.now() + LATE_MS);
    expect((await call()).key).toBe('common.unavailable');
    clock.mockRestore();
    expect((await call()).key).toBe(done);
    expect((await call()).type).not.toBe('ok');
  });
});
