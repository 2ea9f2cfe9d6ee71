import { expect, test } from '@jest/globals';
import { feeLevels, levelAt } from './fee-levels.js';
import { SPOT_FEE_LEVELS } from './shared-settings.js';
import { WrongValue } from './value-types.js';

test('levels are read as they are written, and no text means no level [SPOT-280]', () => {
  const text = '50000:90:95 250000:80:90 1000000:80:0';
  expect(feeLevels.read(text)[1]).toEqual({ turnover: 25_000_000_000_000n, makerPercent: 80, takerPercent: 90 });
  for (const one of ['', '1:100:100', text, SPOT_FEE_LEVELS.type.write(SPOT_FEE_LEVELS.initial)])
    expect(feeLevels.write(feeLevels.read(one))).toBe(one);
});

test.each([
  ['a percent above 100', '50000:101:90'],
  ['a part of a percent', '50000:90.5:90'],
  ['a negative percent', '50000:-1:90'],
  ['a percent with a zero before it', '50000:090:90'],
  ['a turnover of 0', '0:90:90'],
  ['a part of a USDT', '0.5:90:90'],
  ['a missing rate', '50000:90'],
  ['a rate too much', '50000:90:90:90'],
  ['two spaces', '50000:90:90  60000:80:80'],
  ['a space at the end', '50000:90:90 '],
  ['commas', '50000:90:90,60000:80:80'],
  ['a turnover twice', '50000:90:90 50000:80:80'],
  ['a falling turnover', '60000:90:90 50000:80:80'],
  ['a rising maker rate', '50000:80:90 60000:81:80'],
  ['a rising taker rate', '50000:90:80 60000:80:81'],
  ['eleven levels', Array.from({ length: 11 }, (_, index) => `${index + 1}:50:50`).join(' ')],
])('levels with %s are refused [SPOT-280]', (_what, text) => {
  expect(() => feeLevels.read(text)).toThrow(WrongValue);
});

test('a level begins with its turnover, to the unit [SPOT-280]', () => {
  const levels = feeLevels.read('100:90:95 200:80:90');
  const at = (units: bigint): number => levelAt(levels, units);
  expect([at(0n), at(9_999_999_999n), at(10_000_000_000n), at(19_999_999_999n), at(20_000_000_000n)]).toEqual([
    0, 0, 1, 1, 2,
  ]);
  expect(levelAt([], 10n ** 20n)).toBe(0);
});
