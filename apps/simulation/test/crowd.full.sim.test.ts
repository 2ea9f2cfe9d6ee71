import { expect, test } from '@jest/globals';
import { SIMULATION_MS_MAX, simulated } from './seeds.js';

test(
  'ten thousand deals: under all acts and kills escrow equals the unfinished deals [C2C-025] [SIM-001]',
  async () => {
    const { seeds, figures, failed } = await simulated('1..60', '--crowd', 'c2c-escrow');
    expect(failed.map(({ text }) => text).join('\n\n')).toBe('');
    expect(seeds).toBe(60);
    // They come to each of their ends.
    expect(figures['deals']).toBeGreaterThanOrEqual(10_000);
    expect(figures['finished deals']).toBeGreaterThan(3_000);
    expect(figures['deals of shops']).toBeGreaterThan(1_000);
    expect(figures['expired deals']).toBeGreaterThan(50);
    expect(figures['decided appeals']).toBeGreaterThan(500);
  },
  SIMULATION_MS_MAX,
);
