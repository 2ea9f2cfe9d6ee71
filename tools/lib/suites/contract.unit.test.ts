import { expect, jest, test } from '@jest/globals';
import { runContract, runContractInLanes, spread } from './contract.mjs';
import { nothing } from './result.mjs';

interface Run {
  readonly files: readonly string[];
  readonly name: string;
  readonly workers: number;
}
/** A stand-in for Jest that notes what it was asked to run. */
function runner() {
  const runs: Run[] = [];
  const run = jest.fn((files: readonly string[], name: string, _env: object, { workers }: { workers: number }) => {
    runs.push({ files, name, workers });
    return Promise.resolve({ ...nothing(), passed: files.length });
  });
  return { runs, run };
}

test('files that change an exchange for everybody run by themselves, after those that share it', async () => {
  const { runs, run } = runner();
  const files = ['a/work.alone.contract.test.ts', 'a/spot.contract.test.ts', 'a/wallet.contract.test.ts'];
  const { passed } = await runContract(files, 'contract', {}, { jest: run });
  expect(passed).toBe(3);
  expect(runs.map(({ name, files: found }) => [name, found])).toEqual([
    ['contract', [files[1], files[2]]],
    ['contract-alone', [files[0]]],
  ]);
  expect(runs[0]?.workers).toBeGreaterThan(1);
  expect(runs[1]?.workers).toBe(1);
});

test('each lane has an exchange of its own, and none is started for no files', async () => {
  const { runs, run } = runner();
  const started: string[] = [];
  const withExchange = (name: string, use: (env: object) => unknown): unknown => {
    started.push(name);
    return use({});
  };
  const files = ['a/clock.alone.quiet.contract.test.ts', 'a/spot.quiet.contract.test.ts'];
  const { passed } = await runContractInLanes(files, 'quiet', { jest: run, withExchange });
  expect([passed, started.sort()]).toEqual([2, ['quiet', 'quiet-alone-1']]);
  expect(runs.find(({ name }) => name === 'quiet-alone-1')?.workers).toBe(1);
});

test('lanes get every file once, and about as much work each', () => {
  const files = ['micro', 'team', 'chat', 'points', 'clock', 'settings'].map(
    (name) => `a/${name}.alone.contract.test.ts`,
  );
  const lanes = spread(files, 2);
  expect(lanes.flat().sort()).toEqual([...files].sort());
  expect(lanes.map((lane) => lane.length)).toEqual([3, 3]);
});
