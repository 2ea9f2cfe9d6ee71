import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { ExchangeProcess } from './exchange-process.js';

/*
 * The cost of a commit does not depend on the size of the tables. Counted in pages that a statement reads, not in time.
 * Statements are prepared while the tables are empty and no statistics are made afterwards, as in the hours after an
 * install grows.
 */
jest.setTimeout(testTimeoutMs(120_000));
const ROWS = 50_000;
const [USDT, BTC] = ['3', '1'];
/** How many more pages a statement may read than with few rows: indexes get a level or two deeper. */
const MORE = { times: 3, pages: 40 };

let exchange: ExchangeProcess;
let admin: pg.Client;
/** Blocks the auditors by a lock. */
let auditors: pg.Client;
const tokens: string[] = [];

interface Spent {
  readonly query: string;
  readonly calls: number;
  readonly pages: number;
}

async function post(
  path: string,
  fields: Readonly<Record<string, string>>,
  token?: string,
): Promise<{ id?: string; message: unknown }> {
  const response = await fetch(`${exchange.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(token ? { authorization: token } : {}) },
    body: new URLSearchParams(fields).toString(),
  });
  const body = (await response.json()) as { type: string; id?: string; message: unknown };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

/** All operations of a book: a resting order, a partial fill, a cancel, and a cancel of a completed order. */
async function trade(rounds: number): Promise<void> {
  const [seller, buyer] = tokens as [string, string];
  const order = (token: string, type: '1' | '2', price: string, amount: string): Promise<{ id?: string }> =>
    post('/api/coin/trade', { legal_id: USDT, currency_id: BTC, type, target_price: price, amount }, token);
  for (let round = 0; round < rounds; round += 1) {
    const resting = await order(seller, '2', '50000', '0.003');
    await order(buyer, '1', '50000', '0.001');
    await order(buyer, '1', '40000', '0.001');
    const response = await fetch(`${exchange.url}/api/coin/trade`, {
      method: 'PUT',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: seller },
      body: new URLSearchParams({ id: resting.id ?? '' }).toString(),
    });
    expect(await response.json()).toMatchObject({ type: 'ok' });
    // The order is cancelled: the second cancel reads its stored row.
    const again = await fetch(response.url, {
      method: 'PUT',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: seller },
      body: new URLSearchParams({ id: resting.id ?? '' }).toString(),
    });
    expect(await again.json()).toMatchObject({ key: 'trade.notOpen' });
  }
}

/**
 * Returns the cost of the writers' statements since the last reading: pages per call, of index and table, cached or
 * not, or per row where a call has several: how many trades share a batch depends on the load of the machine.
 */
async function spent(): Promise<Spent[]> {
  const { rows } = await admin.query<{ query: string; calls: number; pages: number }>(
    `select s.query, s.calls::int, ((s.shared_blks_hit + s.shared_blks_read) / greatest(s.calls, s.rows))::int as pages
     from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname ~ '(ledger|spot|market)$' and s.calls > 0 and s.toplevel
     order by pages desc`,
  );
  await admin.query('select pg_stat_statements_reset()');
  return rows;
}
/**
 * Statements that run with a commit; statements of auditors, lists, upkeep and leases run at intervals.
 */
const ofCommits = (all: readonly Spent[]): Spent[] =>
  all.filter(
    ({ query }) =>
      (/\b(insert into|update|delete from)\b/i.test(query) || /from unnest\(/i.test(query)) &&
      !/skip locked|\bline_(sum|cursor)\b/i.test(query),
  );
/** One statement of each writer's commit: market data stores a trade some time after the book has made it. */
const HOT = [
  'update orders',
  'insert into journal',
  'join hold',
  'insert into outbox',
  'update position',
  'insert into candle',
];
/** Trades until every hot statement ran ten times, and returns the statements by text, each with its highest cost. */
async function spentOnHot(): Promise<Map<string, Spent>> {
  const all = new Map<string, Spent>();
  await eventually(async () => {
    await trade(10);
    for (const one of await spent()) {
      const known = all.get(one.query);
      all.set(one.query, {
        query: one.query,
        calls: one.calls + (known?.calls ?? 0),
        pages: Math.max(one.pages, known?.pages ?? 0),
      });
    }
    const missing = HOT.filter((part) => ![...all.values()].some((one) => one.query.includes(part) && one.calls >= 10));
    if (missing.length > 0) throw new Error(`not yet ten times: ${missing.join(', ')}`);
    return true;
  }, 30_000);
  return all;
}
/** A statement by its beginning, for messages. */
const short = (query: string): string => query.replace(/\s+/g, ' ').trim().slice(0, 160);

async function addRows(): Promise<void> {
  // Adds users, orders and coins that no writer uses, so that no rule of a writer is broken.
  for (const sql of [
    `insert into spot.orders (id, user_id, client_order_id, symbol, pair_id, side, order_type, time_in_force, post_only,
      self_trade, price, stop_price, quantity, held,
       maker_fee, taker_fee, placed_at, updated_at, sequence, cancel_sequence, status, reason, triggered, filled,
         quote_filled, fee, hold_left)
     select 1000000000000000000 + n, 500000 + n % 5000, '', 'BTC/USDT', 1, 0, 'limit', 0, false, 0, 20000, 0, 0.001, 20,
       0.1, 0.1, now(), now(), 1000000 + n, 0, 1, '', false, 0, 0, 0, 20
     from generate_series(1, ${ROWS}) n`,
    `insert into spot.trades (symbol, sequence, pair_id, price, quantity, quote, taker_side, buyer_id, seller_id,
      buy_order_id, sell_order_id, buyer_fee, seller_fee, at)
     select 'ETH/BTC', 1000000 + n, 7, 1, 1, 1, 0, 500000 + n % 5000, 500001 + n % 5000, n, n, 0, 0, now()
     from generate_series(1, ${ROWS}) n`,
    `insert into market.trade (pair_id, sequence, price, quantity, taker_side, at)
      select 7, 1000000 + n, 1, 1, 'buy', now()
      from generate_series(1, ${ROWS}) n`,
    `insert into market.candle (pair_id, period, opens_at, open, high, low, close, volume, turnover)
     select 7, '1min', timestamptz '2001-01-01' + n * interval '1 minute', 1, 1, 1, 1, 1, 1
     from generate_series(1, ${ROWS}) n`,
    `select set_config('bourse.ledger_writer', 'on', false)`,
    `insert into ledger.balance (owner, product, currency, partition, available, held, available_sequence,
      held_sequence)
     select 500000 + n, 'change', 3, 0, 0, 0, 0, 0 from generate_series(1, ${ROWS}) n`,
    `insert into ledger.hold (owner, product, currency, name, partition, remaining, cause_type, cause_id)
     select 500000 + n, 'change', 3, 'order:' || n, 0, 20, 'order', n::text from generate_series(1, ${ROWS}) n`,
    `insert into ledger.command (id, second_key, body_hash, ok, answer, held, created_at)
     select gen_random_uuid()::text, 'coid:' || n, null, true, '{"type":"ok"}', null, now()
     from generate_series(1, ${ROWS}) n`,
    ...['ledger', 'spot', 'market'].map(
      (schema) =>
        `insert into ${schema}.answers (command_id, state, until)
          select gen_random_uuid()::text, 'pending', now() + interval '1 day'
          from generate_series(1, ${ROWS}) n`,
    ),
  ])
    await admin.query(sql);
}

beforeAll(async () => {
  exchange = await ExchangeProcess.create('growth', { MAKER: 'off', PRICE_FEED: 'simulated', RATE_SCALE: '10000' });
  await exchange.start();
  const connect = async (): Promise<pg.Client> => {
    const { port, password } = JSON.parse(readFileSync(join(exchange.dataDir, 'postgres.json'), 'utf8')) as {
      port: number;
      password: string;
    };
    const client = new pg.Client({ connectionString: `postgres://bourse:${password}@127.0.0.1:${port}/exchange` });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  admin = await connect();
  // No statistics are collected: neither now nor when the rows are added.
  const { rows } = await admin.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('ledger', 'spot', 'market')`,
  );
  for (const { name } of rows) await admin.query(`alter table ${name} set (autovacuum_enabled = off)`);
  await admin.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await admin.end();
  await exchange.stop();
  await exchange.start();
  [admin, auditors] = [await connect(), await connect()];
  await admin.query('create extension pg_stat_statements');
  // Auditors would rightly stop an exchange with such orders. Each of their rounds begins with the dead letters.
  await auditors.query('begin');
  for (const schema of ['ledger', 'spot', 'market', 'gateway'])
    await auditors.query(`lock table ${schema}.dead_letter in access exclusive mode`);
  for (const name of ['trader1', 'trader2'])
    tokens.push(
      (await post('/api/user/login', { user_string: `${name}@demo.bourse`, password: 'Harbor-2468' }))
        .message as string,
    );
});
afterAll(async () => {
  await auditors?.end();
  await admin?.end();
  await exchange?.dispose();
});

describe('the cost of a commit does not grow with the number of stored rows [SPOT-220] [LEDGER-042]', () => {
  test(`with ${ROWS} open orders, holds, balances, answers
    and trades beside, every statement looks at as many pages as before`, async () => {
    await trade(30);
    await spent();
    const before = await spentOnHot();
    // Idle connections are closed: prepared statements must survive, so trading continues meanwhile.
    let added = false;
    const growing = addRows().finally(() => {
      added = true;
    });
    while (!added) await trade(1);
    await growing;
    await trade(2);
    await spent();
    // Statements that ran once, as a lease or a batch after a pause, cannot be compared.
    const grown = ofCommits([...(await spentOnHot()).values()])
      .filter(({ query, calls }) => Math.min(calls, before.get(query)?.calls ?? 0) >= 3)
      .map((one) => ({ ...one, was: before.get(one.query)!.pages }))
      .filter(({ pages, was }) => pages > was * MORE.times + MORE.pages)
      .map(({ query, pages, was, calls }) => `${was} → ${pages} pages a call (${calls} calls): ${short(query)}`);
    expect(grown).toEqual([]);
  });
});
