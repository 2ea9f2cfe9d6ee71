// What each scenario has in common: its options with thresholds, the reconciliation behind it, and its summary.
import { REASONS } from './outcome.js';
import { arrivals } from './pace.js';
import { HEADS, number, SECONDS, UNDER_HARNESS, VUS } from './settings.js';
import { textOf } from './summary.js';

/** A turn that has begun may end within this. */
const GRACE_SECONDS = number('GRACE', 10);
/** The reconciliation asks about every order, as patiently as limits want it. */
const RECONCILE_MAX = '30m';

/** How long the preparation and the last look may take: sign-ins are few a minute, and a new person needs five. */
const PREPARE_SECONDS = 600;
const PREPARE_SECONDS_EACH = 20;

export const duration = `${SECONDS}s`;
export const gracefulStop = `${GRACE_SECONDS}s`;
/** As fast as the connections go. */
export const most = () => ({ executor: 'constant-vus', vus: VUS, duration, gracefulStop });
/**
 * So many turns a second, however long answers take.
 * @param {number} rate
 */
export const steady = (rate) => ({
  executor: 'constant-arrival-rate',
  ...arrivals(rate),
  duration,
  // The users of the load are those of the reconciliation: outside the harness there are no others that could be missed.
  preAllocatedVUs: VUS,
  maxVUs: UNDER_HARNESS ? VUS * 4 : VUS,
  gracefulStop,
});

/**
 * RATE turns a second, or so many where it says nothing; with SHAPE=most, and under the harness, as fast as the
 * connections go.
 * @param {number} fallback
 */
export function paced(fallback) {
  const shape = __ENV.SHAPE || (UNDER_HARNESS ? 'most' : 'rate');
  if (shape !== 'most' && shape !== 'rate') throw new Error('SHAPE is one of rate, most');
  return shape === 'most' ? most() : steady(number('RATE', fallback));
}

/** The least share of orders that must be accepted: where most are refused, the run measures refusals. */
export const ACCEPTED = [`rate>=${number('ACCEPTED', 0.8)}`];
/** The largest share of calls that rates and halts may turn away, and of turns that may not begin. */
const TURNED_AWAY = number('TURNED_AWAY', 0.05);
const DROPPED = number('DROPPED', 0.05);
/** What must succeed but for what is turned away, and for one in a hundred. */
export const ALMOST_ALL = [`rate>=${Math.max(0, 0.99 - TURNED_AWAY).toFixed(3)}`];

/**
 * How many turns may be dropped: a share of those that have their time.
 * @param {Record<string, any>} scenarios
 */
function droppable(scenarios) {
  const planned = Object.values(scenarios)
    .filter(({ executor }) => executor === 'constant-arrival-rate')
    .reduce((sum, { rate, timeUnit }) => sum + (rate * SECONDS) / (timeUnit === '1m' ? 60 : 1), 0);
  return planned === 0 ? {} : { dropped_iterations: [`count<=${Math.floor(planned * DROPPED)}`] };
}

/** Thresholds that always hold: k6 tells a summary how often each reason was given only if one asks for it. */
const reasons = () => Object.fromEntries(REASONS.map((reason) => [`orders_refused{reason:${reason}}`, ['count>=0']]));

/**
 * Options of a scenario. Outside the harness every virtual user reconciles when the load is over, and thresholds decide
 * whether the run has failed.
 * @param {Record<string, object>} scenarios
 * @param {{ thresholds?: Record<string, string[]>, vus?: number, seconds?: number, reconciles?: boolean }} [more]
 *   `vus`: of all scenarios together; `seconds`: until the last one ends
 */
export function optionsOf(scenarios, { thresholds = {}, vus = VUS, seconds = SECONDS, reconciles = true } = {}) {
  const common = {
    summaryTrendStats: ['min', 'med', 'p(95)', 'p(99)', 'max', 'count'],
    systemTags: ['status', 'scenario', 'name', 'check', 'error_code'],
    discardResponseBodies: false,
    setupTimeout: `${PREPARE_SECONDS + HEADS * PREPARE_SECONDS_EACH}s`,
    teardownTimeout: `${PREPARE_SECONDS + HEADS * PREPARE_SECONDS_EACH}s`,
  };
  if (UNDER_HARNESS) return { ...common, scenarios };
  const always = {
    checks: [`rate>=${number('CHECKS', 0.99)}`],
    turned_away: [`rate<=${TURNED_AWAY}`],
    ...droppable(scenarios),
  };
  if (!reconciles) return { ...common, scenarios, thresholds: { ...always, ...thresholds } };
  return {
    ...common,
    scenarios: {
      ...scenarios,
      // The same virtual users once more, each with what it was told: it starts when none of them can be busy.
      reconcile: {
        executor: 'per-vu-iterations',
        vus,
        iterations: 1,
        startTime: `${seconds + GRACE_SECONDS + 1}s`,
        maxDuration: RECONCILE_MAX,
        exec: 'reconcile',
      },
    },
    thresholds: {
      ...always,
      ...(thresholds.orders_accepted && reasons()),
      unreconciled: ['count==0'],
      compared_users: [`count==${vus}`],
      compared_people: [`count==${HEADS}`],
      ...thresholds,
    },
  };
}

/** The longest that 99 % of answers may take unless `P99` says another, ms. */
export const P99 = number('P99', 1000);

/**
 * Prints what was measured and whether the run has passed; writes `SUMMARY`, where that is named, as JSON.
 * @param {any} data
 */
export function handleSummary(data) {
  const file = __ENV.SUMMARY;
  const json = JSON.stringify(data.metrics);
  return UNDER_HARNESS ? { [file]: json } : { stdout: textOf(data), ...(file ? { [file]: json } : {}) };
}
