// Exchanges that suites run against: in one process, distributed, with a node of a real chain.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cloneEnv, node24, nodeFlags, programFile, progress, root } from '../clone.mjs';
import { findChromium } from '../chromium.mjs';
import { answers, freePorts, startProcess, waitFor } from '../processes.mjs';
import { endLeftovers, freshDir, logDir, testDir } from './places.mjs';
import { cleanups } from './run.mjs';

/** No house accounts, and a feed that says one price of BTC/USDT all the time. */
export function quietMarket(name) {
  const feed = join(testDir, `${name}-feed.jsonl`);
  writeFileSync(feed, `${JSON.stringify({ symbol: 'BTC/USDT', price: '56637.56' })}\n`);
  return { MAKER: 'off', PRICE_FEED: `scripted:${feed}` };
}

/** File of the scripted feed, to which tests append prices; empty where the feed is another. */
const feedOf = ({ PRICE_FEED = '' }) =>
  PRICE_FEED.startsWith('scripted:') ? PRICE_FEED.slice('scripted:'.length) : '';

/** Starts a fresh embedded exchange on a free port and an empty data folder, as `npm start` does. */
export async function onEmbedded(name, run, requirement = () => undefined, more = {}) {
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
    // User actions are tested on books that follow only their feed.
    DEMO_PACE: 'calm',
    // The contract tests have a push service of their own.
    PUSH_TEST_ORIGIN: 'http://127.0.0.1',
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
      timeoutMs: 300_000,
      what: `the exchange to be ready at ${url}`,
      handle,
      everyMs: 250,
    });
    progress('The embedded exchange is ready.');
    const { BOURSE_EXAMPLES = '' } = more;
    const result = await run({ BOURSE_URL: url, BOURSE_RUN: 'embedded', BOURSE_EXAMPLES, BOURSE_FEED: feedOf(more) });
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

/** A local EVM node for as long as `run` takes. */
export async function onEvmNode(run) {
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

/**
 * The address to which the processes of a run send their spans, if one of its tests reads them: that test listens
 * there. Until then nothing listens, as with a receiver that is down.
 */
async function receiverFor(files) {
  if (!files.some((file) => file.includes('traces.distributed.'))) return undefined;
  const [port] = await freePorts(1);
  return `http://127.0.0.1:${port}`;
}

/** A distributed run for as long as `run` takes; `more` are its settings, `given` what its tests get besides. */
export async function distributedRun(name, files, run, more, given = {}) {
  const chromium = findChromium();
  const dir = await freshDir(name);
  const log = join(logDir, `${name}.log`);
  rmSync(log, { force: true });
  const traces = await receiverFor(files);
  const env = cloneEnv({
    BOURSE_DEV: '1',
    PORT: '0',
    DATA_DIR: dir,
    DATABASE_URL: undefined,
    DEMO_PACE: 'calm',
    // The contract tests have a push service of their own.
    PUSH_TEST_ORIGIN: 'http://127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces,
    ...more,
  });
  let handle;
  const begin = async () => {
    handle = startProcess(node24, [join(root, 'tools', 'start-distributed.mjs')], {
      name: 'distributed run',
      cwd: root,
      env,
      log,
    });
    cleanups.add(handle.stop);
    const [, ready] = await waitFor(
      () => /^BOURSE READY (.*)$/m.exec(existsSync(log) ? readFileSync(log, 'utf8') : ''),
      { timeoutMs: 420_000, what: 'the distributed run to be ready', handle, everyMs: 250 },
    );
    return JSON.parse(ready);
  };
  try {
    const started = await begin();
    progress(`The distributed run is ready: ${started.url}`);
    const env = {
      BOURSE_URL: started.url,
      BOURSE_RUN: 'distributed',
      BOURSE_PROCESSES: started.processes,
      BOURSE_READY: JSON.stringify(started.services),
      CHROMIUM_PATH: chromium,
      BOURSE_FEED: feedOf(more),
      BOURSE_TRACES: traces,
      ...given,
    };
    return await run(env);
  } finally {
    await handle?.stop(60_000);
    cleanups.delete(handle?.stop);
  }
}
