import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = (): string => resolve(expect.getState().testPath ?? '', '../../../..');
/** Runs the tool that plants, in a process without this runner's own settings. */
async function planted(...args: string[]): Promise<string> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env)) if (name === 'NODE_OPTIONS' || name.startsWith('JEST_')) delete env[name];
  const { stdout } = await promisify(execFile)(process.execPath, [resolve(root(), 'tools/planted.mjs'), ...args], {
    env,
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    if (error.stdout) return { stdout: error.stdout };
    throw new Error(`the tool failed: ${error.stderr ?? ''}`);
  });
  return stdout;
}

test('planted defects of the money path are caught by the tests named for them [SIM-005]', async () => {
  const summary = JSON.parse(await planted('--fast', '--json')) as {
    planted: number;
    caught: number;
    survivors: string[];
  };
  expect(summary.survivors).toEqual([]);
  expect(summary.planted).toBeGreaterThanOrEqual(15);
  expect(summary.caught).toBe(summary.planted);
}, 2_400_000); // what else runs beside it goes first

test('every planted defect stands in the list, with the place, the invariant and the test [SIM-005]', async () => {
  const listed = readFileSync(resolve(root(), 'docs/proofs/planted-defects.md'), 'utf8');
  const rows = (await planted('--list')).trim().split('\n');
  expect(rows.length).toBeGreaterThanOrEqual(25);
  expect(rows.filter((row) => !listed.includes(row))).toEqual([]);
}, 300_000);
