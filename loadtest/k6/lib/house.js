// Leverage and seconds contracts: what people buy of the house. Under the harness only, which has people with balances
// for them and compares positions and contracts by itself.
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';
import { call } from './calls.js';
import { outcomeOf } from './outcome.js';
import { write } from './orders.js';
import { markets, people, personOf, pick, run } from './world.js';

const ID = /"id":"(\d+)"/;
const MULTIPLES = [10, 20, 50];
const SECONDS = [30, 60];
/** Beyond this many open ones a person closes first: what a position takes of the lever balance stays small. */
const OPEN_MAX = 4;

export const leverMs = new Trend('lever_ms', true);
export const microMs = new Trend('micro_ms', true);
const positionsOk = new Counter('positions_ok');
const closesOk = new Counter('closes_ok');
const contractsOk = new Counter('contracts_ok');

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
    const id = own.shift();
    const response = call({ person: people()[person], method: 'POST', path: '/api/lever/close', fields: { id } });
    leverMs.add(response.timings.duration);
    const outcome = outcomeOf(response);
    if (outcome === 'ok') closesOk.add(1);
    write(`close ${id} ${outcome}`);
    return;
  }
  const market = pick(quoted());
  const name = `${run()}-l${exec.vu.idInTest}-${(serial += 1)}`;
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
  leverMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  const id = outcome === 'ok' ? ID.exec(response.body ?? '')?.[1] : undefined;
  if (id !== undefined) {
    own.push(id);
    positionsOk.add(1);
  }
  write(`position ${name} ${outcome} ${id ?? '-'}`);
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
  microMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  if (outcome === 'ok') contractsOk.add(1);
  write(`contract ${person} ${outcome} ${ID.exec(response.body ?? '')?.[1] ?? '-'}`);
}
