// npm run bench:neighbours. What one person's calls cost another: the p99 of a neighbour's calls while the owner of
// a leverage account sends RATE calls a second of every kind, with 0, 10 and 99 pending orders, against the p99 while
// the owner is silent, and against the p99 while a third person sends as many calls that have nothing to do with
// leverage: any load makes the calls of others wait, and only what exceeds that is the owner's doing. The three kinds
// of windows alternate in one run, and their order changes each round, so that a busy machine does not decide; the
// figures are medians over the rounds of the ratio of one round.
// Options: --rounds N (5), --seconds N (5) of a window, --rate N (40), --url URL of an exchange that runs, --shared:
// others use the machine, which the page then says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Latencies } from '../lib/latencies.mjs';
import { row, table } from '../lib/results.mjs';
import { Stand } from '../lib/stand.mjs';
import { option, root } from '../pipeline/inside.mjs';

const ROUNDS = option('rounds', 5);
const WINDOW_MS = option('seconds', 5) * 1_000;
const RATE = option('rate', 40);
/** With the open position the last one fills the account: `lever.max_positions` is 100. */
const PENDING = [0, 10, 99];
/** A neighbour's calls a second: enough for a p99, far below what one core answers. */
const NEIGHBOUR_RATE = 20;
/** Issue 30: another person's p99 stays within 20 %. */
const GOAL = 1.2;
const FRESH_MS_MAX = 30_000;
const PASSWORD = 'Harbor-2468';
const USDT = 3;
const PAIR = { legal_id: USDT, currency_id: 1 };

const given = process.argv.indexOf('--url');
const stand = given === -1 ? new Stand({ distributed: false, maker: false }) : null;
await stand?.start();
const url = stand?.url ?? process.argv[given + 1];

async function call(token, path, fields) {
  const response = await fetch(`${url}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(fields),
  });
  return response.json();
}
async function signedIn(account) {
  const { type, message } = await call('', 'user/login', { user_string: account, password: PASSWORD });
  if (type !== 'ok') throw new Error(`sign-in of ${account}: ${JSON.stringify(message)}`);
  return message;
}
async function done(token, path, fields) {
  const body = await call(token, path, fields);
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

const [owner, neighbour, third] = [
  await signedIn('trader1@demo.bourse'),
  await signedIn('trader2@demo.bourse'),
  await signedIn('trader3@demo.bourse'),
];
const order = { ...PAIR, type: 1, multiple: 100, share: 1 };
const open = async (fields) => (await done(owner, 'lever/submit', { ...order, ...fields })).id;
/** Opens a position. An exchange that has just started has no fresh price for some seconds. */
async function openAtFreshPrice() {
  for (const until = Date.now() + FRESH_MS_MAX; ; await sleep(500)) {
    const body = await call(owner, 'lever/submit', { ...order, status: 1 });
    if (body.type === 'ok') return body.id;
    if (body.key !== 'market.stale' || Date.now() > until) throw new Error(`lever/submit: ${JSON.stringify(body)}`);
  }
}
const position = await openAtFreshPrice();
const { message: deal } = await done(owner, 'lever/deal', PAIR);
/** Far below the market: nothing touches it. */
const target = String(Math.round(Number(deal.mark_price) / 2));

/** The owner's calls in turn: accepted stops, small transfers, a batch of nothing, reads, orders and their cancels. */
const transfer = (from_field, to_field) => [
  'wallet/change',
  { currency_id: USDT, number: '0.01', from_field, to_field },
];
const OWNERS = [
  (at) => ['lever/setstop', { id: position, target_profit_price: String(Math.round(deal.mark_price * 2) + (at % 9)) }],
  () => transfer('change', 'lever'),
  () => ['lever/batch_close', { type: 2 }],
  () => ['lever/deal', PAIR],
  () => transfer('lever', 'change'),
  () => ['wallet/detail', { currency: USDT }],
  () => ['lever/my_trade', { status: 0, limit: 100 }],
];
const NEIGHBOURS = [
  () => ['wallet/detail', { currency: USDT }],
  () => ['lever/deal', PAIR],
  () => transfer('change', 'legal'),
  () => ['lever/my_trade', { limit: 20 }],
  () => transfer('legal', 'change'),
];

/** Sends calls at an even rate, whatever their answers do, for one window. Returns their latencies. */
async function send(token, calls, rate) {
  const took = new Latencies();
  const under = [];
  const began = performance.now();
  for (let at = 0; performance.now() - began < WINDOW_MS; at += 1) {
    const wait = began + (at * 1_000) / rate - performance.now();
    if (wait > 0) await sleep(wait);
    const sent = performance.now();
    const [path, fields] = calls[at % calls.length](at);
    under.push(call(token, path, fields).then(() => took.add(Math.round(performance.now() - sent))));
  }
  await Promise.all(under);
  return took.summary();
}

/** Each kind of window, with the calls that others send in it. */
const WINDOWS = [
  ['silent', () => null],
  ['control', () => send(third, NEIGHBOURS, RATE)],
  ['busy', () => send(owner, OWNERS, RATE)],
];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const rows = [];
const pending = [];
try {
  await send(neighbour, NEIGHBOURS, NEIGHBOUR_RATE); // warms up
  for (const count of PENDING) {
    while (pending.length < count) pending.push(await open({ status: 0, target_price: target }));
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const found = {};
      for (let at = 0; at < WINDOWS.length; at += 1) {
        const [window, beside] = WINDOWS[(at + round) % WINDOWS.length];
        const others = beside();
        found[window] = await send(neighbour, NEIGHBOURS, NEIGHBOUR_RATE);
        await others;
      }
      rounds.push(found);
      console.log(`${count} pending, round ${round + 1}: ${JSON.stringify(found)}`);
    }
    const of = (when, part) => median(rounds.map((found) => found[when][part]));
    const ratio = (part, against) =>
      median(rounds.map((found) => found.busy[part] / Math.max(1, found[against][part])));
    for (const against of ['silent', 'control']) {
      const change = (part) => `${part} ${of(against, part)} → ${of('busy', part)} ms`;
      const note = `${change('p99')}; ${change('p50')}, × ${ratio('p50', against).toFixed(2)}`;
      const beside = against === 'silent' ? 'a silent owner' : 'a third person who sends as much';
      const name = `p99 of a neighbour, ${count} pending orders, against ${beside}`;
      rows.push(row(name, ratio('p99', against), '×', { goal: GOAL, atMost: true, note }));
    }
  }
  console.log(table(rows));
  const run = { at: new Date().toISOString(), node: process.version, rounds: ROUNDS, windowMs: WINDOW_MS, rate: RATE };
  const shared = process.argv.includes('--shared');
  writeFileSync(
    join(root, 'loadtest', 'risk', 'neighbours.json'),
    `${JSON.stringify({ ...run, shared, rows }, null, 2)}\n`,
  );
} finally {
  for (const id of pending) await call(owner, 'lever/cancel', { id });
  await call(owner, 'lever/close', { id: position, cover: 1 });
  await stand?.end();
}
