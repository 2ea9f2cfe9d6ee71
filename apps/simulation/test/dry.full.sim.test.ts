import { expect, test } from '@jest/globals';
import { runDry } from './dry.js';
import { SIMULATION_MS_MAX } from './seeds.js';

test(
  'a hundred days without money of the house end right; of some closes the fund owes a part [SIM-022]',
  async () => {
    const figures = await runDry('1..100');
    expect(figures['unpaid closes of the fund']).toBeGreaterThan(0);
    expect(figures['shortfalls']).toBeGreaterThan(0);
    // The accounts of others were served meanwhile.
    expect(figures['changes of others meanwhile']).toBeGreaterThan(0);
  },
  SIMULATION_MS_MAX,
);
