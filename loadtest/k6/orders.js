// Order flow. SHAPE: `most` (as fast as VUS connections go), `rate` (RATE a second), `bursts` (each second 200 ms of twice RATE, then quiet), `fill` (COUNT resting orders),
// `trades` (RATE trades a second: an order that rests in the middle, and one that takes it).
import { sleep } from 'k6';
import exec from 'k6/execution';
import { commonOptions, handleSummary as summary, markets, personOf, place, rest, sizeIn, step } from './flow.js';

const VUS = Number(__ENV.VUS);
const duration = `${__ENV.SECONDS}s`;
const SHAPES = {
  most: () => ({ executor: 'constant-vus', vus: VUS, duration, gracefulStop: '10s' }),
  rate: () => ({
    executor: 'constant-arrival-rate',
    rate: Number(__ENV.RATE),
    timeUnit: '1s',
    duration,
    preAllocatedVUs: VUS,
    maxVUs: VUS * 4,
    gracefulStop: '10s',
  }),
  bursts: () => ({ executor: 'constant-vus', vus: VUS, duration, gracefulStop: '10s', exec: 'burst' }),
  fill: () => ({
    executor: 'shared-iterations',
    vus: VUS,
    iterations: Number(__ENV.COUNT),
    maxDuration: '20m',
    exec: 'fill',
  }),
  trades: () => ({
    executor: 'constant-arrival-rate',
    rate: Number(__ENV.RATE),
    timeUnit: '1s',
    duration,
    preAllocatedVUs: VUS,
    maxVUs: VUS * 4,
    gracefulStop: '10s',
    exec: 'trade',
  }),
};
export const options = { ...commonOptions, scenarios: { flow: SHAPES[__ENV.SHAPE]() } };

let turn = 0;
export default function flow() {
  step((turn += 1));
}

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

/** Two people trade with each other. */
export function trade() {
  const [market] = markets;
  turn += 1;
  place(personOf(turn), market, 2, 'limit', market.mid, market.lots);
  place(personOf(turn + 1), market, 1, 'limit', market.mid, market.lots);
}

export const handleSummary = summary;
