import { expect } from '@jest/globals';
import { simulated } from './seeds.js';

/** Runs seeds in which the house has no money for leverage while prices gap, and gets it back in the end. */
export async function runDry(seeds: string): Promise<Readonly<Record<string, number>>> {
  const { figures, failed } = await simulated(seeds, '--dry', 'lever-risk');
  expect(failed.map(({ text }) => text).join('\n\n')).toBe('');
  expect(figures['unpaid closes']).toBeGreaterThan(0);
  return figures;
}
