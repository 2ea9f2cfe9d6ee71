// `bourse pairs [move <pair> --to <partition> [--reason text]]`: where the books of the pairs run, by calls of
// operators.
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchangeAt } from './lib/operator-calls.mjs';

const SEEN_MS = 30_000;
const POLL_INTERVAL_MS = 500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    to: { type: 'string' },
    reason: { type: 'string', default: 'bourse pairs move' },
    json: { type: 'boolean', default: false },
  },
});
const [action, pair] = positionals;
const exchange = exchangeAt(values.url);

/** Moves a pair and waits until its book says that it runs there. */
async function move(call, symbol, to) {
  await call('POST', '/api/admin/partition', { symbol, partition: to, reason: values.reason });
  for (const until = Date.now() + SEEN_MS; ;) {
    const where = await call('GET', '/api/admin/partitions');
    if (where.markets.some((one) => one.symbol === symbol && one.partition === Number(to))) return where;
    if (Date.now() >= until) throw new Error(`${symbol} does not run in partition ${to} after ${SEEN_MS / 1_000} s.`);
    await sleep(POLL_INTERVAL_MS);
  }
}

try {
  if (action !== undefined && action !== 'move') throw new Error('Say `move`, or nothing.');
  if (action === 'move' && (pair === undefined || values.to === undefined))
    throw new Error('Say the pair and the partition: bourse pairs move BTC_USDT --to 2.');
  const where = await exchange.asOperator((call) =>
    action === 'move' ? move(call, pair.replace('_', '/'), values.to) : call('GET', '/api/admin/partitions'),
  );
  if (values.json) console.log(JSON.stringify(where));
  else
    for (const one of where.markets) console.log(`  ${one.symbol.padEnd(14)} ${one.partition} of ${where.partitions}`);
} catch (error) {
  console.error(`${exchange.base}: ${error.cause?.message ?? error.message}`);
  process.exitCode = error.cause === undefined ? 1 : 2;
}
