import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { plant, plantAndCount, workspaceRoot } from './planted.js';
import { SIMULATION_MS_MAX } from './seeds.js';

/** One defect of each kind: log, ledger, book, leverage, seconds contracts; by unit, by property and by seeds. */
const ONE_OF_EACH_KIND = ['log-03', 'ledger-12', 'match-05', 'lever-13', 'micro-01', 'log-08'];

test(
  'one planted defect of each kind is caught by the test named for it [SIM-005]',
  async () => {
    const summary = await plantAndCount('--fast', '--only', ONE_OF_EACH_KIND.join(','));
    expect(summary).toMatchObject({ survivors: [], planted: ONE_OF_EACH_KIND.length, caught: ONE_OF_EACH_KIND.length });
  },
  SIMULATION_MS_MAX,
);

test('every planted defect is in the list, with the place, the invariant and the test [SIM-005]', async () => {
  const listed = readFileSync(resolve(workspaceRoot(), 'docs/proofs/planted-defects.md'), 'utf8');
  const rows = (await plant('--list')).trim().split('\n');
  expect(rows.length).toBeGreaterThanOrEqual(25);
  expect(rows.filter((row) => !listed.includes(row))).toEqual([]);
}, 300_000);
