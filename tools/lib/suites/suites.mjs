// The suites of `npm test`: what each proves, when it runs, how long it may take, and how it runs.
import { findChromium } from '../chromium.mjs';
import { findK6 } from '../../../loadtest/lib/k6.mjs';
import { readManifests } from '../manifests.mjs';
import { runBrowserFiles } from './browser.mjs';
import { runContainers } from './containers.mjs';
import { runContract, runContractInLanes } from './contract.mjs';
import { checkBoundaries, checkLint, checkTypes } from './checks.mjs';
import { runDistributed, runFaults, runIntegration, runOperations } from './servers.mjs';
import { reasonForOperations, reasonForTransport } from './plan.mjs';
import { nothing, sum } from './result.mjs';
import { jest, LANE_MS_MAX } from './run.mjs';
import { onEmbedded, quietMarket } from './stands.mjs';

/** The longest that the simulator may take: its niceness leaves the processor to the suites beside it. */
const SIMULATOR_MS_MAX = 60 * 60_000;

/** The services of `examples/`, which run beside the others in one process: calls and screens are tested with them. */
const EXAMPLES = readManifests()
  .filter(({ example }) => example)
  .map(({ name }) => name)
  .join(',');

/**
 * Contract and browser files that the distributed run leaves out, because what they prove does not depend on messages
 * between services over Kafka (decision 0185): how the edge checks tokens, paths, bodies and fields, client libraries,
 * documents, and long walks through a product of which another file makes the same calls there.
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
    'fix',
    'interface',
    'maker',
    'micro',
    'python',
    'sdk',
    'security',
    'seeds',
    'solvency',
    'team',
    'ticks',
    'withdrawals',
  ].join('|')})(?:\\.[a-z]+)*\\.(?:contract|browser)\\.test\\.ts$`,
);

/**
 * In the order in which they run: what fails fast comes first. `files` and `not` say which test files belong to a
 * suite, `core` and `reasonToRunAll` which of them a run without `--full` has (`planFiles`). A suite that runs `beside`
 * another begins with it: each has servers of its own, and one of them mostly waits. One that begins `after` another
 * waits for that alone and not for all before it. `needs` are the programs without which the suite cannot run. One that
 * `isOnRequest` runs by its name alone; `isInPipelines`: the pipelines have a job that names it.
 */
export const SUITES = [
  {
    name: 'types',
    proves: 'every package, app, test and k6 script compiles',
    budgetSeconds: 60,
    run: checkTypes,
    isStatic: true,
  },
  {
    name: 'lint',
    proves: 'format, linters, layers, unused packages and exports',
    budgetSeconds: 120,
    run: checkLint,
    isStatic: true,
  },
  {
    name: 'boundaries',
    proves: 'forbidden imports are refused, citations resolve, every test file belongs to a suite',
    budgetSeconds: 60,
    run: () => checkBoundaries(SUITES),
    isStatic: true,
  },
  {
    name: 'unit',
    proves: 'rules of pure code, and properties of money, books and settlements',
    budgetSeconds: 120,
    after: 'types',
    files: /\.(unit|property)\.test\.ts$/,
    run: ({ files }) => jest(files, 'unit', {}, { timeoutMs: LANE_MS_MAX }),
  },
  {
    name: 'simulator',
    proves: 'the whole money core under drawn faults, by seeds that rotate by date; planted defects are caught',
    budgetSeconds: 120,
    after: 'types',
    files: /\.sim\.test\.ts$/,
    // Beside servers it made calls wait for longer than they may: it runs before them, behind lint and unit tests.
    run: ({ files }) => jest(files, 'simulator', {}, { niceness: 10, timeoutMs: SIMULATOR_MS_MAX }),
  },
  {
    name: 'integration',
    proves: 'each service and library on real PostgreSQL, Kafka and Redis',
    budgetSeconds: 270,
    // Lint keeps one core busy for longer than the unit tests: servers need not wait for it.
    after: 'unit',
    needs: ['kafka', 'redis'],
    files: /\.int\.test\.ts$/,
    run: runIntegration,
  },
  {
    name: 'quiet',
    proves: 'calls and worked examples to the last digit, where no house account quotes and the feed is scripted',
    budgetSeconds: 180,
    beside: 'integration',
    files: /\.quiet\.(?:[a-z]+\.)*contract\.test\.ts$/,
    run: ({ files }) =>
      runContractInLanes(files, 'quiet', {
        jest,
        withExchange: (name, run) => onEmbedded(name, run, undefined, quietMarket(name)),
        lanes: 2,
        more: { timeoutMs: LANE_MS_MAX },
      }),
  },
  {
    name: 'contract',
    proves: 'calls, pushes, rights and limits of the whole exchange, as docs/contract says them',
    budgetSeconds: 180,
    needs: ['python'],
    after: 'quiet',
    files: /\.contract\.test\.ts$/,
    not: /\.quiet\./,
    run: ({ files }) =>
      onEmbedded(
        'contract',
        (env) => runContract(files, 'contract', env, { jest, more: { timeoutMs: LANE_MS_MAX } }),
        undefined,
        { BOURSE_EXAMPLES: EXAMPLES },
      ),
  },
  {
    name: 'browser',
    proves: 'what people see and do in the terminal and the console, in Chromium',
    budgetSeconds: 240,
    needs: ['chromium'],
    files: /\.browser\.test\.ts$/,
    not: /\/journey\.browser\./, // it runs in the distributed run alone (decision 0185)
    run: ({ files }) =>
      onEmbedded(
        'browser',
        (env) => runBrowserFiles(files, 'browser', { ...env, CHROMIUM_PATH: findChromium() }),
        findChromium,
        { BOURSE_EXAMPLES: EXAMPLES },
      ),
  },
  {
    name: 'operations',
    proves:
      'image, Kubernetes, alerts, runbooks, pipelines, books, FIX, ccxt, by programs of operators, auditors, traders',
    budgetSeconds: 600,
    needs: ['go', 'kubernetes', 'alerts', 'books', 'python', 'quickfix', 'ccxt'],
    files: /\.ops\.test\.ts$/,
    core: /^$/,
    reasonToRunAll: reasonForOperations,
    run: runOperations,
  },
  {
    name: 'faults',
    proves: 'nothing is lost or paid twice when processes, servers, disks, clocks and networks fail',
    budgetSeconds: 600,
    needs: ['kafka', 'redis'],
    files: /\.faults\.test\.ts$/,
    core: /^$/,
    reasonToRunAll: reasonForTransport,
    run: runFaults,
  },
  {
    name: 'distributed',
    proves: 'one process per service over Kafka; each is killed in the middle of trading, and the servers too',
    budgetSeconds: 180,
    needs: ['kafka', 'redis', 'chromium'],
    files: /\.contract\.test\.ts$|(?:journey|people)\.(?:[a-z]+\.)*browser\.test\.ts$|\.distributed\.test\.ts$/,
    not: SAME_IN_BOTH,
    core: /\/spot\.quiet\.contract\.|\/kill\.distributed\./,
    reasonToRunAll: reasonForTransport,
    run: runDistributed,
  },
  {
    name: 'load',
    proves: 'the k6 scripts run by their address, reconcile, and keep to ordinary limits; not how fast',
    budgetSeconds: 600,
    needs: ['go', 'k6'],
    files: /\.load\.test\.ts$/,
    core: /^$/,
    run: runLoad,
  },
  {
    name: 'bots',
    proves: 'freqtrade trades with stop losses on the exchange, and continues after a kill',
    budgetSeconds: 900,
    needs: ['python', 'freqtrade'],
    files: /\.bots\.test\.ts$/,
    isOnRequest: true,
    run: ({ files }) => onEmbedded('bots', (env) => jest(files, 'bots', env, { timeoutMs: LANE_MS_MAX })),
  },
  {
    name: 'containers',
    proves: 'the image, docker-compose.yml as it is, and servers by testcontainers, in a container engine',
    budgetSeconds: 1800,
    needs: ['docker', 'go', 'k6'],
    files: /\.containers\.test\.ts$/,
    isOnRequest: true,
    isInPipelines: true,
    run: runContainers,
  },
];

async function runLoad({ files }) {
  const k6 = await findK6();
  const on = (name, some, more) =>
    some.length === 0
      ? nothing()
      : onEmbedded(name, (env) => jest(some, name, { ...env, K6: k6 }, { timeoutMs: LANE_MS_MAX }), undefined, more);
  const limited = files.filter((file) => file.includes('limits.load.'));
  const free = await on(
    'load',
    files.filter((file) => !limited.includes(file)),
  );
  return sum(free, await on('load-limits', limited, { RATE_SCALE: '1' }));
}
