import { expect, test } from '@jest/globals';
import { isSimulated, simulatedUntil } from './simulated.js';

const bar = (time: number) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 0 });

test('a bar is simulated when it opens before the market began [CHART-004]', () => {
  expect([isSimulated(bar(59), 60), isSimulated(bar(60), 60), isSimulated(bar(59), undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('the moment is named only where a simulated bar is shown [CHART-005]', () => {
  expect(simulatedUntil({ bars: [bar(0), bar(60)], simulatedBefore: 60 })).toBe(60);
  expect(simulatedUntil({ bars: [bar(60), bar(120)], simulatedBefore: 60 })).toBeUndefined();
  expect(simulatedUntil({ bars: [bar(0)] })).toBeUndefined();
  expect(simulatedUntil({ bars: [], simulatedBefore: 60 })).toBeUndefined();
});
