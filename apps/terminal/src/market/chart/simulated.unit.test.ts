import { expect, test } from '@jest/globals';
import { isSimulated, recordedUntil, simulatedUntil } from './simulated.js';

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

test('the moment is named until which the volume that is shown was not traded here [HARD-487]', () => {
  const traded = (time: number, volume: number) => ({ ...bar(time), volume });
  const bars = [traded(0, 40), traded(60, 0.01)];
  expect(recordedUntil({ bars, recordedBefore: 60 })).toBe(60);
  expect(recordedUntil({ bars: bars.slice(1), recordedBefore: 60 })).toBeUndefined();
  // History without volume contradicts nothing.
  expect(recordedUntil({ bars: [traded(0, 0), traded(60, 1)], recordedBefore: 60 })).toBeUndefined();
  expect(recordedUntil({ bars })).toBeUndefined();
});
