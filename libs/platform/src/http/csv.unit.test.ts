import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { csvFile, csvRow } from './csv.js';

describe('csvRow', () => {
  test.each<[string, (string | number)[], string]>([
    ['plain values', ['a', 1, '-12.50', ''], 'a,1,-12.50,\n'],
    ['commas, quotes and new lines', ['a,b', 'say "no"', 'x\ny'], '"a,b","say ""no""","x\ny"\n'],
    ['formulas', ['=1+1', '+49 30', '@SUM(A1)', '-2+3', '\t=x'], "'=1+1,'+49 30,'@SUM(A1),'-2+3,'\t=x\n"],
  ])('%s [TRAIL-002]', (_, values, row) => {
    expect(csvRow(values)).toBe(row);
  });
});

test('a file of CSV has its columns in front, also without a row', async () => {
  async function* pieces(...of: string[][][]) {
    yield* of;
  }
  const whole = (...of: string[][][]): Promise<string> => text(csvFile(['a', 'b'], pieces(...of)));
  expect(await whole()).toBe('a,b\n');
  expect(
    await whole(
      [
        ['1', '2'],
        ['=3', '4'],
      ],
      [['5', '6']],
    ),
  ).toBe("a,b\n1,2\n'=3,4\n5,6\n");
});
