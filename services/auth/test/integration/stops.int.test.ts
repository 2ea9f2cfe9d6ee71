import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { authAsks } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import type { Caller } from '@bourse/platform';
import { startAuth, type AuthProcess } from './auth-process.js';
import { peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

const HOUR_MS = 3_600_000;
let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const people = peopleOf(() => auth);

const record = async ({ id }: Someone): Promise<Caller> => {
  const caller = await auth.asks.ask(authAsks.caller, { userId: id });
  if (!caller) throw new Error(`${id} is not there`);
  return caller;
};
const bind = async (who: Someone, mobile: string): Promise<void> => {
  const code = await people.codeFor(mobile, 'bind', who.caller);
  expect((await auth.post('/api/safe/mobile', { mobile, code }, { caller: who.caller })).key).toBe('bind.mobile');
};

test('a block that is extended keeps its beginning, a later one has its own [HARD-411]', async () => {
  const who = await people.register();
  expect((await record(who)).withdrawalsBlocked).toBeNull();
  await bind(who, '5550100201');
  const first = (await record(who)).withdrawalsBlocked;
  expect(first).toEqual({ since: expect.any(Number), until: (first?.since ?? 0) + 24 * HOUR_MS });
  auth.clock.setOffset(auth.clock.now() - auth.clock.real() + HOUR_MS);
  await bind(who, '5550100202');
  const second = (await record(who)).withdrawalsBlocked;
  expect(second?.since).toBe(first?.since);
  expect(second?.until).toBeGreaterThanOrEqual((first?.until ?? 0) + HOUR_MS);
  auth.clock.setOffset(auth.clock.now() - auth.clock.real() + 25 * HOUR_MS);
  await bind(who, '5550100203');
  expect((await record(who)).withdrawalsBlocked?.since).toBeGreaterThan(second?.until ?? Infinity);
});

test('a freeze that keeps money in keeps its beginning from one such scope to the other [HARD-412]', async () => {
  const who = await people.register();
  const freeze = async (scope: string): Promise<Caller> => {
    const { key } = await auth.post(
      '/api/admin/users/freeze',
      {
        user_id: String(who.id),
        scope,
        reason: 'an integration test',
      },
      { caller: { ...who.caller, kind: 'operator', roles: ['support'] } },
    );
    expect(key).toBe('common.success');
    return record(who);
  };
  expect((await record(who)).frozenSince).toBeNull();
  const { frozenSince } = await freeze('withdraw');
  expect(frozenSince).toEqual(expect.any(Number));
  auth.clock.setOffset(auth.clock.now() - auth.clock.real() + HOUR_MS);
  expect(await freeze('all')).toMatchObject({ frozen: 'all', frozenSince });
  expect((await freeze('trade')).frozenSince).toBe(frozenSince);
  expect((await freeze('none')).frozenSince).toBeNull();
  expect((await freeze('withdraw')).frozenSince).toBeGreaterThan(frozenSince ?? Infinity);
});
