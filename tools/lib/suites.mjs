// The suites of `npm test`: what each needs, how it runs, and how it counts.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { cacheDir, cloneEnv, fail, node24, nodeFlags, program, programFile, progress, root } from './clone.mjs';
import { findChromium } from './chromium.mjs';
import { brokenCitations, documentOf, readLaw } from './citations.mjs';
import { startKafka } from './kafka.mjs';
import { lockProblemsOf } from './lock.mjs';
import { readManifests } from './manifests.mjs';
import { MissingPart } from './missing.mjs';
import { startDatabase } from './postgres.mjs';
import {
  alive,
  answers,
  endLeftover,
  freePorts,
  identify,
  noteChildren,
  startProcess,
  stopAll,
  waitFor,
} from './processes.mjs';
import { startRedis } from './redis.mjs';

const inCi = /^(1|true)$/i.test(process.env.CI ?? '');
const testDir = join(cacheDir, 'test');
const logDir = join(testDir, 'logs');
/** Files whose comments and texts may cite the law. */
const CITING = /\.(ts|tsx|mjs|md|ya?ml)$/;
const SUITE_MS_MAX = 15 * 60_000;

/** The services of `examples/`, which run beside the others in one process: calls and screens are tested with them. */
const EXAMPLES = readManifests()
  .filter(({ example }) => example)
  .map(({ name }) => name)
  .join(',');

/** In the order in which they run: what fails fast comes first. `files` are the test files that belong to the suite. */
const SUITES = [
  // Each of the first three is one program that keeps one core busy: they begin together.
  { name: 'types', run: checkTypes, isStatic: true },
  { name: 'lint', run: checkLint, isStatic: true },
  { name: 'boundaries', run: checkBoundaries, isStatic: true },
  { name: 'unit', files: /\.(unit|property|sim)\.test\.ts$/, run: (suite) => jest(suite.found, 'unit') },
  { name: 'integration', files: /\.int\.test\.ts$/, run: integration },
  // Where no house account quotes and the feed is scripted: worked examples come out to the last digit only there.
  {
    name: 'quiet',
    files: /\.quiet\.contract\.test\.ts$/,
    run: (suite) => onEmbedded('quiet', (env) => jest(suite.found, 'quiet', env), undefined, quietMarket('quiet')),
  },
  {
    name: 'contract',
    files: /(?<!\.quiet)\.contract\.test\.ts$/,
    run: (suite) =>
      onEmbedded('contract', (env) => jest(suite.found, 'contract', env), undefined, { BOURSE_EXAMPLES: EXAMPLES }),
  },
  {
    name: 'browser',
    files: /\.browser\.test\.ts$/,
    run: (suite) =>
      onEmbedded(
        'browser',
        (env) => inTwoLanes(suite.found, (files, name) => jest(files, name, { ...env, CHROMIUM_PATH: findChromium() })),
        findChromium,
        { BOURSE_EXAMPLES: EXAMPLES },
      ),
  },
  // The short form of `npm run faults`: each file starts an exchange of its own, with proxies on its lines.
  { name: 'faults', files: /\.faults\.test\.ts$/, run: faults },
  {
    name: 'distributed',
    files: /\.contract\.test\.ts$|(?:smoke|journey)\.browser\.test\.ts$|\.distributed\.test\.ts$/,
    run: distributed,
  },
];

/** A result: counts, what to tell about failures (`notes`), and what was missing (`missing`). */
const nothing = () => ({ passed: 0, failed: 0, skipped: 0, notes: [], missing: [] });

/** Runs the suites, prints the table and the last line, and gives the exit code. */
export async function runSuites(wanted) {
  const unknown = wanted.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0)
    fail(`There is no suite ${unknown.join(', ')}. The suites are: ${SUITES.map((suite) => suite.name).join(', ')}.`);
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (interrupted) return; // Ctrl-C comes twice: from the terminal, and passed on by npm
      interrupted = true;
      console.error(`\n${signal}: ending what was started …`);
      cleanUp().then(
        () => process.exit(130),
        (error) => {
          console.error(error);
          process.exit(130);
        },
      );
    });
  }
  mkdirSync(logDir, { recursive: true });
  await noteChildren(testDir);
  const all = testFiles();
  const recordings = describeRecordings();
  console.log(recordings.text);

  const chosen = SUITES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const begun = Date.now();
  const early = new Map(chosen.filter(({ isStatic }) => isStatic).map((suite) => [suite, runSuite(suite, all)]));
  const rows = [];
  for (const suite of chosen) {
    const started = early.has(suite) ? begun : Date.now();
    progress(`── ${suite.name} ${'─'.repeat(60 - suite.name.length)}`);
    const result = await (early.get(suite) ?? runSuite(suite, all));
    const seconds = (Date.now() - started) / 1000;
    rows.push({ name: suite.name, ...result, seconds });
    for (const note of [...result.notes, ...result.missing]) console.log(indent(note));
    progress(`${suite.name}: ${counts(result)} (${seconds.toFixed(1)} s)`);
  }
  await cleanUp();
  return summarize(rows, recordings.text);
}

/** Runs one suite; what keeps it from running counts as a failure, a missing part as skipped tests. */
async function runSuite(suite, all) {
  const found = suite.files ? all.filter((file) => suite.files.test(file)) : [];
  try {
    if (suite.files && found.length === 0)
      throw new Error('No test file belongs to this suite: it would prove nothing.');
    return await suite.run({ ...suite, found });
  } catch (error) {
    if (error instanceof MissingPart)
      return { ...nothing(), skipped: Math.max(1, found.length), missing: [error.message] };
    return { ...nothing(), failed: 1, notes: [error.message] };
  }
}

function summarize(rows, recordings) {
  const total = rows.reduce(sum, nothing());
  const width = Math.max(...rows.map((row) => row.name.length));
  console.log(`\n${'suite'.padEnd(width)}  passed  failed  skipped     time`);
  for (const row of rows)
    console.log(
      `${row.name.padEnd(width)}  ${String(row.passed).padStart(6)}  ${String(row.failed).padStart(6)}  ${String(row.skipped).padStart(7)}  ${row.seconds.toFixed(1).padStart(6)} s`,
    );
  console.log(`\n${recordings}`);
  for (const row of rows)
    if (row.failed > 0) console.log(`FAILED  ${row.name}; the details are above and in ${relative(root, logDir)}/`);
  for (const row of rows)
    if (row.skipped > 0)
      for (const note of row.missing.length > 0 ? row.missing : ['tests that are marked as skipped'])
        console.log(`SKIPPED ${row.name}: ${note}`);
  if (inCi && total.skipped > 0) console.log('Nothing may be skipped in CI.');
  console.log(counts(total));
  return total.failed > 0 || (inCi && total.skipped > 0) || total.passed === 0 ? 1 : 0;
}

const counts = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;
const indent = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/**
 * Where the recorded markets of the tests come from. They run in any case: the bundled recordings come with the
 * project.
 */
function describeRecordings() {
  const given = process.env.MARKET_DATA_DIR;
  if (given) {
    if (!existsSync(given)) fail(`MARKET_DATA_DIR names ${given}, which does not exist.`);
    process.env.MARKET_DATA_DIR = resolve(given);
    return { text: `Recorded markets: ${given} (MARKET_DATA_DIR).` };
  }
  const beside = join(root, '..', 'shared', 'data');
  if (existsSync(beside)) {
    process.env.MARKET_DATA_DIR = beside;
    return { text: 'Recorded markets: ../shared/data.' };
  }
  return {
    text: 'Recorded markets: the recordings bundled with the project (neither MARKET_DATA_DIR nor ../shared/data is there).',
  };
}

function testFiles() {
  return filesOf(['libs', 'services', 'apps', 'examples', 'loadtest', 'tools'], /\.test\.(ts|tsx|mjs|js)$/);
}

/** Files of these folders whose names fit, sorted, with `/` between their parts. */
function filesOf(groups, pattern) {
  const found = [];
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (!['node_modules', 'dist', '.cache', '.data', '.nx'].includes(entry.name)) visit(join(dir, entry.name));
      } else if (pattern.test(entry.name)) found.push(relative(root, join(dir, entry.name)).split(sep).join('/'));
    }
  };
  for (const group of groups) if (existsSync(join(root, group))) visit(join(root, group));
  return found.sort();
}

// ── checks, each counted as one ──

async function command(name, args, { env, timeoutMs = SUITE_MS_MAX } = {}) {
  const log = join(logDir, `${name}.log`);
  rmSync(log, { force: true });
  const handle = startProcess(node24, args, { name, cwd: root, env: cloneEnv(env), log });
  const timer = setTimeout(() => {
    handle.stop(1000);
  }, timeoutMs);
  const { code, signal } = await handle.exited;
  clearTimeout(timer);
  return { ok: code === 0, code, signal, output: readFileSync(log, 'utf8') };
}

async function check(steps) {
  const notes = [];
  for (const [name, args, options] of steps) {
    const { ok, output, signal } = await command(name, args, options);
    if (!ok)
      notes.push(
        `${name} failed${signal ? ` (${signal})` : ''}:\n${output.trim().split('\n').slice(0, 120).join('\n')}`,
      );
  }
  return { ...nothing(), passed: notes.length === 0 ? 1 : 0, failed: notes.length === 0 ? 0 : 1, notes };
}

function checkTypes() {
  const tsc = program('typescript', 'tsc');
  // All anew: declarations that the build's cache brought back may be older than the sources and yet look newer.
  return check([
    ['tsc', [tsc, '-b', '--force']],
    ['tsc-web', [tsc, '--noEmit', '-p', 'tsconfig.web-test.json']],
  ]);
}

function checkLint() {
  const layers = ['services', 'libs', 'apps', 'examples']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
    .filter((dir) => existsSync(join(root, dir)));
  return check([
    ['prettier', [program('prettier'), '--check', '.']],
    ['eslint', [program('eslint'), '--max-warnings', '0', 'services', 'libs', 'apps', 'examples', 'tools']],
    ['depcruise', [program('dependency-cruiser', 'depcruise'), '-c', '.dependency-cruiser.mjs', ...layers]],
    // Packages that a package.json names and no file uses, and those that a file uses and none names.
    ['knip', [program('knip'), '--no-config-hints']],
  ]);
}

/**
 * Both fences must reject what is kept to be rejected, by the rule that is meant to; every test file must belong to a
 * suite, every citation lead somewhere.
 */
async function checkBoundaries() {
  const fixtures = 'services/notices/test/fixtures';
  const linted = await command('forbidden-eslint', [
    program('eslint'),
    '--no-ignore',
    '--format',
    'json',
    `${fixtures}/forbidden-import/imports-a-service.ts`,
  ]);
  const rooms = 'apps/terminal/test/fixtures/forbidden-rooms';
  const cruised = await command(
    'forbidden-depcruise',
    [program('dependency-cruiser', 'depcruise'), '-c', '.dependency-cruiser.mjs', fixtures, rooms],
    { env: { BOURSE_LINT_FIXTURES: '1' } },
  );
  const notes = [];
  if (linted.ok || !linted.output.includes('@nx/enforce-module-boundaries'))
    notes.push(`Lint accepts a service that imports a service (${fixtures}/forbidden-import):\n${linted.output}`);
  for (const rule of [
    'no-service-imports-a-service',
    'domain-is-pure',
    'features-do-not-mix',
    'rooms-know-no-feature',
    'core-knows-no-room',
    'the-ledger-knows-no-wallet',
  ]) {
    if (cruised.ok || !cruised.output.includes(rule))
      notes.push(`dependency-cruiser does not report ${rule} for ${fixtures} and ${rooms}:\n${cruised.output}`);
  }
  const stray = testFiles().filter((file) => !SUITES.some((suite) => suite.files?.test(file)));
  if (stray.length > 0)
    notes.push(
      `Test files that no suite runs (name them .unit, .property, .sim, .int, .contract, .browser or .faults before .test.ts): ${stray.join(', ')}`,
    );
  const broken = brokenLaw();
  if (broken.length > 0) notes.push(`Citations that lead nowhere:\n${indent(broken.join('\n'))}`);
  notes.push(...lockProblemsOf(root));
  return { ...nothing(), passed: notes.length === 0 ? 1 : 0, failed: notes.length === 0 ? 0 : 1, notes };
}

/** What sources and pages cite and what is nowhere: sections of the contract and the design, invariants, proofs. */
function brokenLaw() {
  const law = readLaw(join(root, 'docs'));
  const pages = filesOf(['libs', 'services', 'apps', 'loadtest', 'tools', 'docs', 'deploy', 'k8s', 'examples'], CITING);
  return pages.flatMap((file) =>
    brokenCitations(readFileSync(join(root, file), 'utf8'), law, documentOf(file)).map((broken) => `${file}:${broken}`),
  );
}

// ── Jest ──

/** Runs Jest on exactly these files and counts its tests. A file that could not run at all counts as one failure. */
async function jest(files, name, env = {}) {
  const testMsMax = name === 'unit' ? 30_000 : 120_000;
  // Files that share one exchange, its people and its markets run one after another; those that start servers of their
  // own wait for them most of the time.
  const workers =
    'BOURSE_URL' in env || 'FAULTS_ALONE' in env
      ? ['--maxWorkers=1']
      : name === 'integration'
        ? ['--maxWorkers=3']
        : [];
  const outputFile = join(testDir, `${name}.json`);
  rmSync(outputFile, { force: true });
  const started = Date.now();
  const alive = setInterval(() => progress(`  … ${name}, ${Math.round((Date.now() - started) / 1000)} s`), 20_000);
  let result;
  try {
    result = await command(
      `jest-${name}`,
      [
        '--experimental-vm-modules',
        '--no-warnings=ExperimentalWarning',
        '--disable-warning=TimeoutNegativeWarning',
        program('jest'),
        // A test that failed half way may leave its connection open; the run would wait for it until its time is over.
        '--forceExit',
        '--json',
        `--outputFile=${outputFile}`,
        `--testTimeout=${testMsMax}`,
        ...workers,
        '--runTestsByPath',
        ...files,
      ],
      { env: { NODE_ENV: 'test', ...env } },
    );
  } finally {
    clearInterval(alive);
  }
  if (!existsSync(outputFile))
    return {
      ...nothing(),
      failed: 1,
      notes: [
        `Jest ended without a result (${result.signal ?? `code ${result.code}`}):\n${result.output.slice(-4000)}`,
      ],
    };
  const report = JSON.parse(readFileSync(outputFile, 'utf8'));
  const notes = [];
  for (const file of report.testResults) {
    if (file.status !== 'failed') continue;
    const failures = file.assertionResults.filter((test) => test.status === 'failed');
    notes.push(`FAIL ${relative(root, file.name)}`);
    if (failures.length === 0) notes.push(indent(essence(file.message)));
    for (const test of failures)
      notes.push(indent(`✕ ${test.fullName}\n${indent(essence(test.failureMessages.join('\n')))}`));
  }
  const ran = report.numPassedTests + report.numFailedTests + report.numPendingTests + report.numTodoTests;
  let failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  if (failed === 0 && (!report.success || ran === 0)) {
    failed = 1;
    notes.push(`Jest says that the run failed (code ${result.code}):\n${result.output.slice(-4000)}`);
  }
  return {
    ...nothing(),
    passed: report.numPassedTests,
    failed,
    skipped: report.numPendingTests + report.numTodoTests,
    notes,
  };
}

/** A failure without colours, frames of libraries, and what goes on for pages. */
const essence = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !/^\s+at .*(node_modules|node:internal)/.test(line) && line.trim() !== '')
    .slice(0, 20)
    .map((line) => line.slice(0, 400))
    .join('\n');

// ── suites that need servers ──

/**
 * PostgreSQL comes with the packages; files that need Kafka or Redis are skipped, by name, where those cannot be had.
 */
async function integration(suite) {
  const missing = [];
  const part = async (start) => {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error;
      missing.push(error);
      return undefined;
    }
  };
  const dir = await freshDir('integration');
  const kafka = await part(() =>
    startKafka({
      given: process.env.TEST_KAFKA_BROKERS ?? process.env.KAFKA_BROKERS,
      dataDir: join(dir, 'kafka'),
      logDir,
      onProgress: progress,
    }),
  );
  const redis = await part(() => startRedis({ given: process.env.TEST_REDIS_URL ?? process.env.REDIS_URL, logDir }));
  const database = await startDatabase({ given: process.env.TEST_DATABASE_URL, dataDir: dir, disposable: true });
  cleanups.add(database.stop);
  const env = {
    TEST_DATABASE_URL: database.url,
    ...(kafka ? { TEST_KAFKA_BROKERS: kafka.brokers } : {}),
    ...(redis ? { TEST_REDIS_URL: redis.url } : {}),
  };
  const needs = (file) =>
    missing.find(({ part: name }) => readFileSync(join(root, file), 'utf8').toLowerCase().includes(name.toLowerCase()));
  const skipped = suite.found.filter(needs);
  const files = suite.found.filter((file) => !skipped.includes(file));
  try {
    const result = files.length > 0 ? await jest(files, 'integration', env) : nothing();
    const lacking = missing
      .map((error) => [error, skipped.filter((file) => needs(file) === error)])
      .filter(([, waiting]) => waiting.length > 0);
    return sum(result, {
      ...nothing(),
      skipped: skipped.length,
      missing: lacking.map(([error, waiting]) => `${error.message}  (${waiting.join(', ')})`),
    });
  } finally {
    await Promise.all([kafka?.stop(), redis?.stop(), database.stop()]);
    cleanups.delete(database.stop);
  }
}

/** Two browsers at once on one exchange: one only looks at screens, the other one trades and moves money. */
async function inTwoLanes(files, run) {
  const looks = files.filter((file) => /(?:screens|smoke|budget)\.browser\./.test(file));
  const [one, other] = await Promise.all([
    run(looks, 'browser-looks'),
    run(
      files.filter((file) => !looks.includes(file)),
      'browser-acts',
    ),
  ]);
  return sum(one, other);
}

/**
 * Real faults against real processes. Where Kafka or Redis cannot be had, those of the distributed run are skipped, by
 * name.
 */
async function faults(suite) {
  const [embedded, spread] = [
    suite.found.filter((file) => !/distributed/.test(file)),
    suite.found.filter((file) => /distributed/.test(file)),
  ];
  const first = await jest(embedded, 'faults', { FAULTS_ALONE: '1' });
  try {
    const dir = await freshDir('faults-parts');
    for (const start of [
      () => startRedis({ logDir }),
      () => startKafka({ dataDir: join(dir, 'kafka'), logDir, onProgress: progress }),
    ])
      await (await start()).stop();
  } catch (error) {
    if (!(error instanceof MissingPart)) throw error;
    return sum(first, { ...nothing(), skipped: spread.length, missing: [error.message] });
  }
  return sum(first, await jest(spread, 'faults-distributed', { FAULTS_ALONE: '1' }));
}

/** No house accounts, and a feed that says one price of BTC/USDT all the time. */
function quietMarket(name) {
  const feed = join(testDir, `${name}-feed.jsonl`);
  writeFileSync(feed, `${JSON.stringify({ symbol: 'BTC/USDT', price: '56637.56' })}\n`);
  return { MAKER: 'off', PRICE_FEED: `scripted:${feed}` };
}

/** A fresh embedded exchange on a free port and an empty data folder, as `npm start` gives it. */
async function onEmbedded(name, run, requirement = () => undefined, more = {}) {
  requirement();
  const dir = await freshDir(`embedded-${name}`);
  const [port] = await freePorts(1);
  const log = join(logDir, `exchange-${name}.log`);
  rmSync(log, { force: true });
  const env = cloneEnv({
    BOURSE_DEV: '1',
    PORT: String(port),
    DATA_DIR: dir,
    DATABASE_URL: undefined,
    REDIS_URL: undefined,
    KAFKA_BROKERS: undefined,
    // What people do is judged on books that follow their feed and nothing else.
    DEMO_PACE: 'calm',
    ...more,
  });
  const handle = startProcess(node24, [...nodeFlags, programFile('exchange')], {
    name: 'exchange',
    cwd: root,
    env,
    log,
  });
  const end = async () => {
    await handle.stop();
    await endLeftovers(dir);
  };
  cleanups.add(end);
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitFor(() => answers(`${url}/readyz`), {
      timeoutMs: 120_000,
      what: `the exchange to be ready at ${url}`,
      handle,
      everyMs: 250,
    });
    progress('The embedded exchange is ready.');
    const { BOURSE_EXAMPLES = '' } = more;
    const result = await run({ BOURSE_URL: url, BOURSE_RUN: 'embedded', BOURSE_EXAMPLES });
    if (handle.over)
      return {
        ...result,
        failed: result.failed + 1,
        notes: [...result.notes, `The exchange ended during the tests; see ${relative(root, log)}`],
      };
    return result;
  } finally {
    await end();
    cleanups.delete(end);
  }
}

/** The same contract tests, and one walk in the browser, against one process per service over Kafka and Redis. */
async function distributed(suite) {
  const quiet = suite.found.filter((file) => /\.quiet\.contract\.|\.distributed\./.test(file));
  const journey = suite.found.filter((file) => /journey\.browser\./.test(file));
  const living = suite.found.filter((file) => !quiet.includes(file) && !journey.includes(file));
  const first = await distributedRun('distributed', living, {}, killEachService);
  const second = await distributedRun('distributed-quiet', quiet, quietMarket('distributed-quiet'), nothing);
  return sum(
    sum(first, second),
    await onEvmNode((node) =>
      distributedRun(
        'distributed-journey',
        journey,
        { CHAIN_ETHEREUM_URL: node.url, CHAIN_ETHEREUM_ID: String(node.chainId) },
        nothing,
        { EVM_NODE: JSON.stringify(node) },
      ),
    ),
  );
}

/** A local EVM node for as long as `run` takes. */
async function onEvmNode(run) {
  const log = join(logDir, 'evm-node.log');
  rmSync(log, { force: true });
  const handle = startProcess(node24, [join(root, 'tools', 'evm-node.mjs')], {
    name: 'EVM node',
    cwd: root,
    env: cloneEnv(),
    log,
  });
  cleanups.add(handle.stop);
  try {
    const [line] = await waitFor(() => /^\{.*\}$/m.exec(existsSync(log) ? readFileSync(log, 'utf8') : ''), {
      timeoutMs: 60_000,
      what: 'the EVM node to be there',
      handle,
      everyMs: 250,
    });
    return await run(JSON.parse(line));
  } finally {
    await handle.stop();
    cleanups.delete(handle.stop);
  }
}

async function distributedRun(name, files, more, after, given = {}) {
  const chromium = findChromium();
  const dir = await freshDir(name);
  const log = join(logDir, `${name}.log`);
  rmSync(log, { force: true });
  // Missing parts are found here, before anything runs, so that they are named in the summary.
  await (await startRedis({ logDir })).stop();
  await (await startKafka({ dataDir: join(dir, 'kafka'), logDir, onProgress: progress })).stop();
  const env = cloneEnv({
    BOURSE_DEV: '1',
    PORT: '0',
    DATA_DIR: dir,
    DATABASE_URL: undefined,
    DEMO_PACE: 'calm',
    ...more,
  });
  const handle = startProcess(node24, [join(root, 'tools', 'start-distributed.mjs')], {
    name: 'distributed run',
    cwd: root,
    env,
    log,
  });
  cleanups.add(handle.stop);
  try {
    const ready = await waitFor(() => /^BOURSE READY (.*)$/m.exec(existsSync(log) ? readFileSync(log, 'utf8') : ''), {
      timeoutMs: 180_000,
      what: 'the distributed run to be ready',
      handle,
      everyMs: 250,
    });
    const run = JSON.parse(ready[1]);
    progress(`The distributed run is ready: ${run.url}`);
    const tested = await jest(files, name, {
      BOURSE_URL: run.url,
      BOURSE_RUN: 'distributed',
      BOURSE_PROCESSES: run.processes,
      BOURSE_READY: JSON.stringify(run.services),
      CHROMIUM_PATH: chromium,
      ...given,
    });
    return sum(tested, await after(run));
  } finally {
    await handle.stop(60_000);
    cleanups.delete(handle.stop);
  }
}

/**
 * [START-006] kill -9 of each service: it must come back by itself, at its address, and the exchange must be whole
 * again.
 */
async function killEachService({ services, processes }) {
  const result = nothing();
  for (const [name, address] of Object.entries(services)) {
    const { pid } = JSON.parse(readFileSync(processes, 'utf8')).children[name];
    const started = Date.now();
    process.kill(pid, 'SIGKILL');
    try {
      await waitFor(() => JSON.parse(readFileSync(processes, 'utf8')).children[name]?.pid !== pid, {
        timeoutMs: 20_000,
        what: `a new process of ${name}`,
      });
      await waitFor(
        async () => (await Promise.all([address, ...Object.values(services)].map(answers))).every(Boolean),
        { timeoutMs: 60_000, what: `all services to be ready after ${name} was killed`, everyMs: 250 },
      );
      result.passed += 1;
      progress(`  ${name} was killed and is ready again after ${((Date.now() - started) / 1000).toFixed(1)} s`);
    } catch (error) {
      result.failed += 1;
      result.notes.push(`✕ kill -9 of ${name} heals by itself [START-006]\n${error.message}`);
    }
  }
  return result;
}

const sum = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  notes: [...one.notes, ...other.notes],
  missing: [...one.missing, ...other.missing],
});

/** Ends that are due however the run ends. */
const cleanups = new Set();
async function cleanUp() {
  for (const end of [...cleanups]) await end();
  await stopAll(5000);
}

/** An empty folder under `.cache/test`. What earlier runs left, killed ones with their servers, is cleared away. */
async function freshDir(name) {
  for (const entry of readdirSync(testDir)) {
    if (!entry.startsWith(`${name}-`) || livesIn(join(testDir, entry))) continue;
    await endLeftovers(join(testDir, entry));
    rmSync(join(testDir, entry), { recursive: true, force: true });
  }
  const dir = join(testDir, `${name}-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'tested-by.json'), JSON.stringify(identify(process.pid)));
  return dir;
}

function livesIn(dir) {
  const file = join(dir, 'tested-by.json');
  return existsSync(file) && alive(JSON.parse(readFileSync(file, 'utf8')));
}

/** Ends what a killed run left in the folder: databases, and the services of a distributed run. */
async function endLeftovers(dir) {
  const noted = join(dir, 'distributed', 'processes.json');
  if (existsSync(noted))
    await Promise.all(Object.values(JSON.parse(readFileSync(noted, 'utf8')).children).map(endLeftover));
  const { stopLeftover } = await import(pathToFileURL(join(root, 'apps', 'exchange', 'dist', 'postgres.js')).href);
  for (const place of [dir, join(dir, 'distributed')]) await stopLeftover(place);
}
