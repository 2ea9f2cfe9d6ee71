import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

jest.setTimeout(180_000);

/* The packages of the SDK and of the driver as users get them, and the code on the pages about them and API keys. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-pages-'));
const run = promisify(execFile);
const modules = join(folder, 'node_modules');
const installed = (file: string): string => join(modules, '@bourse/ccxt', file);
const PAGES = ['libs/sdk/README.md', 'docs/ccxt.md', 'docs/api-keys.md'];

beforeAll(async () => {
  await run(process.execPath, [join(root, 'examples/ccxt/pack.mjs'), folder]);
  for (const name of ['sdk', 'ccxt']) {
    const place = join(modules, '@bourse', name);
    mkdirSync(place, { recursive: true });
    const tarball = readdirSync(folder).find((file) => file.startsWith(`bourse-${name}-`)) ?? '';
    await run('tar', ['-xzf', join(folder, tarball), '-C', place, '--strip-components', '1']);
  }
  mkdirSync(join(modules, '@types'));
  for (const name of ['ccxt', 'socket.io-client', 'engine.io-client', '@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the tarball of the driver has class, types, licence, page, and published dependencies only [CLIENT-042]', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(readdirSync(folder).filter((file) => file.endsWith('.tgz'))).toEqual([
    `bourse-ccxt-${version}.tgz`,
    `bourse-sdk-${version}.tgz`,
  ]);
  const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: '@bourse/ccxt', version, dependencies: { '@bourse/sdk': version } });
  expect(Object.keys(manifest['peerDependencies'] as object)).toEqual(['ccxt']);
  for (const field of ['private', 'scripts', 'devDependencies']) expect(manifest).not.toHaveProperty(field);
  expect(readdirSync(installed('')).sort()).toEqual([
    'LICENSE',
    'README.md',
    'bourse.d.mts',
    'bourse.mjs',
    'package.json',
  ]);
  expect(readFileSync(installed('bourse.mjs'), 'utf8')).not.toMatch(/from '\.\.?\//);
  // Links lead into the repository.
  expect(readFileSync(installed('README.md'), 'utf8')).not.toMatch(/\]\((?!https?:|#)/);
});

test('the driver is loaded from its package [CLIENT-042]', async () => {
  writeFileSync(
    join(folder, 'load.mjs'),
    `import { bourse } from '@bourse/ccxt';
const { id, has } = new bourse({ hostname: '127.0.0.1:1' });
console.log(id, has.createOrder, has.watchOrders);`,
  );
  const { stdout } = await run(process.execPath, [join(folder, 'load.mjs')]);
  expect(stdout).toBe('bourse true true\n');
});

test('the code of every page compiles unchanged in strict TypeScript [CLIENT-043]', async () => {
  const codes = PAGES.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^```(?:js|ts)\n([\s\S]+?)^```/gm)].map(
      ([, code]) => code ?? '',
    ),
  );
  expect(codes.length).toBeGreaterThanOrEqual(PAGES.length);
  const files = codes.map((code, at) => {
    writeFileSync(join(folder, `page-${at}.mts`), code);
    return `page-${at}.mts`;
  });
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2023',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

test('the code on the page of API keys prints the check value of that page [CLIENT-043]', async () => {
  const page = readFileSync(join(root, 'docs/api-keys.md'), 'utf8');
  const [, code = ''] = /^```js\n([\s\S]+?)^```/m.exec(page) ?? [];
  writeFileSync(join(folder, 'sign.mjs'), code);
  const { stdout } = await run(process.execPath, [join(folder, 'sign.mjs')]);
  expect(page).toContain(`gives \`${stdout.trim()}\``);
});
