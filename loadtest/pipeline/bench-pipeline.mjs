// npm run bench:pipeline. Orders per second accepted, matched and settled by the whole embedded exchange, with the load
// from inside (no HTTP): all services, real PostgreSQL, durable. Each order runs through the same use case as a call:
// checks, hold, book, fills, settlement, candles, pushes. After the run everything is drained, and the audit of all
// services must find nothing. Options: --seconds N (8), --users N (500), --in-flight N (1000), --pairs N (1), --open N
// (0 resting orders first), --built. --disk counts what an order leaves on disk instead of how fast it is (a figure
// that other load on the machine does not change), for docs/operations.md. --rate N --orders M sends M orders and
// cancels, N a second, instead of as many as possible: with the same load the CPU of two commits can be compared on a
// busy machine. --named gives each order a client order id, as k6 does. --detail counts statements, commits and
// write-ahead log by table and index. With both, --step NAME keeps the figures under this name for docs/benchmarks.md.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { draws } from '../lib/random.mjs';
import { countDetail, detailText, noteStep } from './detail.mjs';
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
  textOption,
} from './inside.mjs';

build();
const seconds = option('seconds', 8);
const users = option('users', 500);
const inFlight = option('in-flight', 1_000);
const pairCount = option('pairs', 1);
const resting = option('open', 0);
const rate = option('rate', 0);
const ordersMax = option('orders', 5_000);
const detailed = process.argv.includes('--detail');
const named = process.argv.includes('--named');
const FIRST = 500_000;
const writeLast = (file, value) =>
  writeFileSync(path.join(root, 'loadtest', 'pipeline', file), `${JSON.stringify(value, null, 2)}\n`);

const random = draws(option('seed', 42));

const database = await startDatabase({ detailed });
try {
  const spotMatching = (file) => module(`services/spot-matching/dist/application/${file}.js`);
  const [
    { SERVICE_MODULES },
    { available },
    { SEED_PAIRS, SEED_CURRENCIES, COMMAND_VALID_MS },
    { readFields },
    { serviceAsks },
    { PlaceOrder },
    { CancelOrders },
    { PlaceOrderBody },
  ] = await Promise.all([
    module('apps/exchange/dist/modules.js'),
    library('events'),
    library('contract'),
    library('platform'),
    library('messaging'),
    spotMatching('place-order'),
    spotMatching('cancel-orders'),
    spotMatching('order-fields'),
  ]);
  const services = await startServices(database.url, database.dir, [...SERVICE_MODULES]);
  const { app, asks, databases, readiness } = services;
  await readiness.whenReady();
  // The use cases behind the calls: the ask of other services places orders for the house only [HARD-209].
  const [placing, cancelling] = [PlaceOrder, CancelOrders].map((useCase) => app.get(useCase, { strict: false }));
  const context = () => ({
    commandId: randomUUID(),
    hasKey: false,
    bodyHash: null,
    validUntil: Date.now() + COMMAND_VALID_MS,
  });
  const pairs = SEED_PAIRS.slice(0, pairCount);
  const coins = [...new Set(pairs.flatMap(({ currencyId, legalId }) => [currencyId, legalId]))];
  await Promise.all(
    Array.from({ length: users }, (_, index) =>
      fund(
        services,
        FIRST + index,
        coins.map((currency) => ({ to: available(FIRST + index, 'change'), currency, amount: '100000000' })),
      ),
    ),
  );

  const own = [];
  const tally = { placed: 0, refused: {}, cancels: 0, cancelled: 0 };
  const times = [];
  const pick = () => FIRST + Math.floor(random() * users);
  const firstPrice = new Map(pairs.map((pair) => [pair.id, 10 ** Math.max(2, 5 - pair.priceScale) * 5]));
  /** A limit order around the middle: within the spread of prices about four in ten cross. */
  const order = (pair) => {
    const side = random() < 0.5 ? 1 : 2;
    const middle = firstPrice.get(pair.id);
    const away = (random() - 0.4) * 0.004 * (side === 1 ? -1 : 1);
    return {
      legal_id: String(pair.legalId),
      currency_id: String(pair.currencyId),
      type: String(side),
      target_price: (middle * (1 + away)).toFixed(pair.priceScale),
      amount: (1 + random() * 2).toFixed(Math.min(pair.numberScale, 4)),
      ...(named ? { client_order_id: randomUUID() } : {}),
    };
  };
  const place = async (userId, fields) => {
    const startedAt = performance.now();
    try {
      const { extra } = await placing.execute(userId, readFields(PlaceOrderBody, fields), context());
      times.push(performance.now() - startedAt);
      tally.placed++;
      if (extra.order.status === 1) own.push({ userId, id: extra.id });
    } catch (error) {
      const key = error.key ?? error.message;
      tally.refused[key] = (tally.refused[key] ?? 0) + 1;
    }
  };
  const cancel = async () => {
    const at = Math.floor(random() * own.length);
    const one = own[at];
    own[at] = own.at(-1);
    own.pop();
    tally.cancels++;
    try {
      await cancelling.one(one.userId, { id: one.id }, context());
      tally.cancelled++;
    } catch (error) {
      if (error.key !== 'trade.notOpen') throw error; // it was filled meanwhile
    }
  };
  const one = () =>
    own.length > 2_000 && random() < 0.2 ? cancel() : place(pick(), order(pairs[Math.floor(random() * pairs.length)]));
  const run = (until) =>
    Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (performance.now() < until) await one();
      }),
    );
  /** A fixed number of orders and cancels, each begun at its time. */
  const runPaced = async (count) => {
    const begunAt = performance.now();
    const under = [];
    for (let sent = 0; sent < count;) {
      const due = Math.min(count, Math.ceil(((performance.now() - begunAt) / 1_000) * rate));
      for (; sent < due; sent++) under.push(one());
      await sleep(1);
    }
    await Promise.all(under);
  };
  const drained = async () => {
    for (;;) {
      let behind = 0;
      for (const reader of databases.opened()) {
        // Private events are consumed at once and recorded a quarter of a second later: the record says nothing about
        // when they were forwarded.
        const rows = await reader.query(
          `select stream, max(number)::text as number, consumer
            from position
            where consumer <> 'gateway.user-events'
            group by stream, consumer`,
        );
        for (const { stream, number } of rows) {
          const sender = databases.opened().find(({ schema }) => schema === stream.slice(0, stream.search(/[.>]/)));
          const [head] = await sender.query('select (next - 1)::text as last from stream where name = $1', [stream]);
          if (head && head.last !== number) behind++;
        }
      }
      if (behind === 0) return;
      await sleep(10);
    }
  };
  if (resting > 0) {
    for (let done = 0; done < resting; done += 1_000) {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, index) => {
          const pair = pairs[(done + index) % pairs.length];
          const side = random() < 0.5 ? 1 : 2;
          return place(pick(), {
            legal_id: String(pair.legalId),
            currency_id: String(pair.currencyId),
            type: String(side),
            target_price: (firstPrice.get(pair.id) * (1 + (side === 1 ? -1 : 1) * (0.005 + random() * 0.02))).toFixed(
              pair.priceScale,
            ),
            amount: '1',
          });
        }),
      );
    }
    own.length = 0; // they stay
  }
  if (rate > 0) await runPaced(rate * 4);
  else await run(performance.now() + 2_000);
  await drained();
  Object.assign(tally, { placed: 0, refused: {}, cancels: 0, cancelled: 0 });
  times.length = 0;
  const spot = databases.opened().find(({ schema }) => schema === 'spot');
  const trades = async () =>
    Number((await spot.query('select coalesce(sum(trade_sequence), 0)::text as n from market'))[0].n);
  const tradesBefore = await trades();
  /** Bytes of all tables with their indexes, and of write-ahead log since the cluster was made. */
  const onDisk = async () =>
    (
      await spot.query(
        `select pg_database_size(current_database())::float8 as tables, (pg_current_wal_lsn() - '0/0')::float8 as wal`,
      )
    )[0];
  const detailOf = detailed ? await countDetail(database.url) : undefined;
  const diskBefore = await onDisk();
  const {
    seconds: took,
    node,
    postgres,
  } = await measured('pipeline', database, async () => {
    if (rate > 0) await runPaced(ordersMax);
    else await run(performance.now() + seconds * 1_000);
    await drained();
  });
  const done = tally.placed + tally.cancelled;
  const traded = (await trades()) - tradesBefore;
  const diskAfter = await onDisk();
  const time = quantiles(times);
  const each = (cpu) => Math.round((1e6 * cpu) / done);
  console.log(
    `${Math.round(tally.placed / took)} orders/s and ${Math.round(tally.cancelled / took)} cancels/s, ` +
      `${Math.round(traded / took)} trades/s; per order or cancel ${each(node)} µs of Node, ` +
      `${each(postgres)} µs of PostgreSQL; answer p50 ${time.p50.toFixed(0)} ms, p99 ` +
      `${time.p99.toFixed(0)} ms; ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  );
  if (Object.keys(tally.refused).length > 0) console.log('refused', tally.refused);
  const audits = await Promise.all(
    ['wallet-ledger', 'spot-matching'].map((service) => asks.ask(serviceAsks.audit(service), {}, 60_000)),
  );
  const wrong = audits.flatMap(({ checks }) => checks).filter(({ ok }) => !ok);
  console.log(wrong.length === 0 ? 'reconciled: every check of ledger and books holds' : wrong);
  // No faults are injected here: an exchange that stalls, or refuses more than momentarily empty markets explain, has
  // no valid figures.
  const refused = Object.values(tally.refused).reduce((sum, count) => sum + count, 0);
  const measurable = done > 0 && refused <= done / 100;
  if (!measurable) console.log(`NO FIGURES: ${done} orders and cancels were taken, ${refused} refused`);
  if (wrong.length > 0 || !measurable) process.exitCode = 1;
  const rows = [
    {
      name: 'orders accepted, matched and settled, load from inside, embedded',
      unit: 'orders/s',
      value: Math.round(tally.placed / took),
      goal: 10_000,
      cancelsPerSecond: Math.round(tally.cancelled / took),
      tradesPerSecond: Math.round(traded / took),
      nodeMicroseconds: each(node),
      postgresMicroseconds: each(postgres),
      p50: time.p50,
      p99: time.p99,
      reconciled: wrong.length === 0,
    },
  ];
  const lastRun = {
    at: new Date().toISOString(),
    node: process.version,
    seconds,
    users,
    inFlight,
    pairs: pairCount,
    currencies: SEED_CURRENCIES.length,
    rows,
  };
  const detail = await detailOf?.(done);
  if (detail) console.log(detailText(detail));
  const step = textOption('step');
  if (measurable && rate > 0 && detail && step !== undefined)
    noteStep({
      step,
      at: lastRun.at,
      rate,
      commands: done,
      nodeMicroseconds: each(node),
      postgresMicroseconds: each(postgres),
      commits: detail.commits,
      statements: detail.statements,
      walBytes: Math.round(detail.walBytes),
    });
  else if (measurable && rate > 0) console.log('The figures of a fixed rate are kept by --detail --step NAME alone.');
  else if (measurable && process.argv.includes('--disk')) {
    const grown = (what) => Math.round((diskAfter[what] - diskBefore[what]) / tally.placed);
    const disk = { at: lastRun.at, orders: tally.placed, cancels: tally.cancelled, trades: traded };
    const [tables, wal] = [grown('tables'), grown('wal')];
    console.log(`each order leaves ${tables} bytes in tables and indexes, and ${wal} in the write-ahead log`);
    writeLast('last-disk.json', { ...disk, bytesOfTablesPerOrder: tables, bytesOfLogPerOrder: wal });
  } else if (measurable) writeLast('last-run.json', lastRun);
  await app.close();
} finally {
  await database.stop();
}
process.exit();
