import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

/** The simulator computes without a pause, at the lowest priority. */
export const SIMULATION_MS_MAX = 3_600_000;

export interface Simulated {
  readonly seeds: number;
  /** Counters of events in the services. */
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

/** Seeds are drawn from the first thousand, which the full run and the nightly pipeline run all of. */
export const SEEDS_OF_FULL_RUN = 1_000;
/** Of each half of them, an ordinary run takes so many; `TEST_DAY` says which, and every day takes other ones. */
const SEEDS_PER_DAY = 8;

/** The seeds of one of the two halves that today's run takes. The full run takes all of them. */
function seedsOfHalf(half: 0 | 1): readonly [from: number, to: number] {
  const size = SEEDS_OF_FULL_RUN / 2;
  const first = half * size + 1;
  if (process.env['TEST_FULL'] === '1') return [first, first + size - 1];
  const day = Number(process.env['TEST_DAY'] ?? '0');
  const from = first + ((day * SEEDS_PER_DAY) % size);
  return [from, from + SEEDS_PER_DAY - 1];
}

/** Runs the seeds of one half; the first failure reports the problem, its faults, and how to replay it. */
export function simulate(name: string, half: 0 | 1): void {
  describe(name, () => {
    const [from, to] = seedsOfHalf(half);
    test(
      `seeds ${from} to ${to}: whatever breaks, money, books and answers end right [SIM-001]`,
      async () => {
        const { seeds, figures, failed } = await simulated(`${from}..${to}`);
        expect(failed.map(({ text }) => text).join('\n\n')).toBe('');
        expect(seeds).toBe(to - from + 1);
        expect(figures['trades']).toBeGreaterThan(seeds); // a market without trades would prove nothing
      },
      SIMULATION_MS_MAX,
    );
  });
}
