import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

jest.setTimeout(180_000);

/* The package as others get it: packed, installed into an empty folder outside of this clone, compiled against, run. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-sdk-'));
const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
let tarball: string;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
/** Puts a package and all that it needs into the folder, as a registry would: the test asks none. */
function bring(name: string): void {
  const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)];
  if (existsSync(to)) return;
  cpSync(from, to, { recursive: true, dereference: true });
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Manifest;
  for (const one of Object.keys(dependencies)) if (!existsSync(join(to, 'node_modules', one))) bring(one);
}

beforeAll(async () => {
  await run(process.execPath, [join(root, 'libs/sdk/pack.mjs'), folder]);
  tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bot', private: true, type: 'module' }));
  mkdirSync(join(folder, 'node_modules'));
  bring('socket.io-client');
  await run(npm, ['install', `./${tarball}`, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = (file: string): string => join(folder, 'node_modules/@bourse/sdk', file);

test('the tarball has program, types, licence and page, and names no package that is not published [API-034]', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  expect(tarball).toBe(`bourse-sdk-${version}.tgz`);
  const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
  expect(Object.keys(manifest['dependencies'] as object)).toEqual(['socket.io-client']);
  for (const field of ['private', 'devDependencies', 'scripts', 'nx']) expect(manifest).not.toHaveProperty(field);
  expect(readdirSync(installed('')).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  for (const file of readdirSync(installed('dist')))
    expect(readFileSync(installed(`dist/${file}`), 'utf8')).not.toMatch(/(?:from|import\()\s*['"]@bourse\//);
  expect(readFileSync(installed('README.md'), 'utf8')).not.toContain('](../');
});

const PROGRAM = `
import { ApiError, Bourse, NetworkError, newIntent, type BookLevel, type StreamStatus } from '@bourse/sdk';

const exchange = new Bourse({ url: process.argv[2] ?? '', key: 'key', secret: 'secret' });
const best = (side: readonly BookLevel[]): string | undefined => side[0]?.[0];
const told = async (): Promise<string> => {
  try {
    const wanted = { symbol: 'BTC/USDT', side: 'buy', amount: '1', price: '2' } as const;
    const order = await exchange.placeOrder(wanted, { intent: newIntent() });
    const state: 1 | 2 = order.status;
    return order.id + ' ' + String(state);
  } catch (error) {
    if (error instanceof ApiError) return error.key + ' ' + String(error.status);
    return error instanceof NetworkError ? 'silent' : 'broken';
  }
};
console.log(await told(), best([['1', '2']]));
export const wait = (): void => {
  const stream = exchange.stream();
  stream.onStatus((status: StreamStatus) => console.log(status));
  stream.on('order_update', ({ order }) => console.log(order.id));
  stream.book('BTC/USDT', ({ bids }) => console.log(best(bids)));
  // @ts-expect-error -- a side that there is not
  void exchange.placeOrder({ symbol: 'BTC/USDT', side: 'hold', amount: '1' });
  // @ts-expect-error -- a field that an order does not have
  void exchange.placeOrder({ symbol: 'BTC/USDT', side: 'sell', amount: '1', stopLoss: '1' });
  // @ts-expect-error -- a field that the call does not take
  void exchange.call('PUT /api/coin/trade', { id: '1', symbol: 'BTC/USDT' });
  // @ts-expect-error -- the quantity is missing
  void exchange.call('POST /api/coin/trade', { legal_id: 3, currency_id: 1, type: 1 });
};
`;

/** Compiles the program as each resolution does, in one process: parsing TypeScript's own libraries takes longest. */
const COMPILER = `
import { join } from 'node:path';
import ts from ${JSON.stringify(pathToFileURL(join(root, 'node_modules/typescript/lib/typescript.js')).href)};

const [folder, ...ways] = process.argv.slice(2);
const parsed = new Map();
const told = {};
for (const way of ways) {
  const config = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'es2023',
    module: way === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: way,
    types: ['node'],
    outDir: way,
  };
  const { options, errors } = ts.convertCompilerOptionsFromJson(config, folder);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => folder;
  host.getSourceFile = (name, ...more) => {
    if (!/typescript\\/lib\\/lib\\./.test(name)) return read(name, ...more);
    if (!parsed.has(name)) parsed.set(name, read(name, ...more));
    return parsed.get(name);
  };
  const program = ts.createProgram([join(folder, 'bot.ts')], options, host);
  // The types of the package are checked as well; those of other packages are not.
  const own = program.getSourceFiles().filter(({ fileName }) => /@bourse\\/sdk\\/|\\/bot\\.ts$/.test(fileName));
  const found = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  const all = [...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...found];
  const text = ts.formatDiagnostics([...all, ...program.emit().diagnostics], host);
  told[way] = { text, files: own.length };
}
console.log(JSON.stringify(told));
`;
const WAYS = ['nodenext', 'bundler'] as const;
let compiled: Readonly<Record<string, { readonly text: string; readonly files: number }>>;
beforeAll(async () => {
  writeFileSync(join(folder, 'bot.ts'), PROGRAM);
  writeFileSync(join(folder, 'compiler.mjs'), COMPILER);
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) if (existsSync(join(root, 'node_modules', name))) bring(name);
  const { stdout } = await run(process.execPath, [join(folder, 'compiler.mjs'), folder, ...WAYS]);
  compiled = JSON.parse(stdout) as typeof compiled;
});

test.each(WAYS)('a program compiles against it, as %s resolves, and runs [API-034]', async (way) => {
  // The program itself, and the types of the package.
  expect(compiled[way]).toEqual({ text: '', files: expect.any(Number) as unknown });
  expect(compiled[way]?.files).toBeGreaterThan(3);
  const server = createServer((request, response) => {
    const market = { symbol: 'BTC/USDT', legal_id: 3, currency_id: 1 };
    const isOrder = request.url?.startsWith('/api/coin/trade');
    const refusal = { type: 'error', key: 'balance.insufficient', message: 'No', request_id: '' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isOrder ? refusal : { type: 'ok', message: [{ quotation: [market] }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const { stdout } = await run(process.execPath, [join(folder, way, 'bot.js'), url], { cwd: folder });
    expect(stdout).toBe('balance.insufficient 200 1\n');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
