// Seconds contracts of 10 to 49 USDT, RATE a second. With API keys the people must have USDT on their micro accounts.
import { seconds } from './lib/house.js';
import { housePace } from './lib/pace.js';
import { settle } from './lib/reconcile.js';
import { optionsOf, P99, paced } from './lib/run.js';
import { HEADS, number } from './lib/settings.js';
import { enter, prepare } from './lib/world.js';

export { reconcile } from './lib/reconcile.js';
export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

export const options = optionsOf(
  { micro: paced(housePace(HEADS) / 5) },
  {
    thresholds: {
      micro_ms: [`p(99)<${P99}`],
      contracts_ok: ['count>0'],
      // A person may have few contracts at a time, and the house covers a limited amount.
      house_granted: [`rate>=${number('GRANTED', 0.5)}`],
    },
  },
);

export const setup = () => prepare({ symbols: 'all', account: 'micro' });
export const teardown = settle;

let turn = 0;
/** @param {World} data */
export default function micro(data) {
  enter(data);
  seconds((turn += 1));
}
