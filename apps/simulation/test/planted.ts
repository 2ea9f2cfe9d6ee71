import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';

export const workspaceRoot = (): string => resolve(expect.getState().testPath ?? '', '../../../..');

export interface PlantedSummary {
  readonly planted: number;
  readonly caught: number;
  readonly survivors: readonly string[];
}

/** Runs the tool that plants defects, in a process without this runner's own settings, and returns its output. */
export async function plant(...args: string[]): Promise<string> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env)) if (name === 'NODE_OPTIONS' || name.startsWith('JEST_')) delete env[name];
  const tool = resolve(workspaceRoot(), 'tools/planted.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [tool, ...args], {
    env,
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    if (error.stdout) return { stdout: error.stdout };
    throw new Error(`the tool failed: ${error.stderr ?? ''}`);
  });
  return stdout;
}

/** Plants the defects that the arguments choose, and returns the counts. */
export const plantAndCount = async (...args: string[]): Promise<PlantedSummary> =>
  JSON.parse(await plant(...args, '--json')) as PlantedSummary;
