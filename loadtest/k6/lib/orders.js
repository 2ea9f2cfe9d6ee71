// Spot orders and cancels. Their answers are kept for the reconciliation; under the harness it is also written down
// line by line, because the exchange is compared with that log from outside.
import exec from 'k6/execution';
import { check } from 'k6';
import { Counter, Rate, Trend } from 'k6/metrics';
import { decimal } from './amounts.js';
import { call } from './calls.js';
import { judge } from './judged.js';
import { keep } from './kept.js';
import { idMade, isLimited, reasonOf } from './outcome.js';
import { IDEMPOTENT, UNDER_HARNESS } from './settings.js';
import { markets, partnerOf, people, personOf, pick, run } from './world.js';

/** @typedef {import('./markets.js').Market} Market */

export const orderMs = new Trend('order_ms', true);
export const cancelMs = new Trend('cancel_ms', true);
const accepted = new Counter('orders_ok');
/** Of all that were sent, turned away or not. */
const acceptedShare = new Rate('orders_accepted');
const refused = new Counter('orders_refused');
const unknown = new Counter('orders_unknown');
const cancelled = new Counter('cancels_ok');

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
  const outcome = judge(response, orderMs, 'an order');
  const id = idMade(outcome, response);
  acceptedShare.add(outcome === 'ok');
  if (outcome === 'ok') {
    accepted.add(1);
    check(response, { 'an accepted order has an id': () => id !== undefined });
  } else if (outcome === 'unknown') unknown.add(1);
  else refused.add(1, { reason: reasonOf(outcome) });
  Object.assign(note, { outcome, id });
  if (isLimited(response)) keep.turnedAway(name);
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
  const outcome = judge(response, cancelMs, 'a cancel');
  if (outcome === 'ok') cancelled.add(1);
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

/**
 * Two people trade with each other: an order that rests in the middle, and one that takes it.
 * @param {number} turn
 */
export function tradeOf(turn) {
  const [market] = markets();
  const seller = personOf(turn);
  place(seller, market, 2, 'limit', market.mid, market.lots);
  place(partnerOf(seller, turn), market, 1, 'limit', market.mid, market.lots);
}
