import { expect, test } from '@jest/globals';
import { needsDecision } from './deal.js';

test('finance decides disputed deals, until they are over [CONSOLE-115] [HARD-448]', () => {
  expect(([0, 1] as const).map((objected) => needsDecision({ objected }))).toEqual([false, true]);
});
