// Parts common to all scenarios: options with thresholds, the reconciliation afterwards, and the summary.
import { Counter } from 'k6/metrics';
import exec from 'k6/execution';
import { REASONS } from './outcome.js';
import { arrivals } from './pace.js';
import { ratesOf } from './ramp.js';
import { HEADS, INSTANCES, number, P99, provideVus, SECONDS, UNDER_HARNESS, VUS } from './settings.js';
import { textOf } from './summary.js';

/** A turn that has begun may end within this. */
const GRACE_SECONDS = number('GRACE', 10);
/** The reconciliation asks about every order, as patiently as limits want it. */
const RECONCILE_MAX = '30m';

/**
 * How long the preparation and the final check may take: sign-ins are limited to a few a minute, and a new user needs
 * five.
 */
const PREPARE_SECONDS = 600;
const PREPARE_SECONDS_EACH = 20;

export { P99 };

export const duration = `${SECONDS}s`;
export const gracefulStop = `${GRACE_SECONDS}s`;
/** As fast as the connections go. */
export const most = () => ({ executor: 'constant-vus', vus: VUS, duration, gracefulStop });
/**
 * So many turns a second, however long answers take.
 * @param {number} rate
 */
export function steady(rate) {
  provideVus(rate);
  return {
    executor: 'constant-arrival-rate',
    ...arrivals(rate),
    duration,
    // The users of the load are those of the reconciliation: outside the harness there are no others to be missed.
    preAllocatedVUs: VUS,
    maxVUs: UNDER_HARNESS ? VUS * 4 : VUS,
    gracefulStop,
  };
}

/** Rates of SHAPE=ramp; none otherwise. */
const RATES = __ENV.SHAPE === 'ramp' ? ratesOf(number('FROM', 10), number('TO', 100), number('STEP', 10)) : [];
const STEP_SECONDS = number('STEP_SECONDS', 20);
const RAMP_EXECUTOR = 'ramping-arrival-rate';
/** From FROM to TO turns a second, each rate for STEP_SECONDS. */
export function ramp() {
  provideVus(RATES[RATES.length - 1]);
  return {
    executor: RAMP_EXECUTOR,
    startRate: RATES[0],
    timeUnit: '1s',
    stages: RATES.flatMap((target) => [
      { target, duration: '0s' },
      { target, duration: `${STEP_SECONDS}s` },
    ]),
    preAllocatedVUs: VUS,
    maxVUs: VUS,
    gracefulStop,
  };
}

const begun = new Counter('turns_begun');
/** Tags the figures of a turn of a ramp with the present rate; called at the beginning of each turn. */
export function markStep() {
  const { tags } = exec.vu.metrics;
  delete tags.step;
  const running = RATES.length === 0 ? undefined : exec.test.options.scenarios?.[exec.scenario.name];
  if (running?.executor !== RAMP_EXECUTOR) return;
  const at = Math.floor((Date.now() - exec.scenario.startTime) / (STEP_SECONDS * 1000));
  tags.step = String(RATES[Math.min(at, RATES.length - 1)]);
  begun.add(1);
}

/**
 * RATE turns a second, or so many where it says nothing; with SHAPE=most, and under the harness, as fast as the
 * connections go.
 * @param {number} fallback
 */
export function paced(fallback) {
  const shape = __ENV.SHAPE || (UNDER_HARNESS ? 'most' : 'rate');
  if (shape === 'ramp') return ramp();
  if (shape !== 'most' && shape !== 'rate') throw new Error('SHAPE is one of rate, most, ramp');
  return shape === 'most' ? most() : steady(number('RATE', fallback));
}

/** The least share of orders that must be accepted: where most are refused, the run measures refusals. */
export const ACCEPTED = [`rate>=${number('ACCEPTED', 0.8)}`];
/** The largest share of calls that rates and halts may turn away, and of turns that may not begin. */
const TURNED_AWAY = number('TURNED_AWAY', 0.05);
const DROPPED = number('DROPPED', 0.05);
/** Required success rate: all calls but those refused by limits, and one in a hundred. */
export const ALMOST_ALL = [`rate>=${Math.max(0, 0.99 - TURNED_AWAY).toFixed(3)}`];

/**
 * How many turns may be dropped: a share of those that have their time.
 * @param {Record<string, any>} scenarios
 * @returns {Record<string, string[]>}
 */
function droppable(scenarios) {
  const planned = Object.values(scenarios)
    .filter(({ executor }) => executor === 'constant-arrival-rate')
    .reduce((sum, { rate, timeUnit }) => sum + (rate * SECONDS) / (timeUnit === '1m' ? 60 : 1) / INSTANCES, 0);
  return planned === 0 ? {} : { dropped_iterations: [`count<=${Math.floor(planned * DROPPED)}`] };
}

/**
 * The thresholds of each step of a ramp. A summary has a part of a metric only if a threshold names it; the run fails
 * where not even the first rate was held.
 * @param {string} trend
 */
const rampThresholds = (trend) =>
  Object.fromEntries(
    RATES.flatMap((rate, at) => [
      [`${trend}{step:${rate}}`, [at === 0 ? `p(99)<${P99}` : 'max>=0']],
      [`turns_begun{step:${rate}}`, ['count>=0']],
      [`turned_away{step:${rate}}`, ['rate>=0']],
    ]),
  );
/** Thresholds that a ramp crosses by its purpose: it finds the rate at which they are crossed. */
const CROSSED_BY_RAMP = /^(?:\w+_ms|checks|turned_away|dropped_iterations|orders_accepted|reads_ok)$/;

/** Thresholds that always hold: k6 counts a reason in the summary only if a threshold names it. */
const reasons = () => Object.fromEntries(REASONS.map((reason) => [`orders_refused{reason:${reason}}`, ['count>=0']]));

/**
 * Options of a scenario. Outside the harness every virtual user reconciles when the load is over, and thresholds decide
 * whether the run has failed.
 * @param {Record<string, object>} scenarios
 * @param {{ thresholds?: Record<string, string[]>, vus?: number, seconds?: number, reconciles?: boolean }} [more]
 *   `vus`: of all scenarios together; `seconds`: until the last one ends
 */
export function optionsOf(
  scenarios,
  { thresholds = {}, vus = VUS, seconds = Math.max(SECONDS, RATES.length * STEP_SECONDS), reconciles = true } = {},
) {
  const common = {
    summaryTrendStats: ['min', 'med', 'p(95)', 'p(99)', 'max', 'count'],
    systemTags: ['status', 'scenario', 'name', 'check', 'error_code'],
    discardResponseBodies: false,
    setupTimeout: `${PREPARE_SECONDS + HEADS * PREPARE_SECONDS_EACH}s`,
    teardownTimeout: `${PREPARE_SECONDS + HEADS * PREPARE_SECONDS_EACH}s`,
  };
  if (UNDER_HARNESS) return { ...common, scenarios };
  /** @type {Record<string, string[]>} */
  const always = {
    checks: [`rate>=${number('CHECKS', 0.99)}`],
    turned_away: [`rate<=${TURNED_AWAY}`],
    ...droppable(scenarios),
  };
  if (RATES.length > 0) rampTrend = Object.keys(thresholds).find((name) => name.endsWith('_ms'));
  if (!reconciles) return { ...common, scenarios, thresholds: replaceByRamp({ ...always, ...thresholds }) };
  return {
    ...common,
    scenarios: {
      ...scenarios,
      // The same virtual users again, each with its own answers: it starts when none of them can be busy.
      reconcile: {
        executor: 'per-vu-iterations',
        vus,
        iterations: 1,
        startTime: `${seconds + GRACE_SECONDS + 1}s`,
        maxDuration: RECONCILE_MAX,
        exec: 'reconcile',
      },
    },
    thresholds: replaceByRamp({
      ...always,
      ...(thresholds.orders_accepted && reasons()),
      unreconciled: ['count==0'],
      compared_users: [`count==${vus / INSTANCES}`],
      compared_people: [`count==${HEADS}`],
      ...thresholds,
    }),
  };
}

/**
 * The trend by which each step of a ramp is judged, the first that has a threshold; nothing without a ramp.
 * @type {string | undefined}
 */
let rampTrend;
/**
 * The thresholds of a run; a ramp replaces those that it crosses by those of its steps.
 * @param {Record<string, string[]>} all
 */
function replaceByRamp(all) {
  if (rampTrend === undefined) return all;
  const kept = Object.entries(all).filter(([name]) => !CROSSED_BY_RAMP.test(name));
  return { ...Object.fromEntries(kept), ...rampThresholds(rampTrend) };
}

/**
 * Prints the figures and whether the run has passed; writes them as JSON to the file `SUMMARY` if it is set.
 * @param {any} data
 */
export function handleSummary(data) {
  const file = __ENV.SUMMARY;
  const json = JSON.stringify(data.metrics);
  const ramp =
    rampTrend === undefined
      ? undefined
      : {
          trend: rampTrend,
          turns: Object.fromEntries(RATES.map((rate) => [rate, (rate * STEP_SECONDS) / INSTANCES])),
          limits: { p99Ms: P99, dropped: DROPPED, turnedAway: TURNED_AWAY },
        };
  return UNDER_HARNESS ? { [file]: json } : { stdout: textOf(data, ramp), ...(file ? { [file]: json } : {}) };
}
