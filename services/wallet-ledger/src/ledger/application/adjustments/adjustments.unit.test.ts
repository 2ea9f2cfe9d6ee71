import { expect, test } from '@jest/globals';
import type { Asks, SecondPerson } from '@bourse/messaging';
import { Unavailable, type Clock } from '@bourse/platform';
import type { Currencies } from '../currencies.js';
import type { UseCaseDatabase } from '../use-case-database.js';
import { Adjustments } from './adjustments.js';
import type { PostAdjustment } from './post-adjustment.js';
import type { Adjustment, AdjustmentStore } from './ports.js';

const ROW = { id: 5, state: 'waiting', createdBy: 1, userId: 100_001 } as Adjustment;
const BY = { operatorId: 2, operator: 'two', reason: 'because' };

test.each([
  ['the database undoes it', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  ['the ledger is away', new Unavailable('away')],
])('an approval is pending, not undone, when its booking fails since %s [ADJUST-040]', async (_, problem) => {
  const decided: unknown[] = [];
  const adjustments = new Adjustments(
    {
      find: () => Promise.resolve(ROW),
      lock: () => Promise.resolve(ROW),
      decide: (_tx: unknown, ...decision: unknown[]) => Promise.resolve(decided.push(decision)),
      addParts: () => Promise.resolve(),
    } as unknown as AdjustmentStore,
    { plan: () => Promise.resolve([]), settle: () => Promise.reject(problem) } as unknown as PostAdjustment,
    { transaction: (work: (tx: unknown) => unknown) => work({}) } as unknown as UseCaseDatabase,
    {} as Currencies,
    {} as Asks,
    { require: () => Promise.resolve() } as unknown as SecondPerson,
    { now: () => 1 } as unknown as Clock,
  );
  await expect(adjustments.approve(5, BY)).rejects.toMatchObject({
    key: 'common.processing',
    options: { type: 'pending', status: 202 },
  });
  expect(decided).toEqual([[5, 'posting', BY, 1]]);
});
