import { expect, test } from '@jest/globals';
import { freePorts } from './processes.mjs';

test('two calls give different ports, also before a server listens on them [START-028]', async () => {
  // Of 12,000 ports two draws of 400 would share some in all but one of half a million runs.
  const [first, second] = [await freePorts(400), await freePorts(400)];
  expect(first.filter((port) => second.includes(port))).toEqual([]);
});
