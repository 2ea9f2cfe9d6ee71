import { describe, expect, test } from '@jest/globals';
import type { Database } from '@bourse/persistence';
import { checkAll, type AuditChecks } from './audit-checks.js';

/** A database whose query for wrong objects returns the next of these answers, the last one for ever. */
function database(
  ...answers: readonly (readonly string[])[]
): { reads: number } & Pick<Database, 'transaction' | 'query'> {
  const fake = {
    reads: 0,
    query: () => {
      const names = answers[Math.min(fake.reads, answers.length - 1)] ?? [];
      fake.reads += 1;
      return Promise.resolve(names.map((what) => ({ what })));
    },
    transaction: (run: (tx: unknown) => unknown) => run({ query: fake.query }),
  };
  return fake as unknown as { reads: number } & Pick<Database, 'transaction' | 'query'>;
}
const rule = (graceMs?: number): AuditChecks => ({
  expired: { says: 'all is closed', wrong: 'select …', ...(graceMs === undefined ? {} : { graceMs }) },
});

describe('checks of a round [AUDIT-031]', () => {
  test('without a grace fail at once by the objects that are wrong', async () => {
    const two = database(['contract 1', 'contract 2'], []);
    expect(await checkAll(two, [rule()])).toEqual([
      { name: 'expired', ok: false, detail: 'not so: contract 1, contract 2' },
    ]);
    expect(two.reads).toBe(1);
  });

  test('with a grace pass when the work under way corrects the objects within it', async () => {
    const closing = database(['contract 1', 'contract 2'], ['contract 2'], []);
    expect(await checkAll(closing, [rule(60_000)])).toEqual([{ name: 'expired', ok: true, detail: 'all is closed' }]);
    expect(closing.reads).toBe(3);
  });

  test('with a grace fail by the objects that stay wrong until its end', async () => {
    const stuck = database(['contract 1', 'contract 2'], ['contract 2']);
    expect(await checkAll(stuck, [rule(400)])).toEqual([{ name: 'expired', ok: false, detail: 'not so: contract 2' }]);
  });
});
