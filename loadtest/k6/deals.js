// C2C deals from taking to release, between two people each: RATE deals a second. On a demo install only: people need
// payment settings and a fund password.
import { deal, takeBack } from './lib/deals.js';
import { reconcile as compare, settle } from './lib/reconcile.js';
import { dealsPace } from './lib/pace.js';
import { ALMOST_ALL, optionsOf, P99, steady } from './lib/run.js';
import { demoOnly, HEADS, number } from './lib/settings.js';
import { enter, prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

if (HEADS < 2) throw new Error('A deal needs two people: let PEOPLE be 2 or more.');

export const options = optionsOf(
  { deals: steady(number('RATE', dealsPace(HEADS))) },
  { thresholds: { deal_ms: [`p(99)<${P99}`], releases_ok: ['count>0'], deals_released: ALMOST_ALL } },
);

export function setup() {
  demoOnly('Deals');
  return prepare({ symbols: 'BTC/USDT', pay: true });
}
export const teardown = settle;

let turn = 0;
/** @param {World} data */
export default function deals(data) {
  enter(data);
  deal((turn += 1));
}

/** @param {World} data */
export function reconcile(data) {
  enter(data);
  takeBack();
  compare(data);
}
