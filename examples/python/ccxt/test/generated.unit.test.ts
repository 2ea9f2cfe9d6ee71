import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { GATE_KEYS } from '@bourse/sdk';

jest.setTimeout(60_000);

const folder = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const FILES = ['bourse_ccxt/bourse.py', 'bourse_ccxt/async_support.py'];
const [plain = '', waiting = ''] = FILES.map(read);

test('both classes are generated from the present source [CLIENT-045]', () => {
  const digest = createHash('sha256').update(read('bourse.mjs')).digest('hex');
  for (const text of [plain, waiting]) expect(text).toContain(`# sha256 of its source: ${digest}\n`);
});

test('the class for asyncio is the other one, with its calls awaited [CLIENT-045]', () => {
  const bare = (text: string): string =>
    text
      .replaceAll('async def ', 'def ')
      .replaceAll('await ', '')
      .replace(/^from (?:ccxt\.(?:async_support\.)?base\.exchange|bourse_ccxt\.turns) import .+$/gm, '');
  expect(bare(waiting)).toBe(bare(plain));
  expect(plain).not.toMatch(/\b(?:async|await)\b/);
  for (const call of waiting.match(/self\.(?:private|public)_(?:get|post|put)_\w+\(/g) ?? [])
    expect(waiting).toContain(`await ${call}`);
});

test('the package compiles, and has the version of the others [CLIENT-045]', async () => {
  const program = 'import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name, encoding="utf-8").read(), name)';
  const own = ['bourse_ccxt/__init__.py', 'bourse_ccxt/pro.py', 'bourse_ccxt/turns.py'];
  const files = [...FILES, ...own, 'demo.py', 'live.py', 'settings.py'].map((file) => join(folder, file));
  await promisify(execFile)('python3', ['-c', program, ...files]);
  const { version } = JSON.parse(read('../../../package.json')) as { version: string };
  expect(read('pyproject.toml')).toContain(`\nversion = "${version}"\n`);
});

test('each refusal of an order call is the same error in both drivers [CLIENT-045, CLIENT-063]', () => {
  const errorsOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/^ +'?([a-z]+(?:\.\w+)?)'?: ccxt\.([A-Z]\w+),$/gm)].map(([, key = '', name = '']) => [
        key,
        name,
      ]),
    );
  const own = errorsOf(read('bourse.mjs'));
  expect(own).toEqual(errorsOf(read('../../ccxt/bourse.mjs')));
  const { paths } = JSON.parse(read('../../../docs/api/openapi.json')) as {
    paths: Record<string, Record<string, { 'x-refusals'?: string[] }>>;
  };
  const refusals = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/coin/'))
    .flatMap(([, calls]) => Object.values(calls))
    .flatMap(({ 'x-refusals': keys = [] }) => keys);
  expect(refusals).toContain('trade.postOnly');
  expect([...new Set([...refusals, ...GATE_KEYS])].filter((key) => own[key] === undefined)).toEqual([]);
});
