// What each scenario has in common: its options with thresholds, the reconciliation behind it, and its summary.
import { HEADS, number, SECONDS, UNDER_HARNESS, VUS } from './settings.js';

/** A turn that has begun may end within this. */
const GRACE_SECONDS = number('GRACE', 10);
/** The reconciliation asks about every order, as patiently as limits want it. */
const RECONCILE_MAX = '30m';

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
  rate,
  timeUnit: '1s',
  duration,
  // The users of the load are those of the reconciliation: outside the harness there are no others that could be missed.
  preAllocatedVUs: VUS,
  maxVUs: UNDER_HARNESS ? VUS * 4 : VUS,
  gracefulStop,
});

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
    setupTimeout: '10m',
    teardownTimeout: '10m',
  };
  if (UNDER_HARNESS) return { ...common, scenarios };
  const checks = [`rate>=${number('CHECKS', 0.99)}`];
  if (!reconciles) return { ...common, scenarios, thresholds: { checks, ...thresholds } };
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
      checks,
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

/** @param {any} data */
function textOf({ metrics, state }) {
  const lines = [];
  const failed = [];
  for (const name of Object.keys(metrics).sort()) {
    const { type, contains, values, thresholds = {} } = metrics[name];
    if (name.includes('{')) continue;
    const judged = Object.entries(thresholds).map(([text, { ok }]) => `${ok ? '✓' : '✗'} ${text}`);
    for (const one of judged) if (one.startsWith('✗')) failed.push(`${name} ${one.slice(2)}`);
    const own = !/^(http_|data_|iteration|vus|group_|ws_|dropped)/.test(name);
    if (!own && judged.length === 0) continue;
    lines.push(`  ${name.padEnd(20)} ${figure(type, contains, values).padEnd(58)} ${judged.join('  ')}`.trimEnd());
  }
  const seconds = Math.round(state.testRunDurationMs / 1000);
  const reconciled = metrics.unreconciled?.values.count > 0 ? 'NOT RECONCILED' : undefined;
  const verdict =
    failed.length === 0
      ? 'PASSED: every threshold holds.'
      : `FAILED: ${[reconciled, ...failed].filter(Boolean).join('; ')}`;
  return `\n${lines.join('\n')}\n\n${verdict} (${seconds} s with preparation and reconciliation)\n`;
}

/**
 * @param {string} type
 * @param {string} contains
 * @param {Record<string, number>} values
 */
function figure(type, contains, values) {
  const unit = contains === 'time' ? ' ms' : '';
  /** @param {number} value */
  const round = (value) => String(Math.round(value * 100) / 100);
  if (type === 'trend')
    return ['med', 'p(95)', 'p(99)', 'max'].map((name) => `${name} ${round(values[name] ?? 0)}${unit}`).join(', ');
  if (type === 'rate') return `${round((values.rate ?? 0) * 100)} % of ${(values.passes ?? 0) + (values.fails ?? 0)}`;
  if (type === 'counter') return round(values.count);
  return round(values.value);
}
