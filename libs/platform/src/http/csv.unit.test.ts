import { describe, expect, test } from '@jest/globals';
import { csvRow } from './csv.js';

describe('csvRow', () => {
  test.each<[string, (string | number)[], string]>([
    ['plain values', ['a', 1, '-12.50', ''], 'a,1,-12.50,\n'],
    ['commas, quotes and new lines', ['a,b', 'say "no"', 'x\ny'], '"a,b","say ""no""","x\ny"\n'],
    ['formulas', ['=1+1', '+49 30', '@SUM(A1)', '-2+3', '\t=x'], "'=1+1,'+49 30,'@SUM(A1),'-2+3,'\t=x\n"],
  ])('%s [TRAIL-002]', (_, values, row) => {
    expect(csvRow(values)).toBe(row);
  });
});
