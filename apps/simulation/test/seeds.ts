import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

export interface Simulated {
  readonly seeds: number;
  /** What has come about in the services, counted. */
  readonly figures: Readonly<Record<string, number>>;
  readonly commands: number;
  readonly hashes: Readonly<Record<string, string>>;
  readonly failed: readonly { readonly seed: string; readonly text: string }[];
}

/**
 * Runs the tool in a process of its own: the simulated clock and randomness take the place of the real ones there
 * before anything is loaded.
 */
async function run(...args: string[]): Promise<string> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['NODE_OPTIONS'];
  // Jest runs from the root of the workspace, wherever it was started.
  const tool = resolve(expect.getState().testPath ?? '', '../../../../tools/simulate.mjs');
  const started = promisify(execFile)(process.execPath, [tool, ...args], { env, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await started.catch((error: { stdout?: string; stderr?: string; code?: number }) => {
    if (error.code === 1 && error.stdout?.startsWith('{')) return { stdout: error.stdout };
    throw new Error(`the simulator ended with ${error.code}: ${error.stderr ?? ''}`);
  });
  return stdout;
}

/** Runs a range of seeds, with further options of the tool. */
export async function simulated(seeds: string, ...options: string[]): Promise<Simulated> {
  return JSON.parse(await run('--seeds', seeds, '--json', ...options)) as Simulated;
}

/** The trace of one seed, line by line. */
export async function traced(seed: string): Promise<string[]> {
  return (await run('--seed', seed, '--trace')).split('\n');
}

/** Runs a range of seeds; the first that fails says what was wrong, under which faults, and how to see it again. */
export function simulate(name: string, from: number, to: number): void {
  describe(name, () => {
    test(`seeds ${from} to ${to}: whatever breaks, money, books and answers end right [SIM-001]`, async () => {
      const { seeds, figures, failed } = await simulated(`${from}..${to}`);
      expect(failed.map(({ text }) => text).join('\n\n')).toBe('');
      expect(seeds).toBe(to - from + 1);
      expect(figures['trades']).toBeGreaterThan(seeds); // a market in which nobody trades would prove nothing
      // What else runs beside it goes first.
    }, 2_400_000);
  });
}
