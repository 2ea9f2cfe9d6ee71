// The reconciliation after a run: compares the exchange's state with its answers to clients, by the API only. Each
// virtual user compares its own answers; `teardown()` checks the accounts.
import { sleep } from 'k6';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import { units } from './amounts.js';
import { doubleNames } from './figures.js';
import { answers, granted, patiently } from './calls.js';
import { cancels, closes, listed, orders, positions, releases } from './kept.js';
import { BASE_URL, IDEMPOTENT, UNDER_HARNESS } from './settings.js';
import { enter, people } from './world.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {import('./kept.js').Note} Note */

/** Disagreements: a run with any has failed. */
const unreconciled = new Counter('unreconciled');
const compared = new Counter('compared');
const comparedUsers = new Counter('compared_users');
const comparedPeople = new Counter('compared_people');
const resolved = new Counter('resolved_unknown');

const ROWS_A_PAGE = 100;
/** An effect follows its answer within this. */
const FOLLOWS_MS = 10_000;
const AUDIT_MS = 60_000;

/** @param {string} sentence */
function wrong(sentence) {
  unreconciled.add(1);
  console.error(`NOT RECONCILED: ${sentence}`);
}

/**
 * Compares the answers to one virtual user with the state of the exchange.
 * @param {World} data
 */
export function reconcile(data) {
  enter(data);
  compareOrders();
  compareCancels();
  compareDeals();
  comparePositions();
  compareCloses();
  compareListed();
  comparedUsers.add(1);
}

/**
 * Reads the same for each of some notes, as the person of the note.
 * @param {string} path
 * @param {[name: string | undefined, note: Note][]} notes
 * @param {string} field that has the name
 */
const readEach = (path, notes, field) =>
  answers(
    notes.map(([name, { person }]) => ({ person: people()[person], method: 'GET', path, fields: { [field]: name } })),
  );

function compareOrders() {
  const all = [...orders];
  const found = readEach('/api/coin/order', all, 'client_order_id');
  const open = all.filter(([, { outcome }]) => outcome === 'unknown');
  const told = IDEMPOTENT ? readEach('/api/command', open, 'key') : [];
  all.forEach(([name, { outcome, id }], index) => {
    const { type, key, message } = found[index];
    const has = type === 'ok' ? message.id : undefined;
    if (!has && key !== 'common.notFound') wrong(`order ${name} cannot be read: ${key}`);
    compared.add(1);
    if (outcome === 'ok' && has !== id) wrong(`order ${name} was accepted as ${id} and is ${has ?? 'lost'}`);
    if (outcome.startsWith('refused:') && has) wrong(`order ${name} was ${outcome} and exists as ${has}`);
    if (outcome !== 'unknown') return;
    resolved.add(1);
    if (!IDEMPOTENT) return;
    // The effect of a command without an answer is unknown until its key is queried.
    const final = told[open.findIndex(([one]) => one === name)];
    if (has && final.type !== 'ok') wrong(`order ${name} exists as ${has}, and its key says ${final.key}`);
    if (!has && final.type === 'ok') wrong(`order ${name} is lost, and its key says that it was accepted`);
  });
}

function compareCancels() {
  const done = [...cancels].filter(([, { outcome }]) => outcome === 'ok');
  const found = readEach('/api/coin/order', done, 'id');
  done.forEach(([id], index) => {
    const order = found[index].message;
    compared.add(1);
    if (found[index].type !== 'ok') wrong(`order ${id} was cancelled and is lost`);
    else if (order.status !== 2 || order.cancel_reason !== 'user')
      wrong(`order ${id} was cancelled and is ${order.status === 1 ? 'open' : `ended (${order.cancel_reason})`}`);
  });
}

/** Each released deal is finished. */
function compareDeals() {
  const finished = 1;
  const found = readEach(
    '/api/c2c_deal',
    releases.map((note) => [note.id, note]),
    'id',
  );
  releases.forEach(({ id }, index) => {
    compared.add(1);
    if (found[index].message?.is_sure !== finished) wrong(`deal ${id} was released and is not finished`);
  });
}

/** Each position that was opened is there under its name, and none that was refused. */
function comparePositions() {
  const all = [...positions];
  const found = readEach('/api/lever/order', all, 'client_id');
  all.forEach(([name, { outcome, id }], index) => {
    const { type, message } = found[index];
    const has = type === 'ok' ? message.id : undefined;
    compared.add(1);
    if (outcome === 'ok' && has !== id) wrong(`position ${name} was opened as ${id} and is ${has ?? 'lost'}`);
    if (outcome.startsWith('refused:') && has) wrong(`position ${name} was ${outcome} and exists as ${has}`);
    if (outcome === 'unknown') resolved.add(1);
  });
}

/** Each position that was closed is closed. */
function compareCloses() {
  const closed = 3;
  const all = [...closes].filter(([, { outcome }]) => outcome === 'ok');
  const problems = untilQuiet(() =>
    readEach('/api/lever/order', all, 'id').flatMap(({ message }, index) =>
      message?.status === closed ? [] : [`position ${all[index][0]} was closed and has status ${message?.status}`],
    ),
  );
  compared.add(all.length);
  for (const problem of problems) wrong(problem);
}

/**
 * The call that lists the things of a kind.
 * @type {Record<import('./kept.js').Kind, string>}
 */
const LISTS = {
  transfer: '/api/wallet/hzhistory',
  contract: '/api/microtrade/lists',
  term: '/api/currency/deposit/lhDepositOrderList',
  withdrawal: '/api/wallet/out_list',
};

/** Each transfer, contract, term and withdrawal that was accepted is in its owner's list, once. */
function compareListed() {
  for (const [kind, path] of Object.entries(LISTS)) {
    const notes = listed[/** @type {import('./kept.js').Kind} */ (kind)];
    for (const person of new Set(notes.map((note) => note.person))) {
      const wanted = notes
        .filter((note) => note.person === person && note.outcome === 'ok')
        .map(({ id }) => String(id));
      const times = timesListed(person, path, wanted);
      for (const id of wanted) {
        compared.add(1);
        const found = times.get(id) ?? 0;
        if (found !== 1) wrong(`${kind} ${id} was accepted and is there ${found} times`);
      }
    }
  }
}

/**
 * Returns how often each id is in a list of a user, read until all were found.
 * @param {number} person
 * @param {string} path
 * @param {string[]} wanted
 */
function timesListed(person, path, wanted) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (let page = 1, more = true; more && wanted.some((id) => !times.has(id)); page += 1) {
    const [{ message }] = granted([
      { person: people()[person], method: 'GET', path, fields: { page, limit: ROWS_A_PAGE } },
    ]);
    for (const { id } of message.data) times.set(String(id), (times.get(String(id)) ?? 0) + 1);
    more = message.has_more === 1;
  }
  return times;
}

/**
 * Closes what is open, then checks the accounts of all users: every statement adds up to its balance, held amounts have
 * their causes, and no name of this run has two orders. A demo install runs its auditors too.
 * @param {World} data
 */
export function settle(data) {
  // Without `data` the preparation has failed: there are no people.
  if (UNDER_HARNESS || !data) return;
  // Before the orders are cancelled: the list leaves out those that ended without a fill.
  for (const person of data.people)
    for (const problem of doubleNames(ordersOf(person, data.run, { status: 1 }))) wrong(problem);
  granted(data.people.map((person) => ({ person, method: 'POST', path: '/api/coin/cancel_all' })));
  for (const person of data.people) {
    const problems = untilQuiet(() => [
      ...accountProblems(person),
      ...doubleNames(ordersOf(person, data.run)),
      ...ordersOf(person, data.run, { status: 1 }).map(
        ({ client_order_id: name }) => `order ${name} is open after all were cancelled`,
      ),
    ]);
    for (const problem of problems) wrong(problem);
    comparedPeople.add(1);
  }
  const audited = patiently(() => http.get(`${BASE_URL}/dev/audit`, { timeout: '60s' }));
  if (audited.status === 404) return;
  for (const problem of untilQuiet(auditProblems, AUDIT_MS)) wrong(problem);
}

/**
 * Balances follow answers with a delay: a problem counts only if it is still there when time is up.
 * @param {() => string[]} look
 */
function untilQuiet(look, withinMs = FOLLOWS_MS) {
  for (const until = Date.now() + withinMs; ; sleep(0.25)) {
    const problems = look();
    if (problems.length === 0 || Date.now() > until) return problems;
  }
}

/**
 * @param {import('./calls.js').Person} person
 * @returns {string[]}
 */
function accountProblems(person) {
  const [{ message: statement }, { message: holds }, { message: wallets }] = granted([
    { person, method: 'GET', path: '/api/statement/check' },
    { person, method: 'GET', path: '/api/wallet/holds' },
    { person, method: 'POST', path: '/api/wallet/list' },
  ]);
  const who = person.account ?? person.key ?? 'somebody';
  const problems = [];
  for (const { account, state, currency, balance, sum } of statement.accounts)
    if (units(balance) !== units(sum))
      problems.push(`${who}: ${state} ${currency} of ${account} is ${balance}, its statement adds up to ${sum}`);
  if (statement.ok !== 1 && problems.length === 0) problems.push(`${who}: the statement does not check`);
  for (const account of ['change', 'legal', 'lever', 'micro'])
    for (const coin of wallets[`${account}_wallet`].balance) {
      const told = units(coin[`lock_${account}_balance`]);
      const caused = holds
        .filter((/** @type {any} */ one) => one.account === account && one.currency_name === coin.currency_name)
        .reduce((/** @type {bigint} */ sum, /** @type {any} */ one) => sum + units(one.amount), 0n);
      if (told !== caused)
        problems.push(
          `${who}: ${coin.currency_name} held in ${account} is ${told}, its causes add up to ${caused} (10^-18)`,
        );
    }
  return problems;
}

/**
 * The orders of this run in a person's list, newest first; it is read until a page has none of them.
 * @param {import('./calls.js').Person} person
 * @param {string} run
 * @param {Record<string, string | number>} [filter]
 * @returns {{ id: string, client_order_id: string }[]}
 */
function ordersOf(person, run, filter = {}) {
  const found = [];
  for (let page = 1, more = true; more; page += 1) {
    const fields = { ...filter, page, limit: ROWS_A_PAGE };
    const [{ message }] = granted([{ person, method: 'GET', path: '/api/coin/list', fields }]);
    const own = message.data.filter((/** @type {any} */ order) => order.client_order_id.startsWith(`${run}-`));
    found.push(...own);
    more = message.has_more === 1 && own.length > 0;
  }
  return found;
}

function auditProblems() {
  const response = patiently(() => http.get(`${BASE_URL}/dev/audit`, { timeout: '60s' }));
  const body = /** @type {any} */ (response.status === 200 ? response.json() : undefined);
  if (!body) return [`the auditors gave no answer: ${response.status}`];
  if (body.message?.ok === 1) return [];
  return body.message.checks
    .filter((/** @type {any} */ { ok }) => ok !== 1)
    .map((/** @type {any} */ { name, detail }) => `audit ${name}: ${detail}`);
}
