// npm run bench:savings. Fixed terms that all end with one midnight, in the whole embedded exchange on a durable
// PostgreSQL, while people trade on the spot market as fast as their orders are answered: until each has ended, and
// until the ledger has paid it. Trading is measured for a while before too, so that what the midnight takes from it is
// seen.
// Options: --terms N (100000), --in-flight N (64 orders), --before N (12 seconds of trading alone), --built.
import { randomUUID } from 'node:crypto';
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
    { LedgerCommandV1, TOPICS, available },
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
  const { app, log, replies, asks, databases, readiness } = await startServices(database.url, database.dir, [
    ...SERVICE_MODULES,
  ]);
  const savings = app.get(SavingsDatabase, { strict: false });
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
  const leg = (to, amount, currency = USDT) => ({ from: 'h.outside', to, currency, amount });
  const people = Math.ceil(terms / PER_PERSON);
  await give(FIRST - 1, [leg('h.savings', '1000000')]);
  for (let from = 0; from < people; from += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, people - from) }, (_, n) =>
        give(FIRST + from + n, [leg(available(FIRST + from + n, 'change'), '1000')]),
      ),
    );
  const [pair] = SEED_PAIRS;
  for (let trader = TRADER; trader < TRADER + TRADERS; trader += 1)
    await give(
      trader,
      [pair.currencyId, pair.legalId].map((coin) => leg(available(trader, 'change'), '100000000', coin)),
    );
  const placing = app.get(PlaceOrder, { strict: false });
  const spot = databases.opened().find(({ schema }) => schema === 'spot');
  const trades = async () =>
    Number((await spot.query('select coalesce(sum(trade_sequence), 0)::text as n from market'))[0].n);
  const middle = 10 ** Math.max(2, 5 - pair.priceScale) * 5;
  let orders = 0;
  /** Buys and sells in turn, within a few prices of one another: most of them meet. */
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
  /** Trading until `isOver`: each of so many places its next order when the last one is answered. */
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

  const lasting = (seconds, since = performance.now()) => performance.now() - since > seconds * 1_000;
  const warm = performance.now();
  await trade(() => lasting(2, warm));
  const alone = performance.now();
  const without = await trade(() => lasting(before, alone));

  // The last midnight becomes their end: the running auditor accepts no other moment. Their deadline is found by the
  // next poll of the table, within five seconds, which are measured too.
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

/** Makes the dependencies of a call; no call is made here. */
function parts(subscriptions) {
  const { store, subscribing, ids } = subscriptions;
  return { store, subscribing, nextId: () => ids.next(), agreed: (...of) => subscriptions.agreed(...of) };
}
