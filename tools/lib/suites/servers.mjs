// The suites that start servers of their own: PostgreSQL, Kafka, Redis, and processes of the exchange.
import { join } from 'node:path';
import { progress } from '../clone.mjs';
import { startKafka } from '../kafka.mjs';
import { startDatabase } from '../postgres.mjs';
import { startRedis } from '../redis.mjs';
import { freshDir, logDir } from './places.mjs';
import { runBrowserFilesInOrder } from './browser.mjs';
import { attempt, nothing, sum } from './result.mjs';
import { cleanups, jest, LANE_MS_MAX } from './run.mjs';
import { distributedRun, onEvmNode, quietMarket } from './stands.mjs';

/** Integration tests: one PostgreSQL, one broker and one Redis for all files, each with names of its own in them. */
export async function runIntegration({ files }) {
  const dir = await freshDir('integration');
  const kafka = await startKafka({
    given: process.env.TEST_KAFKA_BROKERS ?? process.env.KAFKA_BROKERS,
    dataDir: join(dir, 'kafka'),
    logDir,
    onProgress: progress,
  });
  const redis = await startRedis({ given: process.env.TEST_REDIS_URL ?? process.env.REDIS_URL, logDir });
  const servers = { TEST_KAFKA_BROKERS: kafka.brokers, TEST_REDIS_URL: redis.url };
  try {
    return await onDatabase(dir, (env) =>
      jest(files, 'integration', { ...env, ...servers }, { timeoutMs: LANE_MS_MAX }),
    );
  } finally {
    await Promise.all([kafka.stop(), redis.stop()]);
  }
}

/** Tests of operations: one PostgreSQL; what else they need they start themselves. */
export async function runOperations({ files }) {
  return onDatabase(await freshDir('operations'), (env) => jest(files, 'operations', env, { timeoutMs: LANE_MS_MAX }));
}

async function onDatabase(dir, run) {
  const database = await startDatabase({ given: process.env.TEST_DATABASE_URL, dataDir: dir, disposable: true });
  cleanups.add(database.stop);
  try {
    return await run({ TEST_DATABASE_URL: database.url });
  } finally {
    await database.stop();
    cleanups.delete(database.stop);
  }
}

/**
 * Real faults against real processes, one run of the exchange after the other: side by side they kept each other from
 * coming back.
 */
export async function runFaults({ files }) {
  const run = (name, some) => attempt(() => jest(some, name, { FAULTS_ALONE: '1' }, { timeoutMs: LANE_MS_MAX }));
  const distributed = files.filter((file) => /distributed/.test(file));
  const embedded = files.filter((file) => !distributed.includes(file));
  return sum(await run('faults', embedded), await run('faults-distributed', distributed));
}

/** Runs the files in their order: those of Jest that follow each other together, those of the browser one by one. */
async function runInOrder(files, env) {
  const isBrowser = (file) => file.includes('.browser.');
  const groups = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last && isBrowser(last[0]) === isBrowser(file)) last.push(file);
    else groups.push([file]);
  }
  let result = nothing();
  for (const [at, group] of groups.entries()) {
    const name = at === 0 ? 'distributed' : `distributed-${at}`;
    const ran = isBrowser(group[0])
      ? await runBrowserFilesInOrder(group, name, env)
      : await jest(group, name, env, { timeoutMs: LANE_MS_MAX });
    result = sum(result, ran);
  }
  return result;
}

/** The order of the files of the distributed run, which share one exchange. */
const DISTRIBUTED_ORDER = [
  // Before any trade: without market makers the last price moves away from the feed from then on.
  /\/market\.contract\./,
  /\.quiet\./,
  /\.contract\./,
  /\.people\./,
  /\/(?!kill)[^/]*\.distributed\./,
  /\/journey\./,
  /\/kill\./,
];

/**
 * Contract tests, what two people do with each other in the browser, and one journey there, against one process per
 * service over Kafka and Redis. There is one such run, since a dozen processes keep two cores busy. No house account
 * quotes in it, and it has a real chain; processes are killed when all else has ended.
 */
export async function runDistributed({ files: found }) {
  const kindOf = (file) => DISTRIBUTED_ORDER.find((kind) => kind.test(file));
  const unordered = found.filter((file) => !kindOf(file));
  if (unordered.length > 0) throw new Error(`DISTRIBUTED_ORDER has no place for ${unordered.join(', ')}`);
  const files = DISTRIBUTED_ORDER.flatMap((kind) => found.filter((file) => kindOf(file) === kind));
  return onEvmNode((node) =>
    distributedRun(
      'distributed',
      files,
      (env) => runInOrder(files, env),
      {
        ...quietMarket('distributed'),
        CHAIN_ETHEREUM_URL: node.url,
        CHAIN_ETHEREUM_ID: String(node.chainId),
      },
      { EVM_NODE: JSON.stringify(node) },
    ),
  );
}
