// Leverage: positions are opened and closed at the mark price, RATE turns a second. With API keys the people must
// have USDT on their lever accounts.
import { closeAll, leverage } from './lib/house.js';
import { housePace } from './lib/pace.js';
import { reconcile as compare, settle } from './lib/reconcile.js';
import { ALMOST_ALL, optionsOf, P99, paced } from './lib/run.js';
import { HEADS, provideOneEach } from './lib/settings.js';
import { enter, prepare } from './lib/world.js';

export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

// The exchange judges one call of an account at a time, and turns away calls that come meanwhile.
provideOneEach();
export const options = optionsOf(
  { lever: paced(housePace(HEADS)) },
  {
    thresholds: {
      lever_ms: [`p(99)<${P99}`],
      positions_ok: ['count>0'],
      closes_ok: ['count>0'],
      house_granted: ALMOST_ALL,
    },
  },
);

export const setup = () => prepare({ symbols: 'all', account: 'lever' });
export const teardown = settle;

let turn = 0;
/** @param {World} data */
export default function lever(data) {
  enter(data);
  leverage((turn += 1));
}

/** @param {World} data */
export function reconcile(data) {
  enter(data);
  closeAll();
  compare(data);
}
