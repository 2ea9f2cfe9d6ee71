import { describe, expect, test } from '@jest/globals';
import { comparisonTable, compareRuns, dearerParts, generatorMs, partsOf } from './lib/compare.mjs';

const result = (exchange: number, postgres: number, share: number, orders: number, reconciled = true): object => ({
  reconciled,
  problems: reconciled ? [] : ['u.change differs'],
  rows: [
    { name: 'full load: orders accepted', value: orders },
    {
      name: 'full load: CPU a command',
      value: exchange + postgres,
      note: `exchange ${exchange}, postgres ${postgres}`,
    },
    { name: "full load: generator's share of the CPU", value: share },
  ],
});

describe('a comparison of two commits', () => {
  test('the generator spends its share of the CPU, and each process its part', () => {
    // 1.5 ms of the exchange are 75 %, so that k6 spends 0.5 ms.
    expect(generatorMs(result(1, 0.5, 25, 100), 'full load')).toBeCloseTo(0.5, 9);
    expect(partsOf(result(1, 0.5, 25, 100), 'full load')).toEqual({ exchange: 1, postgres: 0.5 });
    expect(generatorMs(result(1, 0.5, 25, 100), 'half load')).toBeUndefined();
  });

  test('more orders and less CPU are ratios above 1, by the median of the rounds', () => {
    const pairs = [
      [result(1, 0.5, 25, 100), result(0.5, 0.25, 40, 300)],
      [result(2, 1, 25, 50), result(1, 0.5, 40, 100)],
      [result(1, 0.5, 25, 100), result(0.5, 0.25, 40, 250)],
    ];
    const rows = Object.fromEntries(compareRuns(pairs).map((row) => [row.name, row]));
    expect(rows['full load: orders accepted']).toMatchObject({
      before: { minimum: 50, median: 100, maximum: 100 },
      after: { minimum: 100, median: 250, maximum: 300 },
      ratio: 2.5,
    });
    expect(rows['full load: CPU a command']?.ratio).toBe(2);
    // 3 units of the generator before, 1.5 after, at any speed of the machine.
    expect(rows["full load: CPU a command in units of the generator's own"]?.ratio).toBe(2);
    expect(comparisonTable(Object.values(rows))).toContain('| full load: orders accepted | 100 (50 … 100) |');
  });

  test('a run that does not reconcile has no figures', () => {
    expect(() => compareRuns([[result(1, 1, 25, 1), result(1, 1, 25, 1, false)]])).toThrow('u.change differs');
  });

  test('a scenario without the compared figures, or no round at all, is refused [LOAD-017]', () => {
    const other = { reconciled: true, problems: [], rows: [{ name: 'orders of a day', value: 7 }] };
    expect(() => compareRuns([[result(1, 1, 25, 1), other]])).toThrow('full load: CPU a command');
    expect(() => compareRuns([])).toThrow('no round');
  });

  test('a process that makes an order dearer than the limit is named, and one within it is not', () => {
    const unit = (exchange: number, postgres: number): object =>
      result(exchange, postgres, (100 * 0.5) / (exchange + postgres + 0.5), 100);
    expect(dearerParts([[unit(1, 0.5), unit(1.02, 0.5)]], 1.05)).toEqual([]);
    expect(dearerParts([[unit(1, 0.5), unit(1, 0.6)]], 1.05)).toEqual([
      'postgres costs an order 1.2 times what it cost (at most 1.05).',
    ]);
    // Twice the exchange's CPU while the generator needs twice as much as well.
    expect(dearerParts([[unit(1, 0.5), result(2, 1, 25, 50)]], 1.05)).toEqual([]);
  });
});
