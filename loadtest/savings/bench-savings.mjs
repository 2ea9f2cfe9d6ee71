// npm run bench:savings. Fixed terms that all end with one midnight, in one process with the real ledger and a durable
// PostgreSQL, while the ledger books what others send: until each has ended, and until the ledger has paid it.
// Options: --terms N (100000), --built.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { round, row, table } from '../lib/results.mjs';
import {
  build,
  library,
  measured,
  module,
  option,
  quantiles,
  root,
  service,
  startDatabase,
  startServices,
} from '../pipeline/inside.mjs';

build();
const terms = option('terms', 100_000);
const PER_PERSON = 10;
const BATCH = 1_000;
const USDT = 3;
const FIRST = 600_000;
const TRADER = 500_000;
/** What a run must hold to: rules of the issue. */
const GOAL_SECONDS = 60;
/** From the moment in which the midnight is set until it comes. */
const AHEAD_MS = 8_000;
/** Commands of others, while the midnight is at work. */
const OTHERS_MS = 20;

const database = await startDatabase();
try {
  const [
    { WalletLedgerModule },
    { SavingsModule },
    { LedgerCommandV1, ReferenceRowV1, TOPICS, available },
    { SEED_CURRENCIES, SEED_PAIRS },
    { Subscriptions },
    { subscribeOrder },
    { SavingsDatabase },
  ] = await Promise.all([
    service('wallet-ledger'),
    service('savings'),
    library('events'),
    library('contract'),
    module('services/savings/dist/application/subscriptions.js'),
    module('services/savings/dist/application/journals.js'),
    module('services/savings/dist/application/ports.js'),
  ]);
  const { app, log, replies, databases, readiness } = await startServices(database.url, database.dir, [
    WalletLedgerModule,
    SavingsModule,
  ]);
  const market = await databases.open({ schema: 'market', migrations: [] });
  const savings = app.get(SavingsDatabase, { strict: false });
  await market.transaction(async (tx) => {
    const tell = (kind, one) =>
      tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind, id: String(one.id), version: 1, row: { ...one } }));
    for (const one of SEED_CURRENCIES) tell('currency', one);
    for (const one of SEED_PAIRS) tell('pair', one);
  });
  await readiness.whenReady();

  let commands = 0;
  const give = async (user, legs) => {
    const commandId = `bench:${(commands += 1)}`;
    const reply = replies.wait(commandId, 60_000);
    await log.send(
      TOPICS.ledgerCommands,
      0,
      LedgerCommandV1.encode({
        commandId,
        issuer: 'seed',
        userId: user,
        replyTo: replies.instance,
        answer: { type: 'ok' },
        journals: [{ id: commandId, causeType: 'seed', causeId: String(user), legs }],
      }),
    );
    const answered = await reply;
    if (!answered?.ok) throw new Error(JSON.stringify(answered));
  };
  const leg = (to, amount) => ({ from: 'h.outside', to, currency: USDT, amount });
  const people = Math.ceil(terms / PER_PERSON);
  await give(FIRST - 1, [leg('h.savings', '1000000')]);
  for (let from = 0; from < people; from += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, people - from) }, (_, n) =>
        give(FIRST + from + n, [leg(available(FIRST + from + n, 'change'), '1000')]),
      ),
    );
  const until = async (what, sql, withinMs = 300_000) => {
    const limit = performance.now() + withinMs;
    while (!(await savings.query(`select not exists (select 1 from ${sql}) as over`))[0].over) {
      if (performance.now() > limit) throw new Error(`${what} not within ${withinMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  // Taken by the saga of the calls, a thousand in one transaction: what calls do about them is not measured here.
  const { store, subscribing, ...taking } = parts(app.get(Subscriptions, { strict: false }));
  const asked = { configId: 1, currencyId: USDT, amount: { units: () => 10_000_000_000n } };
  const agreement = await known(() => taking.agreed(FIRST, asked));
  const taken = await measured('savings-subscribe', database, async () => {
    for (let from = 0; from < terms; from += BATCH)
      await savings.transaction(async (tx) => {
        for (let number = from; number < Math.min(terms, from + BATCH); number += 1) {
          const one = { ...agreement, id: taking.nextId(), userId: FIRST + (number % people) };
          await store.insert(tx, one);
          await subscribing.begin(tx, { object: one.id, note: null, command: subscribeOrder(one) });
        }
      });
    await until('the subscriptions', `saga`);
  });
  const accruing = async (state) =>
    (await savings.query(`select count(*)::int as n from subscription where state = '${state}'`))[0].n;
  if ((await accruing('accruing')) !== terms) throw new Error(`${await accruing('accruing')} of ${terms} accrue`);

  // Their midnight comes in a moment: that is what is measured.
  const midnight = Date.now() + AHEAD_MS;
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(
    `update savings.subscription set created_at = to_timestamp($1::float8 / 1000) - interval '9 days',
       start_at = to_timestamp($1::float8 / 1000) - interval '7 days', end_at = to_timestamp($1::float8 / 1000)`,
    [midnight],
  );
  await admin.query(`update savings.timer set id = $1::text, due_at = to_timestamp($1::float8 / 1000)`, [midnight]);
  await admin.end();
  const waits = [];
  let isOver = false;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, midnight - Date.now())));
  const others = (async () => {
    while (!isOver) {
      const began = performance.now();
      await give(TRADER, [leg(available(TRADER, 'change'), '1')]);
      waits.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, OTHERS_MS));
    }
  })();
  const ended = await measured('savings-mature', database, () =>
    until('the ends', `subscription where state = 'accruing'`),
  );
  const booked = await measured('savings-book', database, () => until('the bookings', `saga`));
  isOver = true;
  await others;
  if ((await accruing('matured')) !== terms) throw new Error(`${await accruing('matured')} of ${terms} matured`);
  const { p50, p99, max } = quantiles(waits);
  const both = (part) => round(ended[part] + booked[part]);
  const rows = [
    row('ended and paid', ended.seconds + booked.seconds, 's', {
      goal: GOAL_SECONDS,
      atMost: true,
      note: `${terms} terms of one midnight; CPU ${both('node')} s Node, ${both('postgres')} s PostgreSQL`,
    }),
    row('ended', ended.seconds, 's', { note: 'state and command of each are stored' }),
    row('others wait p99', p99, 'ms', {
      note: `${waits.length} commands of others meanwhile: p50 ${round(p50)} ms, most ${round(max)} ms`,
    }),
    row('taken', terms / taken.seconds, 'terms/s'),
  ];
  console.log(table(rows));
  const run = { at: new Date().toISOString(), node: process.version, terms };
  writeFileSync(
    path.join(root, 'loadtest', 'savings', 'last-run.json'),
    `${JSON.stringify({ ...run, rows }, null, 2)}\n`,
  );
  await app.close();
  if (ended.seconds + booked.seconds > GOAL_SECONDS) process.exitCode = 1;
} finally {
  await database.stop();
}

/** The answer of what the service refuses until it has read the catalog. */
async function known(ask) {
  for (const limit = performance.now() + 30_000; ;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > limit) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** What a call works with; no call is made here. */
function parts(subscriptions) {
  const { store, subscribing, ids } = subscriptions;
  return { store, subscribing, nextId: () => ids.next(), agreed: (...of) => subscriptions.agreed(...of) };
}
