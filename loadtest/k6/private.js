// SOCKETS sockets of users who trade RATE times a second. Measures how long an order's change takes to its owner's
// socket, and finds missing private events.
import { Counter, Trend } from 'k6/metrics';
import exec from 'k6/execution';
import { step } from './lib/orders.js';
import { ordersPace } from './lib/pace.js';
import { settle } from './lib/reconcile.js';
import { ACCEPTED, optionsOf, P99, steady } from './lib/run.js';
import { HEADS, number, SECONDS, VUS } from './lib/settings.js';
import { socketThresholds, watchPrivate } from './lib/stream.js';
import { enter, people, prepare } from './lib/world.js';

export { reconcile } from './lib/reconcile.js';
export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

/** One for each person: a person may have five. */
const SOCKETS = number('SOCKETS', Math.min(10, HEADS));
/** Sockets sign in within this before the first order. */
const LEAD_SECONDS = 3;

const load = steady(number('RATE', Math.min(10, ordersPace(HEADS))));
export const options = optionsOf(
  {
    watch: {
      executor: 'per-vu-iterations',
      vus: SOCKETS,
      iterations: 1,
      maxDuration: `${SECONDS + LEAD_SECONDS + 10}s`,
    },
    trade: { ...load, startTime: `${LEAD_SECONDS}s`, exec: 'trade' },
  },
  {
    vus: SOCKETS + VUS,
    seconds: SECONDS + LEAD_SECONDS,
    thresholds: {
      order_to_client_ms: [`p(99)<${P99}`],
      order_updates: ['count>0'],
      orders_accepted: ACCEPTED,
      ...socketThresholds(SOCKETS),
    },
  },
);

const toClientMs = new Trend('order_to_client_ms', true);
const updates = new Counter('order_updates');
const events = new Counter('private_events');

export const setup = () => prepare();
export const teardown = settle;

/** @param {World} data */
export default function watch(data) {
  enter(data);
  watchPrivate({
    person: people()[exec.scenario.iterationInTest % people().length],
    seconds: SECONDS + LEAD_SECONDS + 2,
    onEvent: (event, payload) => {
      events.add(1);
      if (event !== 'order_update') return;
      updates.add(1);
      toClientMs.add(Math.max(0, Date.now() - payload.ts));
    },
  });
}

let turn = 0;
/** @param {World} data */
export function trade(data) {
  enter(data);
  step((turn += 1));
}
