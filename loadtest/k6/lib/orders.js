// Spot orders and cancels. What each was told is kept for the reconciliation; under the harness it is also written down
// line by line, because the exchange is compared with that log from outside.
import exec from 'k6/execution';
import { check } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import { decimal } from './amounts.js';
import { call, outcomeOf } from './calls.js';
import { keep } from './kept.js';
import { IDEMPOTENT, UNDER_HARNESS } from './settings.js';
import { markets, people, personOf, pick, run } from './world.js';

/** @typedef {import('./markets.js').Market} Market */

const ID = /"id":"(\d+)"/;

export const orderMs = new Trend('order_ms', true);
export const cancelMs = new Trend('cancel_ms', true);
const accepted = new Counter('orders_ok');
const refused = new Counter('orders_refused');
const unknown = new Counter('orders_unknown');
const cancelled = new Counter('cancels_ok');
const limited = new Counter('rate_limited');

/** @param {string} line */
export const write = (line) => {
  if (UNDER_HARNESS) console.log(line);
};

/** @param {number} mean */
const expo = (mean) => -Math.log(1 - Math.random()) * mean;

let serial = 0;
/**
 * Places an order: `order <name> <outcome> <id>`. Returns its id, or undefined.
 * @param {number} person
 * @param {Market} market
 * @param {1 | 2} side
 * @param {'limit' | 'market'} kind
 * @param {number} ticks
 * @param {number} lots
 */
export function place(person, market, side, kind, ticks, lots) {
  const name = `${run()}-${exec.vu.idInTest}-${(serial += 1)}`;
  const note = keep.order(person, name);
  const response = call({
    person: people()[person],
    method: 'POST',
    path: '/api/coin/trade',
    fields: {
      legal_id: market.legal,
      currency_id: market.currency,
      type: side,
      amount: decimal(lots, market.numberScale),
      client_order_id: name,
      ...(kind === 'market' ? { order_type: 'market' } : { target_price: decimal(ticks, market.priceScale) }),
    },
    key: IDEMPOTENT ? name : undefined,
  });
  orderMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  const id = outcome === 'ok' ? ID.exec(response.body ?? '')?.[1] : undefined;
  (outcome === 'ok' ? accepted : outcome === 'unknown' ? unknown : refused).add(1);
  if (response.status === 429) limited.add(1);
  check(response, {
    'an order has a final answer': () => outcome !== 'unknown',
    'an accepted order has an id': () => outcome !== 'ok' || id !== undefined,
  });
  Object.assign(note, { outcome, id });
  write(`order ${name} ${outcome} ${id ?? '-'}`);
  return id;
}

/**
 * Cancels an order: `cancel <id> <outcome>`.
 * @param {number} person
 * @param {string} id
 */
export function cancel(person, id) {
  const note = keep.cancel(person, id);
  const response = call({
    person: people()[person],
    method: 'PUT',
    path: '/api/coin/trade',
    fields: { id },
    key: IDEMPOTENT ? `cancel-${id}` : undefined,
  });
  cancelMs.add(response.timings.duration);
  const outcome = outcomeOf(response);
  if (outcome === 'ok') cancelled.add(1);
  if (response.status === 429) limited.add(1);
  check(response, { 'a cancel has a final answer': () => outcome !== 'unknown' });
  note.outcome = outcome;
  write(`cancel ${id} ${outcome}`);
}

/** @type {[person: number, id: string][]} */
const resting = [];
/**
 * One step of the mix of the book's benchmark: 45 % resting adds, 35 % cancels, 10 % crossing limits, 10 % market
 * orders.
 * @param {number} turn
 */
export function step(turn) {
  const person = personOf(turn);
  const market = pick(markets());
  const side = Math.random() < 0.5 ? 1 : 2;
  const draw = Math.random();
  const size = sizeIn(market);
  if (draw >= 0.45 && draw < 0.8 && resting.length > 0) {
    const at = Math.floor(Math.random() * resting.length);
    const [owner, id] = resting[at];
    resting[at] = resting[resting.length - 1];
    resting.pop();
    cancel(owner, id);
  } else if (draw < 0.8) {
    rest(person, market, side, size);
  } else {
    const away = side === 1 ? 200 : -200;
    place(person, market, side, draw < 0.9 ? 'limit' : 'market', Math.max(1, market.mid + away), size);
  }
}

/**
 * From a fifth to twice of the market's usual size: never below the least value of an order.
 * @param {Market} market
 */
export const sizeIn = (market) => Math.ceil(market.lots * (0.2 + Math.random() * 1.8));

/**
 * An order that rests up to 500 ticks from the middle.
 * @param {number} person
 * @param {Market} market
 * @param {1 | 2} side
 * @param {number} size
 */
export function rest(person, market, side, size) {
  const away = 1 + Math.min(499, Math.floor(expo(90)));
  const ticks = Math.max(1, market.mid + (side === 1 ? -away : away));
  const id = place(person, market, side, 'limit', ticks, size);
  if (id !== undefined) resting.push([person, id]);
}
