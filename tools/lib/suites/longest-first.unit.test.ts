import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import LongestFirst from './longest-first.mjs';

test('files that start whole exchanges go first, and of either kind the larger ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-order-'));
  const file = (path: string, bytes: number): { path: string } => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, 'x'.repeat(bytes));
    return { path: whole };
  };
  const tests = [
    file('services/auth/small.int.test.ts', 1),
    file('apps/exchange/test/small.int.test.ts', 1),
    file('services/auth/large.int.test.ts', 9),
    file('apps/exchange/test/large.int.test.ts', 5),
  ];
  const order = new LongestFirst().sort(tests).map(({ path }) => path.slice(folder.length + 1));
  rmSync(folder, { recursive: true });
  expect(order).toEqual([
    'apps/exchange/test/large.int.test.ts',
    'apps/exchange/test/small.int.test.ts',
    'services/auth/large.int.test.ts',
    'services/auth/small.int.test.ts',
  ]);
});
