// The end of every scenario: all invariants hold, and the exchange agrees with the generator's log, to the unit and to
// the order.
import pg from 'pg';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareNotes, since } from './notes.mjs';

const SETTLED_MS_MAX = 60_000;
/** The longest contract that the load takes runs 60 s, and waits 10 s at most for late ticks. */
const CONTRACTS_MS_MAX = 90_000;
const SHOWN_MAX = 10;
const LOAD_PEOPLE = 'user_id between 500000001 and 501000000';

/** Connection string of the database in a data folder; that of a distributed run is one folder deeper. */
export function databaseUrl(dataDir) {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const file = [dataDir, join(dataDir, 'distributed')].map((dir) => join(dir, 'postgres.json')).find(existsSync);
  if (!file) throw new Error(`${dataDir} holds no database (postgres.json): is it the data folder of that exchange?`);
  const { port, password } = JSON.parse(readFileSync(file, 'utf8'));
  return `postgres://bourse:${password}@127.0.0.1:${port}/exchange`;
}

/** Waits until the auditor finds nothing; returns its findings at the timeout, as sentences. */
export async function waitForAudit(url, withinMs = SETTLED_MS_MAX) {
  const until = Date.now() + withinMs;
  for (;;) {
    const response = await fetch(`${url}/dev/audit`, { signal: AbortSignal.timeout(60_000) });
    const { message } = await response.json();
    if (message?.ok === 1) return [];
    if (Date.now() > until)
      return (message?.checks ?? []).filter(({ ok }) => ok !== 1).map(({ name, detail }) => `audit ${name}: ${detail}`);
    await sleep(250);
  }
}

/** Rows of the exchange's database. */
async function read(dataDir, sql) {
  const client = new pg.Client({ connectionString: databaseUrl(dataDir), application_name: 'bourse loadtest' });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Orders, transfers, positions, contracts, ads and deals that people of load tests have, read from the tables. */
export async function effects(dataDir) {
  const [orders, transfers, positions, contracts, ads, deals] = await Promise.all(
    [
      `select client_order_id as name, id::text, status = 1 as open, reason from spot.orders where ${LOAD_PEOPLE}`,
      `select distinct cause_id as id from ledger.journal
        where cause_type = 'transfer' and ${LOAD_PEOPLE.replace('user_id', 'owner')}`,
      // A position that the ledger refuses has status -1, and goes.
      `select client_id as name, id::text, status <> 3 as open from lever.lever_position
        where status >= 0 and ${LOAD_PEOPLE}`,
      `select id::text from micro.contract where ${LOAD_PEOPLE}`,
      `select id::text from escrow.ad where state <> 'waiting' and ${LOAD_PEOPLE.replace('user_id', 'owner_id')}`,
      `select id::text, state = 'finished' as finished from escrow.deal
        where state <> 'waiting' and ${LOAD_PEOPLE.replace('user_id', 'taker_id')}`,
    ].map((sql) => read(dataDir, sql)),
  );
  const ids = (rows) => rows.map(({ id }) => id);
  return { orders, transfers: ids(transfers), positions, contracts: ids(contracts), ads: ids(ads), deals };
}

/** Waits until each contract of people of load tests has its result. */
async function waitForContracts(dataDir) {
  const until = Date.now() + CONTRACTS_MS_MAX;
  for (;;) {
    const [{ running }] = await read(
      dataDir,
      `select count(*)::int as running from micro.contract where state <> 'closed' and ${LOAD_PEOPLE}`,
    );
    if (running === 0) return;
    if (Date.now() > until) throw new Error(`${running} contracts have no result ${CONTRACTS_MS_MAX / 1000} s later`);
    await sleep(1_000);
  }
}

/**
 * `{ ok, wrong, happened, openOrders, orders }`; a run that is not ok has failed. `before` are the effects that were
 * there when the run began: an install keeps those of all its runs.
 */
export async function reconcile(url, dataDir, notes, before) {
  await waitForContracts(dataDir);
  const audit = await waitForAudit(url);
  const found = since(before, await effects(dataDir));
  const { orders, positions, contracts, deals } = found;
  const { wrong, happened } = compareNotes(notes, found);
  const all = [...audit, ...wrong];
  return {
    ok: all.length === 0,
    wrong: all.slice(0, SHOWN_MAX),
    wrongCount: all.length,
    happened,
    orders: orders.length,
    openOrders: orders.filter(({ open }) => open).length,
    positions: positions.length,
    contracts: contracts.length,
    deals: deals.length,
  };
}
