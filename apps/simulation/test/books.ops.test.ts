import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { simulated } from './seeds.js';

jest.setTimeout(testTimeoutMs(120_000));

/** A module of the tools, which have no declarations. */
const tool = (name: string): Promise<unknown> =>
  import(new URL(`../../../tools/lib/${name}`, import.meta.url).href) as Promise<unknown>;
const { onPath } = (await tool('processes.mjs')) as { onPath(program: string): string | undefined };
const { partFile } = (await tool('parts/places.mjs')) as { partFile(program: string): string };

/** Runs of the simulator, each with its own people, faults and days. */
const SEEDS = 4;

const folder = mkdtempSync(join(tmpdir(), 'bourse-books-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Checks a file by a program of plain-text accounting; answers its output and its exit code. */
function check(program: string, args: readonly string[]): Promise<{ code: number; said: string }> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const ran = promisify(execFile)(onPath(program) ?? partFile(program), [...args], { env });
  return ran.then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => {
      if (typeof error.code !== 'number') throw error;
      return { code: error.code, said: `${error.stdout}${error.stderr}` };
    },
  );
}
const beanCheck = (file: string): Promise<{ code: number; said: string }> => check('bean-check', [file]);
const hledgerCheck = (file: string): Promise<{ code: number; said: string }> =>
  check('hledger', ['-f', file, 'check', '--strict', 'ordereddates']);

test('ledgers of simulated days pass bean-check and hledger check; one unit fails both [EXPORT-006]', async () => {
  const first = ((Number(process.env['TEST_DAY'] ?? '0') * SEEDS) % 1_000) + 1;
  const seeds = Array.from({ length: SEEDS }, (_, at) => first + at);
  const { failed } = await simulated(`${first}..${seeds.at(-1)}`, '--files', folder);
  expect(failed).toEqual([]);
  const [book, ...others] = seeds.map((seed) => ({
    beancount: join(folder, `${seed}-ledger.beancount`),
    hledger: join(folder, `${seed}-ledger.journal`),
  }));
  let transactions = 0;
  for (const { beancount, hledger } of [...others, book!]) {
    transactions += readFileSync(beancount, 'utf8').match(/^\S+ \* /gm)?.length ?? 0;
    expect(await beanCheck(beancount)).toEqual({ code: 0, said: '' });
    expect(await hledgerCheck(hledger)).toEqual({ code: 0, said: '' });
  }
  expect(transactions).toBeGreaterThan(20 * SEEDS);

  const spoil = (file: string, pattern: RegExp): string => {
    const text = readFileSync(file, 'utf8');
    // The last digit of the first amount that the pattern finds.
    const spoilt = text.replace(pattern, (_, before: string, digit: string) => before + ((Number(digit) + 1) % 10));
    expect(spoilt).not.toBe(text);
    writeFileSync(file, spoilt);
    return file;
  };
  const unbalanced = await beanCheck(spoil(book!.beancount, /^( {2}Liabilities:People:\S+ {2}-?\d+\.\d*)(\d)/m));
  expect([unbalanced.code, unbalanced.said]).toEqual([1, expect.stringContaining('does not balance')]);
  const wrong = await hledgerCheck(spoil(book!.hledger, /(0\.0+ USDT = -?\d+\.\d*)(\d)/));
  expect([wrong.code, wrong.said]).toEqual([1, expect.stringContaining('balance assertion')]);
});
