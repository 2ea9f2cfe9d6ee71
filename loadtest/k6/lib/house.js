// Leverage, seconds contracts and savings: what people buy of the house. The harness compares positions and contracts by
// itself; otherwise what each was told is kept for the reconciliation.
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';
import { answers, call } from './calls.js';
import { judge } from './judged.js';
import { closes, keep } from './kept.js';
import { write } from './orders.js';
import { markets, people, personOf, pick, run } from './world.js';

const ID = /"id":"(\d+)"/;
const FUND = 'fund66';
const MULTIPLES = [10, 20, 50];
const SECONDS = [30, 60];
/** Beyond this many open ones a person closes first: what a position takes of the lever balance stays small. */
const OPEN_MAX = 4;

export const leverMs = new Trend('lever_ms', true);
export const microMs = new Trend('micro_ms', true);
const positionsOk = new Counter('positions_ok');
const closesOk = new Counter('closes_ok');
const contractsOk = new Counter('contracts_ok');
export const savingsMs = new Trend('savings_ms', true);
const termsOk = new Counter('terms_ok');
/** Of all that was asked of the house: bought, closed or cancelled. */
const granted = new Rate('house_granted');

/**
 * @param {string} outcome
 * @param {import('k6/metrics').Counter} counter
 */
function tally(outcome, counter) {
  granted.add(outcome === 'ok');
  if (outcome === 'ok') counter.add(1);
}

/** Markets quoted in the coin in which load people have lever and micro balances. */
const quoted = () => markets().filter(({ lever }) => lever);

/** @type {Record<number, string[]>} */
const held = {};
let serial = 0;

/**
 * Opens a position of one hand, or closes one: `position <name> <outcome> <id>`, `close <id> <outcome>`.
 * @param {number} turn
 */
export function leverage(turn) {
  const person = personOf(turn);
  const own = (held[person] ??= []);
  if (own.length >= OPEN_MAX || (own.length > 0 && Math.random() < 0.45)) {
    close(person, String(own.shift()));
    return;
  }
  const market = pick(quoted());
  const name = `${run()}-l${exec.vu.idInTest}-${(serial += 1)}`;
  const note = keep.position(person, name);
  const response = call({
    person: people()[person],
    method: 'POST',
    path: '/api/lever/submit',
    fields: {
      legal_id: market.legal,
      currency_id: market.currency,
      type: Math.random() < 0.5 ? 1 : 2,
      status: 1,
      multiple: pick(MULTIPLES),
      share: 1,
      client_id: name,
    },
  });
  const outcome = judge(response, leverMs, 'a position');
  const id = outcome === 'ok' ? ID.exec(response.body ?? '')?.[1] : undefined;
  if (id !== undefined) own.push(id);
  tally(outcome, positionsOk);
  Object.assign(note, { outcome, id });
  write(`position ${name} ${outcome} ${id ?? '-'}`);
}

/**
 * @param {number} person
 * @param {string} id
 */
function close(person, id) {
  const note = keep.close(person, id);
  const response = call({ person: people()[person], method: 'POST', path: '/api/lever/close', fields: { id } });
  const outcome = judge(response, leverMs, 'a close');
  tally(outcome, closesOk);
  note.outcome = outcome;
  write(`close ${id} ${outcome}`);
}

/** Closes all positions that this virtual user has opened. */
export function closeAll() {
  for (const [person, ids] of Object.entries(held)) {
    const own = ids.splice(0);
    const told = answers(
      own.map((id) => ({ person: people()[Number(person)], method: 'POST', path: '/api/lever/close', fields: { id } })),
    );
    own.forEach((id, at) => Object.assign(keep.close(Number(person), id), { outcome: told[at].type }));
  }
  return closes.size;
}

/**
 * Takes a seconds contract of 10 to 49 USDT: `contract <person> <outcome> <id>`.
 * @param {number} turn
 */
export function seconds(turn) {
  const person = personOf(turn);
  const market = pick(quoted());
  const response = call({
    person: people()[person],
    method: 'POST',
    path: '/api/microtrade/submit',
    fields: {
      match_id: market.id,
      currency_id: market.legal,
      type: Math.random() < 0.5 ? 1 : 2,
      seconds: pick(SECONDS),
      number: 10 + Math.floor(Math.random() * 40),
    },
  });
  const outcome = judge(response, microMs, 'a contract');
  const id = outcome === 'ok' ? ID.exec(response.body ?? '')?.[1] : undefined;
  tally(outcome, contractsOk);
  keep.bought('contract', { person, outcome, id });
  write(`contract ${person} ${outcome} ${id ?? '-'}`);
}

/** @type {{ id: number, save_min: string }[] | undefined} */
let terms;
/** @type {Record<number, string[]>} */
const running = {};
const USDT = 3;

/**
 * Puts the least amount aside for a term, or cancels a term that runs; with the person's fund password.
 * @param {number} turn
 */
export function saving(turn) {
  const person = personOf(turn);
  terms ??= answers([{ method: 'GET', path: '/api/currency/deposit/config', fields: { currency_id: USDT } }])[0]
    .message;
  const own = (running[person] ??= []);
  const id = own.length > 0 && Math.random() < 0.5 ? own.shift() : undefined;
  const { id: config, save_min: least } = pick(terms ?? []);
  const response = call({
    person: people()[person],
    method: 'POST',
    path: id === undefined ? '/api/currency/lhDeposit' : '/api/currency/deposit/cancel',
    fields:
      id === undefined
        ? { config_id: config, currency_id: USDT, amount: least, password: FUND }
        : { id, password: FUND },
  });
  const outcome = judge(response, savingsMs, 'a term');
  tally(outcome, termsOk);
  if (id !== undefined) return;
  const made = outcome === 'ok' ? ID.exec(response.body ?? '')?.[1] : undefined;
  if (made !== undefined) own.push(made);
  keep.bought('term', { person, outcome, id: made });
}
