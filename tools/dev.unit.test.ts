import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { freePorts } from './lib/processes.mjs';

/** The longest that the workspace may take to be joined and to answer. */
const START_MS_MAX = testTimeoutMs(12_000);
jest.setTimeout(2 * START_MS_MAX);
const run = promisify(execFile);

const root = fileURLToPath(new URL('../', import.meta.url));
/** A workspace of its own, below the clone so that the clone's packages are found: nothing of the clone is changed. */
const folder = join(root, '.cache', `dev-test-${process.pid}`);
const json = (value: unknown): string => JSON.stringify(value);
const exported = { '.': { default: './dist/index.js' } };
const GREETING = 'services/greeting/src/index.ts';
const WORDS = 'libs/words/src/index.ts';
const SCREEN = 'apps/terminal/src/words.js';

/** The exchange in the small: a program, a service, a library; and a screen of each application. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': json({ name: 'workspace', type: 'module', workspaces: ['libs/*', 'services/*', 'apps/*'] }),
  'apps/exchange/package.json': json({ name: '@bourse/exchange', type: 'module' }),
  'apps/exchange/src/main.ts': `
    import { scrypt } from 'node:crypto';
    import { createServer } from 'node:http';
    import { greet } from '@bourse/greeting';
    // As the wallet opens its seed: what a process before has derived takes no time.
    const began = process.cpuUsage();
    const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
    await new Promise((done) => scrypt('secret', 'salt', 32, cost, done));
    const { user, system } = process.cpuUsage(began);
    const server = createServer((_, answer) => {
      answer.setHeader('x-derive-cpu-us', String(user + system)).end(greet() + ' ' + String(process.pid));
    });
    server.listen(Number(process.env['PORT']), '127.0.0.1');`,
  'services/greeting/package.json': json({ name: '@bourse/greeting', type: 'module', exports: exported }),
  [GREETING]: `
    import { word } from '@bourse/words';
    export const greet = (): string => word() + ' one';`,
  'libs/words/package.json': json({ name: '@bourse/words', type: 'module', exports: exported }),
  [WORDS]: `export const word = (): string => 'hello';`,
  'apps/console/package.json': json({ name: '@bourse/console', type: 'module' }),
  'apps/console/index.html': '<!doctype html><title>console</title>',
  'apps/console/vite.config.js': `export default { base: '/admin/' };`,
  'apps/terminal/package.json': json({ name: '@bourse/terminal', type: 'module' }),
  'apps/terminal/index.html':
    '<!doctype html><title>terminal</title><script type="module" src="/src/main.js"></script>',
  'apps/terminal/vite.config.js': `
    export default { server: { proxy: { '/api': { target: process.env.BOURSE_URL } } } };`,
  'apps/terminal/src/main.js': `
    import { title } from './words.js';
    document.title = title;
    import.meta.hot.accept('./words.js', (changed) => { document.title = changed.title; });`,
  [SCREEN]: `export const title = 'before';`,
};

const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};

let dev: ChildProcess;
let base: string;
let output = '';

beforeAll(async () => {
  for (const [file, text] of Object.entries(FILES)) put(file, text);
  cpSync(join(root, '.swcrc'), join(folder, '.swcrc'));
  cpSync(join(root, 'tools'), join(folder, 'tools'), { recursive: true });
  const [port = 0] = await freePorts(1);
  base = `http://127.0.0.1:${port}`;
  dev = spawn(process.execPath, [join(folder, 'tools', 'dev.mjs'), '--no-types'], {
    // The program asks no database.
    env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await until('it is ready', () => Promise.resolve(output.includes('DEV READY')));
});
afterAll(async () => {
  if (dev.exitCode === null) {
    const ended = once(dev, 'exit');
    dev.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until `check` holds; a tool that has ended will not mend. */
async function until(what: string, check: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await check())) {
    if (dev.exitCode !== null) throw new Error(`dev ended before ${what}:\n${output}`);
    if (performance.now() - began > START_MS_MAX) throw new Error(`waited in vain until ${what}:\n${output}`);
    await sleep(10);
  }
  return performance.now() - began;
}

const ask = async (): Promise<{ words: string; pid: string }> => {
  const [, words = '', pid = ''] = /^(.*) (\d+)$/.exec(await (await fetch(`${base}/api/greeting`)).text()) ?? [];
  return { words, pid };
};
const answers = (words: string) => async (): Promise<boolean> => (await ask()).words === words;
const tell = (what: string, ms: number): void => console.info(`${what}: seen after ${(ms / 1000).toFixed(2)} s`);

/** The processor time that the running process spent on its key: a busy machine does not change it. */
const deriveCpuUs = async (): Promise<number> =>
  Number((await fetch(`${base}/api/greeting`)).headers.get('x-derive-cpu-us'));

test('a changed service answers again, and so does one whose library changed [START-021]', async () => {
  const first = await ask();
  const firstUs = await deriveCpuUs();
  expect(first.words).toBe('hello one');
  put(GREETING, FILES[GREETING]!.replace('one', 'two'));
  tell('a changed service', await until('the service has changed', answers('hello two')));
  // [START-025]
  expect(await deriveCpuUs()).toBeLessThan(firstUs / 3);
  put(WORDS, `export const word = (): string => 'welcome';`);
  tell('a changed library', await until('the library has changed', answers('welcome two')));
  expect((await ask()).pid).not.toBe(first.pid);
});

test('a compile error is reported, and the previous program runs on until it is fixed [START-021]', async () => {
  const before = await ask();
  put(GREETING, 'export const greet = (: string =>');
  await until('the mistake is told', () => Promise.resolve(/index\.ts: .*(error|Expected|failed)/is.test(output)));
  expect(await ask()).toEqual(before);
  put(GREETING, FILES[GREETING]!.replace('one', 'three'));
  tell('a mended service', await until('the service is mended', answers(`${before.words.split(' ')[0]} three`)));
});

test('a changed screen is pushed to the open page, which applies it without a reload [START-022]', async () => {
  expect(await (await fetch(`${base}/`)).text()).toContain('/src/main.js');
  expect(await (await fetch(`${base}/admin/`)).text()).toContain('console');
  await (await fetch(`${base}/src/main.js`)).text();
  expect(await (await fetch(`${base}/src/words.js`)).text()).toContain('before');
  const client = await (await fetch(`${base}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
  const page = new WebSocket(`${base.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  const told: { type: string; updates?: { acceptedPath: string; timestamp: number }[] }[] = [];
  page.addEventListener('message', ({ data }) => told.push(JSON.parse(String(data)) as (typeof told)[number]));
  await until('the page is connected', () => Promise.resolve(told.some(({ type }) => type === 'connected')));
  const ran = (await ask()).pid;

  put(SCREEN, `export const title = 'after';`);
  const took = await until('the page is told', () => Promise.resolve(told.some(({ type }) => type === 'update')));
  const update = told.find(({ type }) => type === 'update')?.updates?.[0];
  expect(update?.acceptedPath).toBe('/src/words.js');
  expect(await (await fetch(`${base}/src/words.js?t=${String(update?.timestamp)}`)).text()).toContain('after');
  expect(told.map(({ type }) => type)).not.toContain('full-reload');
  tell('a changed screen', took);
  page.close();
  // The exchange is not started again for a screen.
  expect((await ask()).pid).toBe(ran);
});

test('a change is handled although the handler of the previous one threw [START-024]', async () => {
  const watched = join(folder, 'watched');
  mkdirSync(join(watched, 'libs/one/src'), { recursive: true });
  const source = `import { writeFileSync } from 'node:fs';
import { watchSources } from ${json(pathToFileURL(join(root, 'tools/lib/dev/watch.mjs')).href)};
const file = ${json(join(watched, 'libs/one/src/index.ts'))};
let calls = 0;
const change = () => writeFileSync(file, 'change ' + calls);
watchSources(${json(watched)}, () => {
  calls += 1;
  console.log('acted ' + calls);
  if (calls > 1) process.exit(0);
  throw new Error('the first one');
}, (error) => { console.log(error.message); setTimeout(change, 100); });
setTimeout(change, 200);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { timeout: 20_000 });
  rmSync(watched, { recursive: true, force: true });
  expect(stdout).toBe('acted 1\nthe first one\nacted 2\n');
});

test('keys that a process has derived are not derived again by the next one [START-025]', async () => {
  const source = `import { scrypt } from 'node:crypto';
import { keepDerivedKeys } from ${json(pathToFileURL(join(root, 'tools/lib/dev/derived-keys.mjs')).href)};
const salt = Buffer.from('salt');
const derive = (secret) =>
  new Promise((done) => scrypt(secret, salt, 32, { N: 1024 }, (_, key) => done(key.toString('hex'))));
const right = await derive('secret');
const told = [];
keepDerivedKeys(new Map(), (...key) => told.push(key));
const first = await derive('secret');
keepDerivedKeys(new Map(told), () => told.push('again'));
const second = await derive('secret');
const other = await derive('another');
const isTold = JSON.stringify(told).includes('secret');
console.log(JSON.stringify([first === right, second === right, other === right, told.length, isTold]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { timeout: 20_000 });
  // One for the first, two tell of the other: the second process, and the first below it.
  expect(JSON.parse(stdout)).toEqual([true, true, false, 3, false]);
});

test('the tool writes only below .cache: sources and their builds stay [START-021]', () => {
  const lying = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !/^(\.cache|tools)\//.test(file));
  expect(lying.sort()).toEqual([...Object.keys(FILES), '.swcrc'].sort());
});
