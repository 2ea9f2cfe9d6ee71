// The suites of `npm test`: what each needs, how it runs, and how it counts.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fail, progress, root } from './clone.mjs';
import { findChromium } from './chromium.mjs';
import { fetchKafka, startKafka } from './kafka.mjs';
import { findK6 } from '../../loadtest/lib/k6.mjs';
import { kubernetesTools } from './kubernetes.mjs';
import { readManifests } from './manifests.mjs';
import { MissingPart } from './missing.mjs';
import { startDatabase } from './postgres.mjs';
import { noteChildren } from './processes.mjs';
import { startRedis } from './redis.mjs';
import { checkBoundaries, checkLint, checkTypes } from './suites/checks.mjs';
import { runContract, runContractInLanes } from './suites/contract.mjs';
import { cleanUp, cleanups, jest, LANE_MS_MAX } from './suites/run.mjs';
import { distributedRun, findParts, onEmbedded, onEvmNode, quietMarket } from './suites/stands.mjs';
import { sideBySide } from './suites/side-by-side.mjs';
import { freshDir, logDir, testDir, testFiles } from './suites/places.mjs';
import { attempt, counts, indent, inShort, nothing, sum } from './suites/result.mjs';

const SLOWEST_TOLD = 20;
/** The longest that a suite may take which stands back for those beside it. */
const STANDING_BACK_MS_MAX = 45 * 60_000;
const inCi = /^(1|true)$/i.test(process.env.CI ?? '');
/** `TEST_FILES='kill|traces' npm test -- distributed` runs only the files of a suite whose names fit. */
const only = process.env.TEST_FILES ? new RegExp(process.env.TEST_FILES) : undefined;

/** The services of `examples/`, which run beside the others in one process: calls and screens are tested with them. */
const EXAMPLES = readManifests()
  .filter(({ example }) => example)
  .map(({ name }) => name)
  .join(',');

/**
 * Tests that say nothing new of the distributed run (decision 0185): how the edge judges tokens, paths, bodies and
 * fields before it asks anybody, programs that speak to it, documents that are the same in both runs; and long walks
 * through a product of which another file makes the same calls there: deals and appeals (`c2c.races`, `shops`),
 * deposits and withdrawals (the journey, on a chain), seconds contracts and teams (the faults of that run).
 */
const SAME_IN_BOTH = new RegExp(
  `/(?:${[
    'addresses',
    'api-client',
    'api-documents',
    'appeals',
    'attack(?:\\.(?:deals|edge|house|operators|people|value))?',
    'c2c',
    'ccxt',
    'config',
    'console',
    'deals\\.people',
    'deposits',
    'documents',
    'edge',
    'interface',
    'micro',
    'python',
    'sdk',
    'security',
    'seeds',
    'solvency',
    'team',
    'ticks',
    'withdrawals',
  ].join('|')})(?:\\.alone)?(?:\\.quiet)?\\.(?:contract|browser)\\.test\\.ts$`,
);

/**
 * In the order in which they run: what fails fast comes first. `files` are the test files that belong to the suite.
 * One that runs `beside` another begins with it: each has servers of its own, and one of them mostly waits. One that
 * begins `after` another waits for that alone and not for all before it.
 */
const SUITES = [
  // Each of the first three is one program that keeps one core busy: they begin together.
  { name: 'types', run: checkTypes, isStatic: true },
  { name: 'lint', run: checkLint, isStatic: true },
  { name: 'boundaries', run: () => checkBoundaries(SUITES), isStatic: true },
  // Lint takes longer than the other two and keeps one core busy: the other one need not wait for it.
  {
    name: 'unit',
    after: 'types',
    needsGo: true,
    files: /\.(unit|property)\.test\.ts$/,
    run: (suite) => jest(suite.found, 'unit', {}, { timeoutMs: LANE_MS_MAX }),
  },
  // Computes all the time and waits for nobody. Lint and the unit tests, which have no limits of time that count, go
  // first; beside servers it made calls wait for longer than they may, whatever its niceness.
  {
    name: 'simulator',
    after: 'types',
    files: /\.sim\.test\.ts$/,
    run: (suite) => jest(suite.found, 'simulator', {}, { niceness: 10, timeoutMs: STANDING_BACK_MS_MAX }),
  },
  { name: 'integration', needsKafka: true, files: /\.int\.test\.ts$/, run: integration },
  // Where no house account quotes and the feed is scripted: worked examples come out to the last digit only there.
  {
    name: 'quiet',
    beside: 'integration',
    files: /\.quiet\.contract\.test\.ts$/,
    run: (suite) =>
      runContractInLanes(suite.found, 'quiet', {
        jest,
        withExchange: (name, run) => onEmbedded(name, run, undefined, quietMarket(name)),
        more: { timeoutMs: LANE_MS_MAX },
      }),
  },
  // One exchange beside the integration tests, not two: together they take as long as those do, and calls wait less.
  {
    name: 'contract',
    after: 'quiet',
    files: /(?<!\.quiet)\.contract\.test\.ts$/,
    run: (suite) =>
      onEmbedded(
        'contract',
        (env) => runContract(suite.found, 'contract', env, { jest, more: { timeoutMs: LANE_MS_MAX } }),
        undefined,
        { BOURSE_EXAMPLES: EXAMPLES },
      ),
  },
  {
    name: 'browser',
    files: /\.browser\.test\.ts$/,
    not: /\/journey\.browser\./, // it runs in the distributed run alone (decision 0185)
    run: (suite) =>
      onEmbedded(
        'browser',
        (env) =>
          inTwoLanes(suite.found, (files, name) =>
            jest(files, name, { ...env, CHROMIUM_PATH: findChromium() }, { timeoutMs: LANE_MS_MAX }),
          ),
        findChromium,
        { BOURSE_EXAMPLES: EXAMPLES },
      ),
  },
  // The scripts of loadtest/k6 by their address alone, for seconds: that they run and reconcile, not how fast; then on
  // an exchange with ordinary limits. On request, and a job of its own in CI: Go compiles k6 for four minutes of one
  // core (decision 0152).
  {
    name: 'load',
    onRequest: true,
    needsK6: true,
    files: /\.load\.test\.ts$/,
    run: async (suite) => {
      const k6 = await findK6();
      const on = (name, files, more) =>
        files.length === 0
          ? nothing()
          : onEmbedded(name, (env) => jest(files, name, { ...env, K6: k6 }), undefined, more);
      const limited = suite.found.filter((file) => file.includes('limits.load.'));
      const free = await on(
        'load',
        suite.found.filter((file) => !limited.includes(file)),
      );
      return sum(free, await on('load-limits', limited, { RATE_SCALE: '1' }));
    },
  },
  // The short form of `npm run faults`: each file starts an exchange of its own, with proxies on its lines.
  { name: 'faults', needsKafka: true, files: /\.faults\.test\.ts$/, run: faults },
  {
    name: 'distributed',
    needsKafka: true,
    files: /\.contract\.test\.ts$|(?:journey|people)\.browser\.test\.ts$|\.distributed\.test\.ts$/,
    not: SAME_IN_BOTH,
    run: distributed,
  },
];

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
  if (only && inCi) fail('TEST_FILES leaves tests out: not in CI.');
  if (only) console.log(`Only files that fit ${only} (TEST_FILES).`);
  mkdirSync(logDir, { recursive: true });
  await noteChildren(testDir);
  const all = testFiles();
  const recordings = describeRecordings();
  console.log(recordings.text);

  const chosen = SUITES.filter(({ name, onRequest }) => (wanted.length === 0 ? !onRequest : wanted.includes(name)));
  for (const { name } of wanted.length === 0 ? SUITES.filter(({ onRequest }) => onRequest) : [])
    console.log(`On request only: npm test -- ${name}`);
  const running = new Map();
  const begin = (suite) => {
    if (running.has(suite)) return running.get(suite);
    const started = Date.now();
    const ended = runSuite(suite, all).then((result) => ({ result, seconds: (Date.now() - started) / 1000 }));
    running.set(suite, ended);
    for (const other of chosen) {
      if (other.beside === suite.name) void begin(other);
      if (other.after === suite.name) void ended.then(() => begin(other));
    }
    return ended;
  };
  // From a fresh clone the jars come over the network while the first suites compute.
  if (chosen.some(({ needsKafka }) => needsKafka)) fetchKafka(progress).catch(() => undefined);
  if (chosen.some(({ needsK6 }) => needsK6)) findK6().catch(() => undefined);
  // So do the programs that check the files of Kubernetes, which Go compiles; what lacks is told by the test.
  if (chosen.some(({ needsGo }) => needsGo)) kubernetesTools(progress).catch(() => undefined);
  for (const suite of chosen) if (suite.isStatic) void begin(suite);
  const rows = [];
  for (const suite of chosen) {
    progress(`── ${suite.name} ${'─'.repeat(60 - suite.name.length)}`);
    const { result, seconds } = await begin(suite);
    rows.push({ name: suite.name, ...result, seconds });
    for (const note of [...result.notes, ...result.missing]) console.log(indent(note));
    progress(`${suite.name}: ${counts(result)} (${seconds.toFixed(1)} s)`);
  }
  await cleanUp();
  return summarize(rows, recordings.text);
}

/** Runs one suite; what keeps it from running counts as a failure, a missing part as skipped tests. */
async function runSuite(suite, all) {
  const belongs = (file) => suite.files.test(file) && !suite.not?.test(file) && (only?.test(file) ?? true);
  const found = suite.files ? all.filter(belongs) : [];
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
      `${row.name.padEnd(width)}  ${String(row.passed).padStart(6)}  ${String(row.failed).padStart(6)}  ` +
        `${String(row.skipped).padStart(7)}  ${row.seconds.toFixed(1).padStart(6)} s`,
    );
  const slowest = total.files.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_TOLD);
  if (slowest.length > 0) console.log('\nThe slowest files:');
  for (const { run, file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file} (${run})`);
  console.log(`\n${recordings}`);
  for (const row of rows) {
    if (row.failed === 0) continue;
    console.log(`FAILED  ${row.name}; the details are above and in ${relative(root, logDir)}/`);
    for (const note of row.notes) console.log(indent(inShort(note)));
  }
  for (const row of rows)
    if (row.skipped > 0)
      for (const note of row.missing.length > 0 ? row.missing : ['tests that are marked as skipped'])
        console.log(`SKIPPED ${row.name}: ${note}`);
  if (inCi && total.skipped > 0) console.log('Nothing may be skipped in CI.');
  console.log(counts(total));
  return total.failed > 0 || (inCi && total.skipped > 0) || total.passed === 0 ? 1 : 0;
}

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
    text:
      'Recorded markets: the recordings bundled with the project (neither ' +
      'MARKET_DATA_DIR nor ../shared/data is there).',
  };
}

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
    const result = files.length > 0 ? await jest(files, 'integration', env, { timeoutMs: LANE_MS_MAX }) : nothing();
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

/**
 * Two browsers at once on one exchange. What the one does with orders, contracts and deposits, it does as other people
 * than those of the other: nobody cancels what somebody else waits for. What changes the exchange for everybody runs
 * after both: `.alone`, and the wallet, which moves the clock by a day.
 */
const FIRST_LANE = [
  'account',
  'screens',
  'console',
  'lists',
  'gallery',
  'budget',
  'failures',
  'addresses',
  'home',
  'reference',
  'status',
  'figures',
];
async function inTwoLanes(files, run) {
  const first = FIRST_LANE.flatMap((name) => files.filter((file) => file.includes(`/${name}.browser.`)));
  const alone = files.filter((file) => /\.alone\.browser\.|\/wallet\.browser\./.test(file));
  const other = files.filter((file) => !first.includes(file) && !alone.includes(file));
  const lanes = await sideBySide([() => run(first, 'browser-one'), () => run(other, 'browser-other')]);
  return [...lanes, await run(alone, 'browser-alone')].reduce(sum);
}

/**
 * Real faults against real processes, one run of the exchange after the other: side by side they kept each other from
 * coming back. Where Kafka or Redis cannot be had, those of the distributed run are skipped, by name.
 */
async function faults(suite) {
  const [embedded, spread] = [
    suite.found.filter((file) => !/distributed/.test(file)),
    suite.found.filter((file) => /distributed/.test(file)),
  ];
  const first = await attempt(() => jest(embedded, 'faults', { FAULTS_ALONE: '1' }));
  try {
    await findParts();
  } catch (error) {
    if (!(error instanceof MissingPart)) throw error;
    return sum(first, { ...nothing(), skipped: spread.length, missing: [error.message] });
  }
  return sum(first, await attempt(() => jest(spread, 'faults-distributed', { FAULTS_ALONE: '1' })));
}

/**
 * Contract tests, what two people do with each other in the browser, and one walk there, against one process per
 * service over Kafka and Redis. One such run: a dozen processes keep two cores busy. Nobody quotes in it, and it has a
 * real chain; services are killed when all else is over.
 */
async function distributed(suite) {
  const order = [
    // Before anybody trades: where nobody quotes the last price goes its own way from then on.
    /\/market\.contract\./,
    /\.quiet\.contract\./,
    /\.contract\./,
    /\.people\./,
    /\/(?!kill)[^/]*\.distributed\./,
    /\/journey\./,
    /\/kill\./,
  ];
  const files = order.flatMap((kind) => suite.found.filter((file) => order.find((one) => one.test(file)) === kind));
  const unordered = suite.found.filter((file) => !files.includes(file));
  if (unordered.length > 0) throw new Error(`Nothing says when these run: ${unordered.join(', ')}`);
  await findParts();
  findChromium();
  return onEvmNode((node) =>
    distributedRun(
      'distributed',
      files,
      {
        ...quietMarket('distributed'),
        CHAIN_ETHEREUM_URL: node.url,
        CHAIN_ETHEREUM_ID: String(node.chainId),
      },
      { EVM_NODE: JSON.stringify(node) },
    ),
  );
}
