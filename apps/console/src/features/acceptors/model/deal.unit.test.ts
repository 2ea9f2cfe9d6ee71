import { expect, test } from '@jest/globals';
import { needsDecision } from './deal.js';

test('finance decides what is objected to, until it is over [CONSOLE-115] [HARD-448]', () => {
  expect(([0, 1] as const).map((objected) => needsDecision({ objected }))).toEqual([false, true]);
});
