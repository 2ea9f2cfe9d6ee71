import { expect, test } from '@jest/globals';
import { Metrics } from './metrics.js';

test.each<[string, readonly string[]]>([
  ['without labels', []],
  ['with labels', ['state']],
])('a gauge %s that cannot be read shows nothing, not 0 [OBSERVE-025]', async (_, labelNames) => {
  const metrics = new Metrics();
  const labels = Object.fromEntries(labelNames.map((name) => [name, 'open']));
  let isBroken = true;
  metrics.queried('bourse_things', 'Things', labelNames, async () => {
    if (isBroken) throw new Error('no line');
    return [{ labels, value: 3 }];
  });
  const lines = async (): Promise<string[]> =>
    (await metrics.registry.metrics()).split('\n').filter((line) => /^bourse_/.test(line));
  expect(await lines()).toEqual([]);
  isBroken = false;
  expect(await lines()).toEqual([expect.stringMatching(/^bourse_things(\{state="open"\})? 3$/)]);
});
