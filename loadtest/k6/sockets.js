// SOCKETS sockets that watch one market, on which people trade RATE times a second: how long a trade takes to reach
// them, and whether one is missing.
import { Counter, Trend } from 'k6/metrics';
import { tradeOf } from './lib/orders.js';
import { tradesPace } from './lib/pace.js';
import { settle } from './lib/reconcile.js';
import { ACCEPTED, optionsOf, P99, steady } from './lib/run.js';
import { HEADS, number, SECONDS, VUS } from './lib/settings.js';
import { socketThresholds, watchStream } from './lib/stream.js';
import { enter, markets, prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';
export { reconcile } from './lib/reconcile.js';

/** @typedef {import('./lib/world.js').World} World */

/** Half of the limit of an address on an ordinary install: other clients may share the address. */
const SOCKETS = number('SOCKETS', 10);
/** Sockets subscribe within this before the first trade. */
const LEAD_SECONDS = 3;

export const options = optionsOf(
  {
    watch: {
      executor: 'per-vu-iterations',
      vus: SOCKETS,
      iterations: 1,
      maxDuration: `${SECONDS + LEAD_SECONDS + 10}s`,
    },
    trades: {
      ...steady(number('RATE', Math.min(5, tradesPace(HEADS)))),
      startTime: `${LEAD_SECONDS}s`,
      exec: 'trade',
    },
  },
  {
    vus: SOCKETS + VUS,
    seconds: SECONDS + LEAD_SECONDS,
    thresholds: {
      trade_to_client_ms: [`p(99)<${P99}`],
      trades_received: ['count>0'],
      orders_accepted: ACCEPTED,
      ...socketThresholds(SOCKETS),
    },
  },
);

const toClientMs = new Trend('trade_to_client_ms', true);
const received = new Counter('trades_received');

export const setup = () => prepare();
export const teardown = settle;

/**
 * One socket: a guest, so that no person's number of sockets is used up.
 * @param {World} data
 */
export default function watch(data) {
  enter(data);
  const [{ symbol }] = markets();
  watchStream({
    channel: 'trades',
    symbol,
    seconds: SECONDS + LEAD_SECONDS + 2,
    onMessage: (trade) => {
      toClientMs.add(Math.max(0, Date.now() - trade.ts));
      received.add(1);
    },
  });
}

let turn = 0;
/**
 * Two people trade with each other.
 * @param {World} data
 */
export function trade(data) {
  enter(data);
  tradeOf((turn += 1));
}
