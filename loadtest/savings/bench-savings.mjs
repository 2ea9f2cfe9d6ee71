// npm run bench:savings. Many fixed terms that end at the same midnight, in the whole embedded exchange on a durable
// PostgreSQL, while people trade on the spot market as fast as their orders are answered. Measures the time until every
// term has ended and until the ledger has paid them all, and how fast people traded before and during that time.
// Options: --terms N (100000), --in-flight N (64 orders), --before N (12 seconds of trading alone), --built.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { round, row, table } from '../lib/results.mjs';
import {
  build,
  fund,
  library,
  measured,
  module,
  option,
  quantiles,
  root,
  startDatabase,
  startServices,
  waitUntil,
} from '../pipeline/inside.mjs';

build();
const terms = option('terms', 100_000);
const PER_PERSON = 10;
const BATCH = 1_000;
const USDT = 3;
const FIRST = 600_000;
const TRADER = 500_000;
/** Limits of a run. */
const GOAL_SECONDS = 60;
const DAY_MS = 86_400_000;
const TRADERS = 200;
const inFlight = option('in-flight', 64);
const before = option('before', 12);

const database = await startDatabase();
try {
  const [
    { SERVICE_MODULES },
    { available },
    { SEED_PAIRS, COMMAND_VALID_MS },
    { readFields },
    { serviceAsks },
    { PlaceOrder },
    { PlaceOrderBody },
    { Subscriptions },
    { subscribeOrder },
    { SavingsDatabase },
  ] = await Promise.all([
    module('apps/exchange/dist/modules.js'),
    library('events'),
    library('contract'),
    library('platform'),
    library('messaging'),
    module('services/spot-matching/dist/application/place-order.js'),
    module('services/spot-matching/dist/application/order-fields.js'),
    module('services/savings/dist/application/subscriptions.js'),
    module('services/savings/dist/application/journals.js'),
    module('services/savings/dist/application/ports.js'),
  ]);
  const services = await startServices(database.url, database.dir, [...SERVICE_MODULES]);
  const { app, asks, databases, readiness } = services;
  const savings = app.get(SavingsDatabase, { strict: false });
  await readiness.whenReady();

  const leg = (to, amount, currency = USDT) => ({ to, currency, amount });
  const people = Math.ceil(terms / PER_PERSON);
  await fund(services, FIRST - 1, [leg('h.savings', '1000000')]);
  for (let from = 0; from < people; from += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, people - from) }, (_, n) =>
        fund(services, FIRST + from + n, [leg(available(FIRST + from + n, 'change'), '1000')]),
      ),
    );
  const [pair] = SEED_PAIRS;
  for (let trader = TRADER; trader < TRADER + TRADERS; trader += 1)
    await fund(
      services,
      trader,
      [pair.currencyId, pair.legalId].map((coin) => leg(available(trader, 'change'), '100000000', coin)),
    );
  const placing = app.get(PlaceOrder, { strict: false });
  const spot = databases.opened().find(({ schema }) => schema === 'spot');
  const trades = async () =>
    Number((await spot.query('select coalesce(sum(trade_sequence), 0)::text as n from market'))[0].n);
  const middle = 10 ** Math.max(2, 5 - pair.priceScale) * 5;
  let orders = 0;
  /** Places buys and sells alternately, at prices so close that most of them trade. */
  const order = () => {
    orders += 1;
    const fields = {
      legal_id: String(pair.legalId),
      currency_id: String(pair.currencyId),
      type: String(1 + (orders % 2)),
      target_price: (middle * (1 + ((orders * 7) % 5) / 10_000)).toFixed(pair.priceScale),
      amount: '1',
    };
    return placing.execute(TRADER + (orders % TRADERS), readFields(PlaceOrderBody, fields), {
      ...{ commandId: randomUUID(), hasKey: false, bodyHash: null },
      validUntil: Date.now() + COMMAND_VALID_MS,
    });
  };
  /** Trades until `isOver`: `inFlight` loops each place their next order when the last one is answered. */
  const trade = async (isOver) => {
    const [waits, startedAt, tradesBefore] = [[], performance.now(), await trades()];
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (!isOver()) {
          const began = performance.now();
          await order();
          waits.push(performance.now() - began);
        }
      }),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      ...quantiles(waits),
      orders: waits.length / seconds,
      trades: ((await trades()) - tradesBefore) / seconds,
    };
  };
  /** Waits until a query finds no row. */
  const until = (what, rows) =>
    waitUntil(what, async () => (await savings.query(`select not exists (select 1 from ${rows}) as over`))[0].over, {
      withinMs: 300_000,
      everyMs: 50,
    });

  // The saga of the calls opens the terms, a thousand per transaction: the calls themselves are not measured here.
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

  const lasting = (seconds, since = performance.now()) => performance.now() - since > seconds * 1_000;
  const warm = performance.now();
  await trade(() => lasting(2, warm));
  const alone = performance.now();
  const without = await trade(() => lasting(before, alone));

  // The terms end at the last midnight, because the running auditor accepts no other time. The next poll of the timer
  // table finds the deadline within five seconds, which are part of the measured time.
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('begin');
  await admin.query(
    `update savings.subscription set created_at = to_timestamp($1::float8 / 1000) - interval '7 days 2 hours',
       start_at = to_timestamp($1::float8 / 1000) - interval '7 days', end_at = to_timestamp($1::float8 / 1000)`,
    [midnight],
  );
  await admin.query(
    `update savings.timer set id = $1::text, due_at = to_timestamp($1::float8 / 1000) where kind = 'savings.mature'`,
    [midnight],
  );
  await admin.query('commit');
  await admin.end();
  let isOver = false;
  const trading = trade(() => isOver);
  const ended = await measured('savings-mature', database, () =>
    until('the ends', `subscription where state = 'accruing'`),
  );
  const booked = await measured('savings-book', database, () => until('the bookings', `saga`));
  isOver = true;
  const beside = await trading;
  if ((await accruing('matured')) !== terms) throw new Error(`${await accruing('matured')} of ${terms} matured`);
  const audits = await Promise.all(
    ['wallet-ledger', 'spot-matching', 'savings'].map((service) => asks.ask(serviceAsks.audit(service), {}, 60_000)),
  );
  const wrong = audits.flatMap(({ checks }) => checks).filter(({ ok }) => !ok);
  console.log(wrong.length === 0 ? 'reconciled: every check of ledger, books and terms holds' : wrong);
  const both = (part) => round(ended[part] + booked[part]);
  const rows = [
    row('ended and paid', ended.seconds + booked.seconds, 's', {
      goal: GOAL_SECONDS,
      atMost: true,
      note: `${terms} terms of one midnight; CPU ${both('node')} s Node, ${both('postgres')} s PostgreSQL`,
    }),
    row('ended', ended.seconds, 's', { note: 'state and command of each are stored' }),
    row('orders taken beside it', beside.orders, 'orders/s', {
      note: `${round(beside.trades)} trades/s; answers p50 ${round(beside.p50)} ms, p99 ${round(beside.p99)} ms`,
    }),
    row('orders taken without it', without.orders, 'orders/s', {
      note: `${round(without.trades)} trades/s; answers p50 ${round(without.p50)} ms, p99 ${round(without.p99)} ms`,
    }),
    row('beside against without', beside.orders / without.orders, '×', {
      note:
        `orders; answers take ${round(beside.p50 / without.p50)} × at p50, ` +
        `${round(beside.p99 / without.p99)} × at p99`,
    }),
    row('taken', terms / taken.seconds, 'terms/s'),
  ];
  console.log(table(rows));
  const run = { at: new Date().toISOString(), node: process.version, terms, inFlight };
  writeFileSync(
    path.join(root, 'loadtest', 'savings', 'last-run.json'),
    `${JSON.stringify({ ...run, rows }, null, 2)}\n`,
  );
  await app.close();
  if (wrong.length > 0 || ended.seconds + booked.seconds > GOAL_SECONDS) process.exitCode = 1;
} finally {
  await database.stop();
}
process.exit();

/** Repeats a call that the service refuses until it has read the catalog. @throws its refusal after 30 s */
async function known(ask) {
  for (const limit = performance.now() + 30_000; ;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > limit) throw error;
      await sleep(100);
    }
  }
}

/** Takes the dependencies of the call out of its use case, so that the benchmark can bypass the call. */
function parts(subscriptions) {
  const { store, subscribing, ids } = subscriptions;
  return { store, subscribing, nextId: () => ids.next(), agreed: (...of) => subscriptions.agreed(...of) };
}
