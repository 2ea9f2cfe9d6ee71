// Savings: terms of the least amount that are begun and cancelled, RATE turns a second. On demo installs only: it needs
// the fund passwords of the people.
import { saving } from './lib/house.js';
import { housePace } from './lib/pace.js';
import { settle } from './lib/reconcile.js';
import { ALMOST_ALL, optionsOf, P99, paced } from './lib/run.js';
import { demoOnly, HEADS } from './lib/settings.js';
import { enter, prepare } from './lib/world.js';

export { reconcile } from './lib/reconcile.js';
export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

export const options = optionsOf(
  { savings: paced(housePace(HEADS)) },
  { thresholds: { savings_ms: [`p(99)<${P99}`], terms_ok: ['count>0'], house_granted: ALMOST_ALL } },
);

export function setup() {
  demoOnly('Savings');
  return prepare({ symbols: 'BTC/USDT' });
}
export const teardown = settle;

let turn = 0;
/** @param {World} data */
export default function savings(data) {
  enter(data);
  saving((turn += 1));
}
