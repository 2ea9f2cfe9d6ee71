// Seconds contracts that all expire in one second, on a whole exchange: taken over HTTP, settled by the recorded tick
// of that second, booked by the ledger.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl } from './lib/reconcile.mjs';

/** A person may have so many running. */
const PER_PERSON = 10;
const IN_FLIGHT = 32;
const STAKE = '10';
/** The longest duration: all are taken before the first would end by itself. */
const SECONDS = 300;
/** From the moment in which their expiry is set until it comes. */
const AHEAD_MS = 4_000;
const POLL_INTERVAL_MS = 20;
const WAIT_MS_MAX = 60_000;

/**
 * Takes `count` contracts, has all of them expire in one full second and waits until each is settled and booked. Times
 * are from that second, so the way of its tick is in them.
 */
export async function expire({ stand, tokens, markets, count }) {
  const people = JSON.parse(readFileSync(tokens, 'utf8'));
  if (count % PER_PERSON !== 0 || people.length < count / PER_PERSON)
    throw new Error(`--orders must be a multiple of ${PER_PERSON}, and --users at least a ${PER_PERSON}th of it.`);
  const quoted = markets.filter(({ lever }) => lever);
  const notes = [];
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (next < count) {
        const number = next++;
        // Each person's come side by side: one after the other would ask for the same counter at once.
        const person = number % (count / PER_PERSON);
        notes.push(await take(stand.url, people[person].token, quoted[number % quoted.length], person, number));
      }
    }),
  );
  const takenIn = (performance.now() - begun) / 1_000;
  const client = new pg.Client({ connectionString: databaseUrl(stand.dataDir), application_name: 'bourse loadtest' });
  await client.connect();
  try {
    const until = async (sql) => {
      const limit = Date.now() + WAIT_MS_MAX;
      for (;;) {
        const { rows } = await client.query(`select not exists (${sql}) as over`);
        if (rows[0].over) return Date.now();
        if (Date.now() > limit) throw new Error(`after ${WAIT_MS_MAX / 1_000} s there is still: ${sql}`);
        await sleep(POLL_INTERVAL_MS);
      }
    };
    await until(`select 1 from micro.contract where state in ('waiting', 'opening')`);
    const expiry = Math.ceil((Date.now() + AHEAD_MS) / 1_000) * 1_000;
    const { rowCount: running } = await client.query(
      `update micro.contract set expire_time = to_timestamp($1::float8 / 1000) where state = 'running'`,
      [expiry],
    );
    await sleep(expiry - Date.now());
    const settled = await until(`select 1 from micro.contract where state = 'running'`);
    const booked = await until(`select 1 from micro.saga where name = 'micro.settle'`);
    const { rows: results } = await client.query(
      'select result, count(*)::int as n from micro.contract group by 1 order by 1',
    );
    return {
      notes: `${notes.join('\n')}\n`,
      takenIn,
      running,
      settledIn: (settled - expiry) / 1_000,
      bookedIn: (booked - expiry) / 1_000,
      results: results.map(({ result, n }) => `${n} ${result}`).join(', '),
    };
  } finally {
    await client.end();
  }
}

/** One contract, and the line that is written down about it. */
async function take(url, token, market, person, number) {
  const response = await fetch(`${url}/api/microtrade/submit`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      match_id: String(market.id),
      currency_id: String(market.legal),
      type: String(1 + (number % 2)),
      seconds: String(SECONDS),
      number: STAKE,
    }),
  });
  const { type, key, id } = await response.json();
  const outcome = type === 'ok' ? 'ok' : type === 'pending' ? 'unknown' : `refused:${key}`;
  return `contract ${person} ${outcome} ${id ?? '-'}`;
}
