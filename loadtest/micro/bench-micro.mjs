// npm run bench:micro. Seconds contracts that expire in one second, settled in one process with the real ledger and a
// durable PostgreSQL. Measures the time from the last judging tick until every contract is closed, and until the ledger
// has booked every journal. Contracts are taken by the ordinary use case. Options: --contracts N (10000), --built.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { round, row, table } from '../lib/results.mjs';
import {
  build,
  fund,
  library,
  measured,
  module,
  option,
  root,
  service,
  startDatabase,
  startServices,
  waitUntil,
} from '../pipeline/inside.mjs';

build();
const contracts = option('contracts', 10_000);
const PER_PERSON = 10;
const IN_FLIGHT = 64;
const [USDT, BTC_USDT, SYMBOL] = [3, 1, 'BTC/USDT'];
const FIRST = 600_000;
const SECONDS = 30;
/** Limits of a run. */
const GOAL_SECONDS = 2;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url').toString('base64');

const database = await startDatabase();
try {
  const [
    { WalletLedgerModule },
    { MicroSettlementModule },
    { MarketTickV1, ReferenceRowV1, TOPICS, available },
    { SEED_CURRENCIES, SEED_PAIRS },
    { WrittenAmount },
    { Contracts },
  ] = await Promise.all([
    service('wallet-ledger'),
    service('micro-settlement'),
    library('events'),
    library('contract'),
    library('platform'),
    module('services/micro-settlement/dist/contracts/application/contracts.js'),
  ]);
  const services = await startServices(database.url, database.dir, [WalletLedgerModule, MicroSettlementModule]);
  const { app, databases, readiness } = services;
  const market = await databases.open({ schema: 'market', migrations: [] });
  const micro = await databases.open({ schema: 'micro', migrations: [] });
  await market.transaction(async (tx) => {
    const tell = (kind, row) =>
      tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind, id: String(row.id), version: 1, row: { ...row } }));
    for (const row of SEED_CURRENCIES) tell('currency', row);
    for (const row of SEED_PAIRS) tell('pair', row);
  });
  await readiness.whenReady();

  const leg = (to, amount) => ({ to, currency: USDT, amount });
  const people = Math.ceil(contracts / PER_PERSON);
  await fund(services, FIRST - 1, [leg('h.micro', '1000000')]);
  await Promise.all(
    Array.from({ length: people }, (_, n) => fund(services, FIRST + n, [leg(available(FIRST + n, 'micro'), '1000')])),
  );

  let last = { id: 0n, hash: '0'.repeat(64) };
  const tick = async (time, price) => {
    const id = last.id + 1n;
    const hash = createHash('sha256').update([last.hash, id, SYMBOL, time, price].join('|')).digest('hex');
    await market.transaction(async (tx) => {
      tx.emit(
        TOPICS.marketTicks,
        0,
        MarketTickV1.encode({
          id: String(id),
          symbol: SYMBOL,
          time,
          at: Date.now(),
          price,
          prev_hash: last.hash,
          hash,
          signature: sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64'),
          public_key: KEY,
          kind: 'simulated',
        }),
      );
    });
    last = { id, hash };
  };
  /** Cheap, because it is polled often: it only looks whether an index of open rows is empty. */
  const isOver = async (what) => (await micro.query(`select not exists (select 1 from ${what}) as over`))[0].over;
  const count = async (where) => (await micro.query(`select count(*)::int as n from ${where}`))[0].n;
  const until = (what, ask) => waitUntil(what, ask, { withinMs: 60_000, everyMs: 10 });

  // One old tick begins the chain; its price counts as fresh while the contracts are opened.
  const base = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
  await tick(base, '60000');
  await until('the first tick', async () => (await count('tick_head')) === 1);
  const taking = app.get(Contracts, { strict: false });
  let next = 0;
  const fresh = setInterval(() => void tick(base + Number(last.id) * 1_000, '60000'), 1_000);
  const taken = await measured('micro-submit', database, async () => {
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (next < contracts) {
          const number = next++;
          const number10 = new WrittenAmount('10', 'number', { key: 'miscro.openNum' });
          const fields = { matchId: BTC_USDT, currencyId: USDT, seconds: SECONDS, number: number10 };
          await taking.submit(
            FIRST + (number % people),
            { ...fields, direction: number % 2 === 0 ? 'up' : 'down' },
            { commandId: `submit:${number}`, bodyHash: null, hasKey: false, validUntil: Date.now() + 4_000 },
          );
        }
      }),
    );
  });
  clearInterval(fresh);
  // All contracts as if accepted within one second: that is the measured case.
  const second = base + Number(last.id) * 1_000 + 60_000;
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`update micro.contract set accepted_at = to_timestamp($1::float8 / 1000) where state = 'opening'`, [
    second + 500,
  ]);
  await admin.end();
  await tick(second + 1_000, '60000');
  await until('the openings', async () => (await count(`contract where state = 'running'`)) === contracts);
  const expiry = second + 1_000 + SECONDS * 1_000;
  for (const [at, price] of ['60010', '60012.5', '60011', '60009'].entries())
    await tick(expiry - (4 - at) * 1_000, price);

  const settled = await measured('micro-settle', database, async () => {
    await tick(expiry, '60013');
    await until('the settlement', () => isOver(`contract where state = 'running'`));
  });
  const booked = await measured('micro-book', database, () =>
    until('the bookings', () => isOver(`saga where name = 'micro.settle'`)),
  );
  const closed = await count(`contract where state = 'closed' and result is not null`);
  if (closed !== contracts) throw new Error(`${closed} of ${contracts} contracts are closed`);
  const results = (await micro.query('select result, count(*)::int as n from contract group by 1 order by 1'))
    .map(({ result, n }) => `${n} ${result}`)
    .join(', ');
  const file = path.join(root, 'loadtest', 'micro', 'last-run.json');
  const run = { at: new Date().toISOString(), node: process.version, contracts };
  const both = (part) => round(settled[part] + booked[part]);
  const rows = [
    row('settled', settled.seconds, 's', {
      goal: GOAL_SECONDS,
      atMost: true,
      note: `${contracts} contracts that expire in one second: ${results}`,
    }),
    row('settled and booked', settled.seconds + booked.seconds, 's', {
      note: `CPU ${both('node')} s Node, ${both('postgres')} s PostgreSQL`,
    }),
    row('taken', contracts / taken.seconds, 'contracts/s'),
  ];
  console.log(table(rows));
  writeFileSync(file, `${JSON.stringify({ ...run, rows }, null, 2)}\n`);
  await app.close();
  if (settled.seconds > GOAL_SECONDS) process.exitCode = 1;
} finally {
  await database.stop();
}
