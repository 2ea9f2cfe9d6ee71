import { expect, test } from '@jest/globals';
import type { Commands, Sagas } from '@bourse/ledger-client';
import type { Timers, TimersHandler, Tx } from '@bourse/persistence';
import type { Clock, Ids } from '@bourse/platform';
import type { Policies } from './policies.js';
import type { PolicyStore } from './ports.js';
import { Claims } from './claims.js';

const DAY_MS = 24 * 3_600_000;

test('payouts of a day are counted person by person, however their claims fall due [INSURANCE-013]', async () => {
  const claims = [
    { id: '1', userId: 30, dueAt: DAY_MS },
    { id: '2', userId: 10, dueAt: DAY_MS },
    { id: '3', userId: 20, dueAt: DAY_MS },
    { id: '4', userId: 10, dueAt: DAY_MS },
    { id: '5', userId: 10, dueAt: 2 * DAY_MS },
    { id: '6', userId: 5, dueAt: 2 * DAY_MS },
  ];
  const [counted, moved]: [[number, number][], string[]] = [[], []];
  let handler: TimersHandler = () => Promise.resolve();
  const store = {
    lockClaim: (_: Tx, id: string) => Promise.resolve({ ...claims.find((one) => one.id === id), state: 'booked' }),
    lock: () => Promise.resolve([{ terms: { claimsPerDay: 1 } }]),
    takePayout: (_: Tx, userId: number, day: number) => Promise.resolve(counted.push([day, userId]) < 0),
  };
  const timers = {
    handleAll: (_: string, given: TimersHandler) => (handler = given),
    set: (_: Tx, __: string, id: string) => Promise.resolve(moved.push(id)),
  };
  const sagas = { define: () => ({}), defineMove: () => ({}) };
  new Claims(
    sagas as unknown as Sagas,
    {} as Commands,
    store as unknown as PolicyStore,
    {} as Policies,
    timers as unknown as Timers,
    {} as Clock,
    {} as Ids,
  );
  await handler(
    claims.map(({ id, dueAt }) => ({ kind: 'insurance.payout', id, dueAt, payload: null })),
    {} as Tx,
  );
  expect(counted.map(([, userId]) => userId)).toEqual([10, 10, 20, 30, 5, 10]);
  expect(moved).toEqual(['2', '4', '3', '1', '6', '5']);
});
