// `npx bourse reconcile`: after a database was restored, compares every stream with all its readers and with what had
// been acknowledged, and reports what is lost. With --accept the exchange may start on it again: frozen, with payments
// back in review (docs/recovery.md). The exchange must be stopped.
//   --data-dir DIR   the install's folder; DATABASE_URL and KAFKA_BROKERS are those of the exchange
//   --json           the findings as JSON
// Exit code 0: nothing is lost, or the loss was accepted; 1: something is lost and waits for --accept; 2: it cannot be
// repaired here, or not now.
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { defaultDataDir, installFolder, withClient, withDatabase } from './lib/install-database.mjs';
import { withBrokers } from './lib/own-broker.mjs';

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    accept: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
/** Kafka is read from this long before the newest row of the database: clocks differ. */
const BEFORE_MS = 600_000;
/** How much longer than a lease the wait for it is. */
const MARGIN_MS = 2_000;
const UNFINISHED = 'an acceptance that did not end';

try {
  const dataDir = values['data-dir'] ?? defaultDataDir();
  process.exitCode = await withDatabase(dataDir, [], (config, url) =>
    withClient(url, 'reconcile', (client) => reconcile(client, config, witnessFiles(dataDir), installFolder(dataDir))),
  );
} catch (error) {
  console.error(process.env.DEBUG ? error.stack : error.message);
  process.exitCode = 2;
}

function rowsOf(lost) {
  return lost.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** Reads what each process of the install has recorded of its streams. */
function witnessFiles(dataDir) {
  const folders = [dataDir, join(dataDir, 'distributed')];
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /^heads-[\w-]+\.json$/.test(name))
        .map((name) => join(folder, name)),
    );
}

async function reconcile(client, config, files, folder) {
  const [
    {
      becomeAnotherInstall,
      compareStreams,
      keepHeads,
      keptHeads,
      newestRow,
      readWitness,
      sendAgain,
      SHARED_LEASE_MS_MAX,
      signOfUse,
    },
    { emptyTopics, logHeads },
    { TOPICS },
    { openPayments, takeBackUnsigned },
    { freezeExchange },
  ] = await Promise.all([
    import('@bourse/persistence'),
    import('@bourse/messaging'),
    import('@bourse/events'),
    import('@bourse/wallet-ledger/reconcile'),
    import('@bourse/gateway/freeze'),
  ]);
  const looks = { query: async (sql, params) => (await client.query(sql, params)).rows };
  const refuse = (sign) => {
    if (sign !== null)
      throw new Error(`An exchange works on this database (${sign}): stop all of its processes first.`);
  };
  /** One that starts after this look changes rows that the snapshot holds: the acceptance fails. */
  const begin = async () => {
    await client.query('begin isolation level repeatable read');
    refuse(await signOfUse(looks));
  };
  refuse(await signAfterLeases(() => signOfUse(looks), SHARED_LEASE_MS_MAX + MARGIN_MS));
  // The broker of the folder belongs to the database of the folder alone.
  const isOwn = !process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE;
  return withBrokers({ given: config.kafkaBrokers, folder: isOwn ? folder : null }, async (brokers) => {
    const log = { brokers, access: config.kafkaAccess, topics: Object.values(TOPICS) };
    const asksKafka = brokers.length > 0;
    const remembered = files.flatMap((file) => readWitness(file));
    // Before the transaction: it takes minutes.
    if (asksKafka) {
      const newest = await newestRow(looks);
      remembered.push(...(await logHeads(log, newest === null ? null : newest - BEFORE_MS, progress(values.json))));
    }
    await begin();
    const kept = await keptHeads(looks);
    remembered.push(...kept);
    const found = await compareStreams(looks, remembered);
    const payments = await openPayments(looks);
    const sources = [...files, ...(asksKafka ? ['Kafka'] : []), ...(kept.length > 0 ? [UNFINISHED] : [])];
    if (values.json) console.log(JSON.stringify({ ...found, payments }));
    else show(found, payments, sources, asksKafka);
    const isWhole = found.lost.length === 0 && kept.length === 0;
    if (found.faults.length > 0 || isWhole || !values.accept) return found.faults.length > 0 ? 2 : isWhole ? 0 : 1;
    if (found.overKafka && !asksKafka)
      throw new Error('This install reads from Kafka: set KAFKA_BROKERS, so that its topics can be emptied.');
    if (found.overKafka) {
      // Emptied topics remember nothing: if this run ends before its commit, the next one must still know of the loss.
      await keepHeads(looks, remembered);
      await client.query('commit');
      await begin();
    }
    await freezeExchange(
      looks,
      `${rowsOf(found.lost)} acknowledged rows of ${found.lost.length} ` +
        'streams were lost with a restore of the database',
    );
    await takeBackUnsigned(looks);
    await becomeAnotherInstall(looks);
    if (found.overKafka) {
      await sendAgain(looks);
      // Before the commit: if the topics were emptied after it, a process that starts in between would read the lost
      // messages.
      await emptyTopics(log).catch((error) => {
        throw new Error(`${error.message} The loss is not accepted yet: run it again.`, { cause: error });
      });
    }
    await client.query('commit');
    putAside(files);
    if (!values.json)
      console.log(
        '\nAccepted. The exchange starts frozen: withdrawals are stopped and markets take ' +
          'cancels only, until an operator reopens it (docs/recovery.md).',
      );
    return 0;
  });
}

/** Returns the leases still in use after those of a killed process have expired; those of a live one are renewed. */
async function signAfterLeases(look, leasesMs) {
  const until = Date.now() + leasesMs;
  let sign = await look();
  while (sign !== null && Date.now() < until) {
    await delay(250);
    sign = await look();
  }
  return sign;
}

/** Copies in a folder that is read only (a config map) stay: they are void, for the install is another one now. */
function putAside(files) {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  for (const file of files)
    try {
      renameSync(file, `${file}.${stamp}`);
    } catch (error) {
      if (!['EROFS', 'EACCES', 'EPERM', 'EBUSY', 'EXDEV'].includes(error.code)) throw error;
    }
}

/** Says now and then how much of Kafka was read. */
function progress(silent) {
  let saidAt = Date.now();
  return (read, of) => {
    if (silent || Date.now() - saidAt < 2_000) return;
    saidAt = Date.now();
    console.log(`Reading Kafka  ${read} of ${of} records …`);
  };
}

function show({ overKafka, schemas, streams, readers, unread, lost, faults }, payments, sources, asksKafka) {
  const list = (lines) => {
    for (const line of lines) console.log(`               ${line}`);
  };
  console.log(
    `Streams        ${streams} in ${schemas.length} schemas, with ${readers} ` +
      `readers${faults.length === 0 ? ', who all can go on' : ''}`,
  );
  console.log(`Unread         ${unread} rows, which their readers will get`);
  if (overKafka && !asksKafka) console.log('Not compared   with Kafka, which may remember more: set KAFKA_BROKERS');
  const nowhere = 'no file: what was acknowledged before cannot be told';
  console.log(`Remembered in  ${sources.length === 0 ? nowhere : sources.join(', ')}`);
  if (lost.length === 0) console.log('Lost           nothing that is remembered');
  else {
    console.log(`Lost           ${rowsOf(lost)} acknowledged rows`);
    list(lost.map(({ stream, from, to }) => `${stream}  #${from} … #${to}`));
  }
  if (faults.length > 0) {
    console.log('Cannot go on');
    list(faults.map(({ stream, consumer, reason }) => `${consumer} on ${stream}: ${reason}`));
  }
  console.log(
    `Payments       ${payments.review.length} approved and not signed, ` +
      `${payments.returns.length} returns of deposits, ${payments.house.length} of the house, ` +
      `${payments.signed.length} signed`,
  );
  list([
    ...payments.review.map((one) => `${one}  goes back to review`),
    ...payments.signed.map((one) => `${one}  the same bytes go out again`),
    ...payments.returns.map((one) => `${one}  is held again: look at the chain before you reopen`),
    ...payments.house.map((one) => `${one}  is removed and ordered again if it is needed`),
  ]);
  if (faults.length > 0) console.log('\nRestore all schemas to one moment: nothing was changed.');
  else if (!values.accept && (lost.length > 0 || sources.includes(UNFINISHED)))
    console.log(
      '\nNothing was changed. What is lost stays lost; with --accept the exchange may start on what there is.',
    );
}
