import { expect, test } from '@jest/globals';
import { wayBackIn, wayBackTo } from './way-back.js';

test('a screen opened by a link knows the previous screen and its state [TERM-004]', () => {
  const first = wayBackTo({ pathname: '/dealCenter', search: '?legalId=3', state: null });
  const second = wayBackTo({ pathname: '/userSetting', search: '', state: first });
  expect(wayBackIn(second)).toEqual({ from: '/userSetting', then: first });
  expect(wayBackIn(wayBackIn(second)?.then)).toEqual({ from: '/dealCenter?legalId=3', then: null });
});

test('only addresses of ours count as a way back [TERM-004]', () => {
  for (const state of [
    null,
    undefined,
    'x',
    {},
    { from: 1 },
    { from: '//elsewhere.example' },
    { from: 'https://elsewhere.example' },
  ])
    expect(wayBackIn(state)).toBeUndefined();
});
