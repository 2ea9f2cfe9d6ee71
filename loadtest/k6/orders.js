// Order flow. SHAPE: `rate` (RATE a second), `most` (as fast as VUS connections go), `bursts` (each second 200 ms of
// as much as VUS connections send, then quiet), `ramp` (rates that rise from FROM to TO by STEP), `trades` (RATE trades
// a second: an order that rests in the middle, and one that takes it); under the harness also `fill` (COUNT resting
// orders).
import { sleep } from 'k6';
import exec from 'k6/execution';
import { rest, sizeIn, step, tradeOf } from './lib/orders.js';
import { ordersPace, tradesPace } from './lib/pace.js';
import { settle } from './lib/reconcile.js';
import { ACCEPTED, duration, gracefulStop, most, optionsOf, P99, ramp, steady } from './lib/run.js';
import { HEADS, number, VUS } from './lib/settings.js';
import { enter, markets, personOf, prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';
export { reconcile } from './lib/reconcile.js';

/** @typedef {import('./lib/world.js').World} World */

/** @type {Record<string, () => object>} */
const SHAPES = {
  rate: () => steady(number('RATE', ordersPace(HEADS))),
  most,
  ramp,
  bursts: () => ({ executor: 'constant-vus', vus: VUS, duration, gracefulStop, exec: 'burst' }),
  fill: () => ({
    executor: 'shared-iterations',
    vus: VUS,
    iterations: number('COUNT', 1000),
    maxDuration: '20m',
    exec: 'fill',
  }),
  trades: () => ({ ...steady(number('RATE', tradesPace(HEADS))), exec: 'trade' }),
};
const shape = __ENV.SHAPE || 'rate';
if (!SHAPES[shape]) throw new Error(`SHAPE is one of ${Object.keys(SHAPES).join(', ')}`);

export const options = optionsOf(
  { flow: SHAPES[shape]() },
  { thresholds: { order_ms: [`p(99)<${P99}`], cancel_ms: [`p(99)<${P99}`], orders_accepted: ACCEPTED } },
);

export const setup = () => prepare();
export const teardown = settle;

let turn = 0;
/** @param {World} data */
export default function flow(data) {
  enter(data);
  step((turn += 1));
}

/**
 * All virtual users wake at the full second and send what they can for 200 ms.
 * @param {World} data
 */
export function burst(data) {
  enter(data);
  sleep((1000 - (Date.now() % 1000)) / 1000);
  const until = Date.now() + 200;
  while (Date.now() < until) step((turn += 1));
}

/** @param {World} data */
export function fill(data) {
  enter(data);
  const at = exec.scenario.iterationInTest;
  const market = markets()[at % markets().length];
  rest(personOf((turn += 1)), market, at % 2 === 0 ? 1 : 2, sizeIn(market));
}

/**
 * Two people trade with each other.
 * @param {World} data
 */
export function trade(data) {
  enter(data);
  tradeOf((turn += 1));
}
