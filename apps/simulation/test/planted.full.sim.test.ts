import { expect, test } from '@jest/globals';
import { plantAndCount } from './planted.js';
import { SIMULATION_MS_MAX } from './seeds.js';

test(
  'planted defects of the money path are caught by the tests named for them [SIM-005]',
  async () => {
    const summary = await plantAndCount('--fast');
    expect(summary.survivors).toEqual([]);
    expect(summary.planted).toBeGreaterThanOrEqual(15);
    expect(summary.caught).toBe(summary.planted);
  },
  SIMULATION_MS_MAX,
);
