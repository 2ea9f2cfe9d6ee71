// Leverage, seconds contracts and savings: products that people buy from the house. The harness compares positions and
// contracts by itself; without it every outcome is kept for the reconciliation.
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';
import { answers, ask, call } from './calls.js';
import { judge } from './judged.js';
import { keep } from './kept.js';
import { write } from './orders.js';
import { idMade } from './outcome.js';
import { FUND, USDT } from './people.js';
import { markets, people, personOf, pick, run } from './world.js';

const MULTIPLES = [10, 20, 50];
const SECONDS = [30, 60];
/** Beyond this many open ones a person closes first: what a position takes of the lever balance stays small. */
const OPEN_MAX = 4;

export const leverMs = new Trend('lever_ms', true);
export const microMs = new Trend('micro_ms', true);
const savingsMs = new Trend('savings_ms', true);
const positionsOk = new Counter('positions_ok');
const closesOk = new Counter('closes_ok');
const contractsOk = new Counter('contracts_ok');
const termsOk = new Counter('terms_ok');
/** Accepted calls among all that buy, close or cancel a product of the house. */
const granted = new Rate('house_granted');

/**
 * Counts the outcome of a call to the house.
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
  const id = idMade(outcome, response);
  if (id !== undefined) own.push(id);
  tally(outcome, positionsOk);
  Object.assign(note, { outcome, id });
  write(`position ${name} ${outcome} ${id ?? '-'}`);
}

/**
 * Closes a position.
 * @param {number} person
 * @param {string} id
 */
function close(person, id) {
  const note = keep.close(person, id);
  const response = call(closing(person, id));
  const outcome = judge(response, leverMs, 'a close');
  tally(outcome, closesOk);
  note.outcome = outcome;
  write(`close ${id} ${outcome}`);
}

/** Closes all positions that this virtual user has opened. */
export function closeAll() {
  for (const [person, ids] of Object.entries(held)) {
    const own = ids.splice(0);
    const closed = answers(own.map((id) => closing(Number(person), id)));
    own.forEach((id, index) => Object.assign(keep.close(Number(person), id), { outcome: closed[index].type }));
  }
}

/**
 * @param {number} person
 * @param {string} id
 * @returns {import('./calls.js').Question}
 */
const closing = (person, id) => ({
  person: people()[person],
  method: 'POST',
  path: '/api/lever/close',
  fields: { id },
});

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
  const id = idMade(outcome, response);
  tally(outcome, contractsOk);
  keep.listed('contract', { person, outcome, id });
  write(`contract ${person} ${outcome} ${id ?? '-'}`);
}

/** @type {{ id: number, save_min: string }[]} */
let terms = [];
/** @type {Record<number, string[]>} */
const running = {};

/**
 * Puts the least amount aside for a term, or cancels a term that runs; with the person's fund password.
 * @param {number} turn
 */
export function saving(turn) {
  const person = personOf(turn);
  if (terms.length === 0)
    terms = ask({ method: 'GET', path: '/api/currency/deposit/config', fields: { currency_id: USDT } }).message;
  const own = (running[person] ??= []);
  const id = own.length > 0 && Math.random() < 0.5 ? own.shift() : undefined;
  /** @type {(path: string, fields: import('./calls.js').Fields) => { outcome: string, made: string | undefined }} */
  const send = (path, fields) => {
    const response = call({ person: people()[person], method: 'POST', path, fields: { ...fields, password: FUND } });
    const outcome = judge(response, savingsMs, 'a term');
    tally(outcome, termsOk);
    return { outcome, made: idMade(outcome, response) };
  };
  if (id !== undefined) {
    send('/api/currency/deposit/cancel', { id });
    return;
  }
  const { id: config, save_min: least } = pick(terms);
  const { outcome, made } = send('/api/currency/lhDeposit', { config_id: config, currency_id: USDT, amount: least });
  if (made !== undefined) own.push(made);
  keep.listed('term', { person, outcome, id: made });
}
