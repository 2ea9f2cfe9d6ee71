import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

export interface Simulated {
  readonly seeds: number;
  readonly trades: number;
  readonly commands: number;
  readonly hashes: Readonly<Record<string, string>>;
  readonly failed: readonly { readonly seed: string; readonly text: string }[];
}

/**
 * Runs seeds in a process of their own: the simulated clock and randomness take the place of the real ones there before
 * anything is loaded.
 */
export async function simulated(seeds: string): Promise<Simulated> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['NODE_OPTIONS'];
  // Jest runs from the root of the workspace, wherever it was started.
  const tool = resolve(expect.getState().testPath ?? '', '../../../../tools/simulate.mjs');
  const run = promisify(execFile)(process.execPath, [tool, '--seeds', seeds, '--json'], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { stdout } = await run.catch((error: { stdout?: string; stderr?: string; code?: number }) => {
    if (error.code === 1 && error.stdout?.startsWith('{')) return { stdout: error.stdout };
    throw new Error(`the simulator ended with ${error.code}: ${error.stderr ?? ''}`);
  });
  return JSON.parse(stdout) as Simulated;
}

/** Runs a range of seeds; the first that fails says what was wrong, under which faults, and how to see it again. */
export function simulate(name: string, from: number, to: number): void {
  describe(name, () => {
    test(`seeds ${from} to ${to}: whatever breaks, money, books and answers end right [SIM-001]`, async () => {
      const { seeds, trades, failed } = await simulated(`${from}..${to}`);
      expect(failed.map(({ text }) => text).join('\n\n')).toBe('');
      expect(seeds).toBe(to - from + 1);
      expect(trades).toBeGreaterThan(seeds); // a market in which nobody trades would prove nothing
    }, 600_000);
  });
}
