import { expect, test } from '@jest/globals';
import type { Clock } from '@bourse/platform';
import { LastRound } from './last-round.js';
import type { AuditResult, RoundStore } from './round-store.js';

test('the last round is read at most every two seconds, however many ask [EDGE-038]', async () => {
  let real = 10_000;
  let reads = 0;
  const rounds = { read: async () => ({ checkedAt: ++reads, checks: [] }) satisfies AuditResult };
  const last = new LastRound(rounds as unknown as RoundStore, { real: () => real } as Clock);
  expect(await Promise.all([last.read(), last.read()])).toEqual([
    { checkedAt: 1, checks: [] },
    { checkedAt: 1, checks: [] },
  ]);
  real += 1_999;
  expect((await last.read())?.checkedAt).toBe(1);
  real += 1;
  expect((await last.read())?.checkedAt).toBe(2);
});

test('an unreadable row counts as no round, and is read again [EDGE-038]', async () => {
  let real = 0;
  let broken = true;
  const read = async (): Promise<AuditResult> => {
    if (broken) throw new Error('no line');
    return { checkedAt: 5, checks: [] };
  };
  const last = new LastRound({ read } as unknown as RoundStore, { real: () => real } as Clock);
  expect(await last.read()).toBeNull();
  broken = false;
  real += 2_000;
  expect((await last.read())?.checkedAt).toBe(5);
});

test.each([
  ['fails', () => Promise.reject(new Error('connect ECONNREFUSED'))],
  ['does not answer', () => new Promise<AuditResult>(() => undefined)],
])('a database whose reading %s is away, and is back with the first that succeeds [EDGE-061]', async (_how, broken) => {
  let real = 0;
  let read: () => Promise<AuditResult | null> = () => Promise.resolve(null);
  const last = new LastRound({ read: () => read() } as unknown as RoundStore, { real: () => real } as Clock);
  // No round has ended yet: that is no sign of a lost database.
  expect([await last.databaseIsAway(), await last.read()]).toEqual([false, null]);
  read = broken;
  real += 2_000;
  expect([await last.databaseIsAway(), await last.read()]).toEqual([true, null]);
  read = () => Promise.resolve({ checkedAt: 7, checks: [] });
  real += 2_000;
  expect([await last.databaseIsAway(), (await last.read())?.checkedAt]).toEqual([false, 7]);
});
