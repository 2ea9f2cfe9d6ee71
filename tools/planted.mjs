// `npm run planted`: plants one mistake after another in the money path and runs the test that must fail for it
// (docs/proofs/planted-defects.md). Passes when every mistake is caught by its test, and every such test passes without
// it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import log from '../apps/simulation/planted/log.mjs';
import money from '../apps/simulation/planted/money.mjs';
import sagas from '../apps/simulation/planted/sagas.mjs';
import settings from '../apps/simulation/planted/settings.mjs';
import { readArguments } from './lib/arguments.mjs';
import { fail } from './lib/clone.mjs';
import { readManifests } from './lib/manifests.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Seeds in which a planted defect must show; `npm run test:full` runs all of them. */
const SEEDS = { full: '1..500', fast: '1..40' };
/** In `npm test` everything else goes first. */
const RUN_MS_MAX = 900_000;
const SIM = {
  test: 'apps/simulation/test/seeds-one.sim.test.ts',
  name: 'whatever breaks, money, books and answers end right',
};

const USAGE = `Usage: npm run planted -- [options]

Plants one mistake after another in the money path, and runs the test that must fail for it.

  --only <id>,<id>  these mistakes alone
  --fast            those that few seeds or a quick test catch, as in npm run test:full
  --list            names them, with their places, invariants and tests
  --json            the outcome as JSON`;
const { values } = readArguments(USAGE, {
  options: {
    only: { type: 'string' },
    fast: { type: 'boolean' },
    list: { type: 'boolean' },
    json: { type: 'boolean' },
    workers: { type: 'string' },
  },
});
/** Those in services lie with them; here are those in libraries. */
const ofServices = [];
for (const { dir } of readManifests(root)) {
  const file = join(root, dir, 'planted.mjs');
  if (existsSync(file)) ofServices.push(...(await import(pathToFileURL(file).href)).default);
}
const all = [...log, ...money, ...sagas, ...settings, ...ofServices];
const say = (text) => {
  if (!values.json) process.stdout.write(`${text}\n`);
};

// A list that names places which are no longer there is wrong.
for (const { id, file, find } of all) {
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`${id}: ${file} is not there: where does its mistake belong now?`);
  if (readFileSync(path, 'utf8').split(find).length !== 2)
    throw new Error(`${id}: ${file} does not contain once: ${find}`);
}
if (values.list) {
  const caughtBy = (one) =>
    one.seeds ? `${one.dry ? 'SIM-022' : 'SIM-001'}, seeds 1 … 500` : `\`${one.test}\`: ${one.name}`;
  const rows = all.map((one) => `| ${one.id} | ${one.what} | \`${one.file}\` | ${one.breaks} | ${caughtBy(one)} |\n`);
  // Wait until the pipe has taken the whole list: an earlier exit would cut it off.
  await new Promise((written) => process.stdout.write(rows.join(''), written));
  process.exit(0);
}

const only = values.only?.split(',').map((id) => id.trim());
const unknown = only?.filter((id) => all.every((one) => one.id !== id)) ?? [];
if (unknown.length > 0) fail(`No mistake is called ${unknown.join(', ')}; --list names them.`);
const chosen = all.filter((one) => (only ? only.includes(one.id) : !values.fast || one.fast === true));
let database;

function run(args, planted, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'test',
      ...env,
      PLANTED: planted ? JSON.stringify(planted) : '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS_MAX);
  return new Promise((done) => {
    child.on('exit', (code) => {
      clearTimeout(timer);
      done({ code, output: Buffer.concat(output).toString('utf8') });
    });
  });
}

/** Runs one test file, and of it the tests with that name. `failed`: they ran, and one of them failed. */
async function jest(test, name, planted) {
  const dir = mkdtempSync(join(tmpdir(), 'planted-'));
  try {
    const result = join(dir, 'result.json');
    const env = test.includes('/integration/') ? { TEST_DATABASE_URL: await databaseUrl() } : {};
    const ran = await run(
      [
        '--experimental-vm-modules',
        '--no-warnings',
        join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
        '--config',
        'jest.planted.config.mjs',
        '--json',
        `--outputFile=${result}`,
        '--runTestsByPath',
        test,
        '-t',
        name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), // A test that fails may leave connections open.
        '--maxWorkers=1',
        '--forceExit',
      ],
      planted,
      env,
    );
    const report = JSON.parse(readFileSync(result, 'utf8'));
    return {
      failed: report.numFailedTests > 0,
      passed: report.success && report.numPassedTests > 0,
      output: ran.output,
    };
  } catch (error) {
    return { failed: false, passed: false, output: String(error) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * The seeds of SIM-001, up to the first that fails. `failed` only if it reports the expected finding: a simulator that
 * crashes has caught nothing.
 */
async function simulate(seeds, expected, planted) {
  const dry = planted?.dry ? ['--dry', planted.dry] : [];
  const { code, output } = await run(
    [join(root, 'tools', 'simulate.mjs'), '--seeds', seeds, '--json', ...dry],
    planted,
  );
  const line = output.split('\n').find((text) => text.startsWith('{'));
  if (!line) return { failed: false, passed: false, output };
  const { failed } = JSON.parse(line);
  return {
    failed:
      code === 1 &&
      failed.length > 0 &&
      failed[0].text
        .split('\n')
        .some((text) => text.trim().startsWith(expected) || (expected.length > 4 && text.includes(expected))),
    passed: code === 0,
    output: failed[0]?.text ?? '',
  };
}

async function databaseUrl() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  database ??= (async () => {
    const { ensureBuilt } = await import('./lib/clone.mjs');
    if (!values.json) await ensureBuilt([]); // the database is started by code of the exchange
    const { startDatabase } = await import('./lib/postgres.mjs');
    return startDatabase({ given: undefined, dataDir: mkdtempSync(join(tmpdir(), 'planted-db-')), disposable: true });
  })();
  return (await database).url;
}

const survivors = [];
let caught = 0;
const queue = [...chosen];
async function work() {
  for (let defect = queue.shift(); defect; defect = queue.shift()) {
    const started = performance.now();
    const { failed, output } = defect.seeds
      ? await simulate(values.fast ? SEEDS.fast : SEEDS.full, defect.seeds, defect)
      : await jest(defect.test, defect.name, defect);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    if (failed) caught += 1;
    else survivors.push({ id: defect.id, output });
    const how = defect.seeds ? (/^seed (\S+) FAILS/.exec(output)?.[0].replace(' FAILS', '') ?? 'no seed') : defect.name;
    say(`${failed ? 'caught  ' : 'SURVIVED'} ${defect.id} (${seconds} s) ${defect.what}: ${how}`);
    if (!failed)
      say(
        output
          .split('\n')
          .slice(0, 12)
          .map((text) => `    ${text}`)
          .join('\n'),
      );
  }
}
await Promise.all(Array.from({ length: Number(values.workers ?? 2) }, work));

// Each test that has caught something must pass when nothing is planted.
const broken = [];
const tests = new Map(chosen.filter((one) => one.test).map((one) => [`${one.test}\n${one.name}`, one]));
if (!values.only && !values.fast) {
  for (const { test, name } of tests.values())
    if (!(await jest(test, name, null)).passed) broken.push(`${test}: ${name}`);
  if (!(await simulate(SEEDS.full, '', null)).passed) broken.push(`${SIM.test}: ${SIM.name}`);
}
if (database) await (await database).stop();
const summary = { planted: chosen.length, caught, survivors: survivors.map(({ id }) => id), broken };
if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
else
  say(
    `${caught} of ${chosen.length} planted defects caught` +
      (broken.length > 0 ? `; these tests fail without any: ${broken.join(', ')}` : ''),
  );
process.exitCode = survivors.length === 0 && broken.length === 0 ? 0 : 1;
