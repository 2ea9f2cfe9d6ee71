import { expect, test } from '@jest/globals';
import { runSeed, simulate } from './seeds.js';

test('a seed replays byte for byte, whatever ran before it [SIM-002]', async () => {
  const traces: string[][] = [];
  for (const seed of ['7', '11', '7', '11']) {
    const lines: string[] = [];
    await runSeed(seed, { trace: (line) => lines.push(line) });
    traces.push(lines);
  }
  expect(traces[0]?.length).toBeGreaterThan(1_000);
  expect(traces[2]).toEqual(traces[0]);
  expect(traces[3]).toEqual(traces[1]);
  expect(traces[1]).not.toEqual(traces[0]);
}, 60_000);

simulate('first half', 1, 500);
