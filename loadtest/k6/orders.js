// Order flow. SHAPE: `most` (as fast as VUS connections go), `rate` (RATE a second), `bursts` (each second 200 ms of twice RATE, then quiet), `fill` (COUNT resting orders).
import { sleep } from 'k6';
import exec from 'k6/execution';
import { commonOptions, handleSummary as summary, markets, personOf, rest, sizeIn, step } from './flow.js';

const VUS = Number(__ENV.VUS);
const duration = `${__ENV.SECONDS}s`;
const SHAPES = {
  most: () => ({ executor: 'constant-vus', vus: VUS, duration, gracefulStop: '10s' }),
  rate: () => ({ executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', duration, preAllocatedVUs: VUS, maxVUs: VUS * 4, gracefulStop: '10s' }),
  bursts: () => ({ executor: 'constant-vus', vus: VUS, duration, gracefulStop: '10s', exec: 'burst' }),
  fill: () => ({ executor: 'shared-iterations', vus: VUS, iterations: Number(__ENV.COUNT), maxDuration: '20m', exec: 'fill' }),
};
export const options = { ...commonOptions, scenarios: { flow: SHAPES[__ENV.SHAPE]() } };

let turn = 0;
export default function flow() { step((turn += 1)); }

/** All virtual users wake at the full second and send what they can for 200 ms. */
export function burst() {
  sleep((1000 - (Date.now() % 1000)) / 1000);
  const until = Date.now() + 200;
  while (Date.now() < until) step((turn += 1));
}

export function fill() {
  const at = exec.scenario.iterationInTest;
  const market = markets[at % markets.length];
  rest(personOf((turn += 1)), market, at % 2 === 0 ? 1 : 2, sizeIn(market));
}

export const handleSummary = summary;
