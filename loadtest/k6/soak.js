// A long run of order flow beside the figures of the exchange itself: memory, the delay of its event loop, and rows
// that wait for their consumers, read from METRICS_URL every EVERY seconds.
import http from 'k6/http';
import { sleep } from 'k6';
import { Gauge, Trend } from 'k6/metrics';
import { growthOf, sumOf } from './lib/figures.js';
import { step } from './lib/orders.js';
import { ordersPace } from './lib/pace.js';
import { settle } from './lib/reconcile.js';
import { ACCEPTED, optionsOf, P99, steady } from './lib/run.js';
import { BASE_URL, HEADS, number, SECONDS, VUS } from './lib/settings.js';
import { enter, prepare } from './lib/world.js';

export { reconcile } from './lib/reconcile.js';
export { handleSummary } from './lib/run.js';

/** @typedef {import('./lib/world.js').World} World */

const METRICS_URLS = (__ENV.METRICS_URL || `${BASE_URL}/metrics`).split(',');
const EVERY = number('EVERY', 10);

const load = steady(number('RATE', ordersPace(HEADS) / 2));
export const options = optionsOf(
  {
    soak: load,
    figures: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: `${SECONDS + 10}s`, exec: 'figures' },
  },
  {
    vus: VUS + 1,
    thresholds: {
      order_ms: [`p(99)<${P99}`],
      orders_accepted: ACCEPTED,
      memory_mb: ['max>0'],
      memory_growth: [`value<${number('GROWTH', 0.3)}`],
      lag_ms: [`p(95)<${number('LAG', 500)}`],
      waiting_rows: [`p(95)<${number('WAITING', 1000)}`],
    },
  },
);

const memory = new Trend('memory_mb');
const growth = new Gauge('memory_growth');
const lag = new Trend('lag_ms', true);
const waiting = new Trend('waiting_rows');

export function setup() {
  for (const url of METRICS_URLS)
    if (http.get(url).status !== 200)
      throw new Error(
        `${url} shows no metrics: give -e METRICS_URL=<addresses, with commas>. ` +
          'A demo install shows them to its own machine only.',
      );
  return prepare();
}
export const teardown = settle;

let turn = 0;
/** @param {World} data */
export default function soak(data) {
  enter(data);
  step((turn += 1));
}

/** @param {World} data */
export function figures(data) {
  enter(data);
  const kept = [];
  for (const until = Date.now() + SECONDS * 1000; Date.now() < until; sleep(EVERY)) {
    const texts = METRICS_URLS.map((url) => http.get(url, { responseType: 'text' }))
      .filter(({ status }) => status === 200)
      .map(({ body }) => String(body));
    if (texts.length < METRICS_URLS.length) continue;
    const sum = (/** @type {string} */ name) => texts.reduce((all, text) => all + (sumOf(text, name) ?? 0), 0);
    const megabytes = sum('process_resident_memory_bytes') / 1e6;
    kept.push(megabytes);
    memory.add(megabytes);
    lag.add(Math.max(...texts.map((text) => (sumOf(text, 'nodejs_eventloop_lag_p99_seconds') ?? 0) * 1000)));
    waiting.add(sum('bourse_consumer_lag'));
  }
  growth.add(growthOf(kept));
}
