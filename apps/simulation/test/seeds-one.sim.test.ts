import { expect, test } from '@jest/globals';
import { simulate, simulated, traced } from './seeds.js';

test('a seed replays byte for byte, in another process and whatever ran before it [SIM-002]', async () => {
  const [alone, again, behind] = await Promise.all([simulated('7..7'), simulated('7..7'), simulated('6..8')]);
  expect(alone.hashes['7']).toMatch(/^[0-9a-f]{16}$/);
  expect(again.hashes['7']).toBe(alone.hashes['7']);
  expect(behind.hashes['7']).toBe(alone.hashes['7']);
  expect(new Set(Object.values(behind.hashes)).size).toBe(3);
}, 600_000);

test('a trace names no place of the sources, and so its hash is the same in every clone [SIM-002]', async () => {
  const trace = await traced('2');
  expect(trace.some((line) => / (warn|error) /.test(line))).toBe(true);
  expect(trace.filter((line) => /^\s+at |\.ts:\d/.test(line))).toEqual([]);
}, 600_000);

simulate('first half', 0);
