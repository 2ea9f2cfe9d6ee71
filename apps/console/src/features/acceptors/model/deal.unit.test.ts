import { expect, test } from '@jest/globals';
import { needsDecision } from './deal.js';

test('finance decides deals that somebody has objected to, until they are over [CONSOLE-115]', () => {
  const all = ([0, 1, 2] as const).flatMap((sure) => ([0, 1, 2] as const).map((stage) => ({ is_sure: sure, stage })));
  expect(all.filter(needsDecision)).toEqual([{ is_sure: 0, stage: 2 }]);
});
