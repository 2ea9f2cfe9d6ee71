import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Tx } from '@bourse/persistence';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { AuthDatabase } from '../../src/shared/application/ports/database.js';
import { Passwords } from '../../src/shared/application/ports/passwords.js';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { PASSWORD, peopleOf } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
/** The process's work since the last reading: slow hashes, and the beginning of each statement. */
const work: string[] = [];
beforeAll(async () => {
  auth = await startAuth();
  const passwords = auth.get$(Passwords);
  const verify = passwords.verify.bind(passwords);
  passwords.verify = (hash, password) => {
    work.push('slow hash');
    return verify(hash, password);
  };
  const database = auth.get$(AuthDatabase);
  const noted = <T extends Pick<Tx, 'query' | 'execute'>>(sql: T): T =>
    new Proxy(sql, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (name === 'query' || name === 'execute') work.push(String(args[0]).replace(/\s+/g, ' ').slice(0, 60));
          return (value as (...given: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  const transaction = database.transaction.bind(database);
  database.transaction = (run, options) => transaction((tx) => run(noted(tx)), options);
  for (const name of ['query', 'execute'] as const) {
    const plain = (database[name] as (sql: string, params?: readonly unknown[]) => Promise<never>).bind(database);
    database[name] = (sql: string, params?: readonly unknown[]) => {
      work.push(sql.replace(/\s+/g, ' ').slice(0, 60));
      return plain(sql, params);
    };
  }
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

/**
 * Background work of the process: its clock follows the database's, its relay reads streams and positions. And letters
 * into the inbox of a demo install: no other install writes them.
 */
const BESIDE = /^insert into letter|extract\(epoch from clock_timestamp|\b(?:stream|outbox|owner|position)\b/;

/** The work and the answer of a call. */
async function done(
  call: () => Promise<Answered>,
): Promise<{ readonly did: readonly string[]; readonly said: object }> {
  work.length = 0;
  const { type, key, params, message } = await call();
  return { did: work.filter((step) => !BESIDE.test(step)), said: { type, key, params, message } };
}

test('accounts that are missing or cannot sign in cost the same steps and get the same answer [AUTH-103]', async () => {
  const who = await people.register();
  const calls: Record<string, (account: string) => Promise<Answered>> = {
    login: (account) => people.login(account, 'Wrong-1234'),
    device_login: (account) =>
      auth.post('/api/user/device_login', { user_string: account, authorization_code: 'ABCDEFGH' }),
    'a code for a forgotten password': (account) =>
      auth.post('/api/sms_mail', { user_string: account, scene: 'forget' }),
    'a code for the sign-in': (account) => auth.post('/api/sms_mail', { user_string: account, scene: 'login' }),
    forget: (account) =>
      auth.post('/api/user/forget', { account, code: 'no code', password: 'Anchor-1357', repassword: 'Anchor-1357' }),
    check: (account) => auth.post('/api/user/check_email', { user_string: account, scene: 'forget', code: 'no code' }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const real = await done(() => call(who.account));
    expect([name, real.did.length > 0]).toEqual([name, true]);
    for (const account of ['ghost@example.org', 'maker@house.bourse'])
      expect([name, account, await done(() => call(account))]).toEqual([name, account, real]);
  }
});

test("every sign-in hashes once, and so does one with an unknown operator's name [AUTH-103]", async () => {
  const hashes = async (call: () => Promise<Answered>): Promise<number> =>
    (await done(call)).did.filter((step) => step === 'slow hash').length;
  for (const account of ['trader2@demo.bourse', 'ghost2@example.org', 'taker@house.bourse', 'no account'])
    expect([account, await hashes(() => people.login(account, 'Wrong-1234'))]).toEqual([account, 1]);
  const knock = (username: string): Promise<{ did: readonly string[]; said: object }> =>
    done(() => auth.post('/api/admin/login', { username, password: 'Wrong-1234' }));
  const real = await knock('operator');
  expect(real.did.filter((step) => step === 'slow hash')).toHaveLength(1);
  expect(await knock('nobody')).toEqual(real);
  expect((await people.login('trader2@demo.bourse', PASSWORD)).type).toBe('ok');
});
