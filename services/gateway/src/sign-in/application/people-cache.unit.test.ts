import { describe, expect, jest, test } from '@jest/globals';
import type { Asks, Counters, Views } from '@bourse/messaging';
import type { Caller, Clock } from '@bourse/platform';
import { ApiKeys } from './api-keys.js';
import { signatureOf } from './api-signature.js';
import { CacheByUser } from '../../shared/application/cache-by-user.js';
import { Sessions, type SessionView } from './sessions.js';

interface Kept {
  readonly userId: number;
}

describe('the cache by user [EDGE-045]', () => {
  test('drops the least recently used entry when it is full, and no other', () => {
    const cache = new CacheByUser<Kept>(3, ({ userId }) => userId);
    for (const userId of [1, 2, 3]) cache.set(`of ${userId}`, { userId });
    expect(cache.get('of 1')).toEqual({ userId: 1 });
    cache.set('of 4', { userId: 4 });
    expect(['of 1', 'of 2', 'of 3', 'of 4'].map((name) => cache.get(name)?.userId)).toEqual([1, undefined, 3, 4]);
    expect([1, 2, 3, 4].map((userId) => cache.namesOf(userId).length)).toEqual([1, 0, 1, 1]);
  });

  test('a person is forgotten under all names, and alone', () => {
    const cache = new CacheByUser<Kept>(10, ({ userId }) => userId);
    cache.set('a', { userId: 1 });
    cache.set('b', { userId: 1 });
    cache.set('c', { userId: 2 });
    cache.set('b', { userId: 2 }); // a name that has gone over to somebody else
    cache.forget(1);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, { userId: 2 }, { userId: 2 }]);
    expect(cache.namesOf(2)).toEqual(['c', 'b']);
    cache.delete('c');
    cache.clear();
    expect([cache.size, cache.namesOf(2)]).toEqual([0, []]);
  });

  test('the news of one person costs the same however many are remembered', () => {
    let looked = 0;
    const cache = new CacheByUser<Kept>(50_000, ({ userId }) => {
      looked += 1;
      return userId;
    });
    for (let userId = 0; userId < 50_000; userId += 1) cache.set(`of ${userId}`, { userId });
    looked = 0;
    cache.forget(7);
    expect(looked).toBeLessThan(5);
    expect(cache.size).toBe(49_999);
  });
});

/** A double of auth that counts the questions. */
class Auth {
  readonly asked: string[] = [];
  tell: (view: SessionView) => void = () => undefined;
  readonly views = {
    onGap: () => undefined,
    subscribe: (channel: string, listener: (view: SessionView) => void) => {
      if (channel === 'session/') this.tell = listener;
      return () => undefined;
    },
  } as unknown as Views;
  readonly asks = {
    ask: (_ask: object, { token, key }: { token?: string; key?: string }) => {
      const name = token ?? key ?? '';
      this.asked.push(name);
      const caller = { userId: Number(name.replace(/\D/g, '')), sessionId: name } as Caller;
      return Promise.resolve(token === undefined ? { caller, secret: SECRET, permissions: ['read'], ips: [] } : caller);
    },
  } as unknown as Asks;
}
const SECRET = 'a secret of a key in tests';
const clock = { real: () => Date.now(), sessions: () => Date.now() } as Clock;

test('a session beyond the fifty thousandth pushes out one; an end forgets its person alone [EDGE-045]', async () => {
  const auth = new Auth();
  const sessions = new Sessions(auth.asks, auth.views, clock);
  sessions.onApplicationBootstrap();
  for (let n = 0; n <= 50_000; n += 1) await sessions.ask(`token ${n}`, { sub: String(n), sid: 's' });
  expect(sessions.remembered('token 0')).toBeNull();
  expect(sessions.remembered('token 1')?.userId).toBe(1);
  auth.tell({ userId: 1, ended: 'all' });
  expect(sessions.remembered('token 1')).toBeNull();
  expect(sessions.remembered('token 2')?.userId).toBe(2);
  expect(sessions.remembered('token 50000')?.userId).toBe(50_000);
});

test('keys beyond the ten thousandth push out one, not all; news forget their owner alone [EDGE-045]', async () => {
  const auth = new Auth();
  const keys = new ApiKeys(auth.asks, auth.views, {} as Counters, clock);
  keys.onApplicationBootstrap();
  const nameOf = (n: number): string => `key-of-${n}-x`;
  const call = async (n: number): Promise<void> => {
    const timestamp = String(Date.now());
    const sent = { method: 'GET', path: '/api/user/info', timestamp, bodyDigest: undefined };
    const headers = {
      'x-api-key': nameOf(n),
      'x-api-timestamp': timestamp,
      'x-api-signature': signatureOf(SECRET, sent),
    };
    await keys.signer({ headers, method: sent.method, url: sent.path, bodyDigest: undefined });
  };
  for (let n = 0; n <= 10_000; n += 1) await call(n);
  auth.asked.length = 0;
  auth.tell({ userId: 3, ended: [] });
  for (const n of [1, 2, 3, 10_000]) await call(n);
  expect(auth.asked).toEqual([nameOf(3)]);
  await call(0);
  expect(auth.asked).toEqual([nameOf(3), nameOf(0)]);
});

test('an older record that a gate has asked for does not replace a newer one [EDGE-065]', async () => {
  const auth = new Auth();
  const sessions = new Sessions(auth.asks, auth.views, clock);
  sessions.onApplicationBootstrap();
  const claims = { sub: '1', sid: 's' };
  const caller = (await sessions.ask('token 1', claims)) as Caller;
  let answer: (record: object) => void = () => undefined;
  jest.spyOn(auth.asks, 'ask').mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const asked = sessions.fresh(caller);
  auth.tell({ userId: 1, ended: [] });
  const newer = await sessions.ask('token 1', claims);
  answer({ ...caller, status: 'older' });
  await asked;
  expect(sessions.remembered('token 1')).toBe(newer);
});
