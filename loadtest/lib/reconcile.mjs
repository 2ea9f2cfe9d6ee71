// The end of every scenario: all invariants hold, and the exchange agrees with the generator's log, to the unit and to
// the order.
import pg from 'pg';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareNotes } from './notes.mjs';

const SETTLED_MS_MAX = 60_000;
const SHOWN_MAX = 10;

/** Connection string of the database in a data folder. */
export function databaseUrl(dataDir) {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const { port, password } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'));
  return `postgres://bourse:${password}@127.0.0.1:${port}/exchange`;
}

/** Waits until the auditor finds nothing; gives what it still finds when time is up, as sentences. */
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

/** Orders and transfers that people of load tests have, read from the tables. */
async function effects(dataDir) {
  const client = new pg.Client({ connectionString: databaseUrl(dataDir), application_name: 'bourse loadtest' });
  await client.connect();
  try {
    const orders = await client.query(
      `select client_order_id as name, id::text, status = 1 as open, reason
        from spot.orders
        where user_id between 500000001 and 501000000`,
    );
    const transfers = await client.query(
      `select distinct cause_id
        from ledger.journal
        where cause_type = 'transfer' and owner between 500000001 and 501000000`,
    );
    return { orders: orders.rows, transfers: transfers.rows.map(({ cause_id }) => cause_id) };
  } finally {
    await client.end();
  }
}

/** `{ ok, wrong, happened, openOrders, orders }`; a run that is not ok has failed. */
export async function reconcile(url, dataDir, notes) {
  const audit = await waitForAudit(url);
  const { orders, transfers } = await effects(dataDir);
  const { wrong, happened } = compareNotes(notes, orders, transfers);
  const all = [...audit, ...wrong];
  return {
    ok: all.length === 0,
    wrong: all.slice(0, SHOWN_MAX),
    wrongCount: all.length,
    happened,
    orders: orders.length,
    openOrders: orders.filter(({ open }) => open).length,
  };
}
