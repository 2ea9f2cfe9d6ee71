import { test } from '@jest/globals';
import { runDry } from './dry.js';
import { SIMULATION_MS_MAX } from './seeds.js';

test(
  'the house runs dry while prices gap: unpaid closes wait alone, the audit is clean, a refill pays all [SIM-022]',
  async () => {
    await runDry('1..3');
  },
  SIMULATION_MS_MAX,
);
