// npm run replay -- --market BTC/USDT | --all [--json]
// Rebuilds books from their command log and compares them with the stored hashes (invariant I7). On the database of
// DATABASE_URL, or on the data folder (DATA_DIR) of either run, whether an exchange runs on it or not.
// Exit code 1 if a book differs, 2 if no result was possible.
import { parseArgs } from 'node:util';
import { isDevelopmentClone } from './lib/clone.mjs';
import { given } from './lib/given.mjs';
import { defaultDataDir, restingInstall, runningInstall, withClient } from './lib/install-database.mjs';

const { values } = parseArgs({
  options: { market: { type: 'string', multiple: true }, all: { type: 'boolean' }, json: { type: 'boolean' } },
});
// In the image they are built.
if (isDevelopmentClone) await import('./lib/sources.mjs');
const { LadderBook, PlainBook, replayMarket } = await import('@bourse/spot-matching/simulation');

/** The highest number of commands that the plain book replays. */
const PLAIN_MAX = 50_000;
let worst = 0;
try {
  const database = await open();
  try {
    await withClient(database.url, 'replay', replayAll);
  } finally {
    await database.stop();
  }
} catch (error) {
  console.error(process.env.DEBUG ? error.stack : error.message);
  worst = 2;
}
process.exitCode = worst;

async function replayAll(client) {
  // One instant for the market, its orders, its positions and the log.
  await client.query('begin isolation level repeatable read read only');
  const looks = { query: async (sql, params) => (await client.query(sql, params)).rows };
  const markets =
    values.market ?? (await looks.query('select symbol from spot.market order by symbol')).map(({ symbol }) => symbol);
  for (const symbol of markets) await one(looks, symbol);
  await client.query('commit');
}

async function one(looks, symbol) {
  try {
    const replay = await replayMarket(looks, symbol, () => new LadderBook());
    // The plain book checks the quick one, where it is not too slow for that.
    const plain =
      replay.rebuilt.applied <= PLAIN_MAX ? await replayMarket(looks, symbol, () => new PlainBook()) : replay;
    const equal = replay.equal && plain.equal && replay.rebuilt.bookHash === plain.rebuilt.bookHash;
    const { stored, rebuilt, checkpoint } = replay;
    if (!equal) worst = Math.max(worst, 1);
    if (values.json)
      process.stdout.write(
        `${JSON.stringify({
          symbol,
          equal,
          from: checkpoint?.sequence ?? 0,
          sequence: stored.sequence,
          hash: stored.hash,
          rebuilt: rebuilt.hash,
          commands: rebuilt.applied,
          stuck: rebuilt.stuck,
        })}\n`,
      );
    else {
      process.stdout.write(
        [
          `${symbol}: ${equal ? 'equal' : 'DIFFERENT'}`,
          checkpoint
            ? `  begins at the checkpoint of sequence ${checkpoint.sequence}, taken ` +
              `${checkpoint.takenAt.toISOString()}: older days of the log are gone`
            : '  begins at the first command',
          `  ${rebuilt.applied} commands of ${replay.rows} rows ` +
            `applied${rebuilt.stuck ? `, then stuck: ${rebuilt.stuck}` : ''}`,
          `  stored   sequence ${stored.sequence}, trades ${stored.tradeSequence}, hash ${stored.hash}`,
          `  rebuilt  sequence ${rebuilt.sequence}, trades ${rebuilt.tradeSequence}, hash ${rebuilt.hash}`,
        ].join('\n') + '\n',
      );
    }
  } catch (error) {
    worst = Math.max(worst, 2);
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ symbol, equal: null, error: error.message })}\n`
        : `${symbol}: cannot be replayed: ${error.message}\n`,
    );
  }
}

/** The server of a running exchange, or one that is started for this and stopped again. */
async function open() {
  const named = await given('DATABASE_URL');
  if (named) return { url: named, stop: async () => undefined };
  const running = await runningInstall(defaultDataDir());
  if (running) return { url: running.url, stop: async () => undefined };
  const { startDatabase } = await import('./lib/postgres.mjs');
  return startDatabase({ given: undefined, dataDir: restingInstall(defaultDataDir()) });
}
