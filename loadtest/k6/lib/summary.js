// The summary of a run: every figure with its thresholds, whether the run has passed, and if not, the reason in words.
// Nothing of k6 is used here.
import { describeRamp, SAMPLES_OF_P99 } from './ramp.js';

/**
 * @typedef {{ type: string, contains: string, values: Record<string, number>,
 *   thresholds?: Record<string, { ok: boolean }> }} Metric
 * @typedef {{ metrics: Record<string, Metric>, state: { testRunDurationMs: number } }} Ended
 */

/** Metrics of k6 itself that say nothing about the exchange. */
const NOT_OWN = /^(http_|data_|iteration|vus|group_|ws_|dropped)/;
/** Figures of a trend, and how many values each needs: of fewer a percentile is one of the largest values. */
const TREND = [
  { name: 'med', least: 0 },
  { name: 'p(95)', least: 20 },
  { name: 'p(99)', least: SAMPLES_OF_P99 },
  { name: 'max', least: 0 },
];
const TOO_FEW = 'too few for a percentile';
const REASON = /^orders_refused\{reason:(.*)\}$/;
const LIMITED =
  'An exchange takes 20 orders a second from a person and 100 calls a second from an address, times its RATE_SCALE: make the load slower (RATE, or VUS with SHAPE=most), send from more machines, or raise RATE_SCALE of an install under test.';
const UNAVAILABLE =
  'With 503 nothing was done: look whether a part of the exchange is away or a market halted; where all is well, the load is more than it takes in time.';

/**
 * Reasons why a run has failed, by the metric whose threshold is crossed, for the end of a log.
 * @type {Record<string, (metrics: Record<string, Metric>) => string>}
 */
const WHY = {
  turned_away: (metrics) =>
    [
      `${percent(metrics.turned_away)} of the calls were turned away: ${count(metrics.rate_limited)} by a rate (429), ${count(metrics.unavailable)} because something was away or halted (503).`,
      ...(count(metrics.rate_limited) > 0 ? [LIMITED] : []),
      ...(count(metrics.unavailable) > 0 ? [UNAVAILABLE] : []),
    ].join(' '),
  orders_accepted: (metrics) =>
    `Only ${percent(metrics.orders_accepted)} of the orders were accepted (${reasons(metrics)}). What such a run measures is how fast an exchange refuses.`,
  dropped_iterations: (metrics) =>
    `${count(metrics.dropped_iterations)} turns could not begin, because every virtual user was waiting for an answer: the rate was not reached. The exchange, or this machine, is slower than the run asks; give more VUS only if answers are slow by distance.`,
  unreconciled: (metrics) =>
    `${count(metrics.unreconciled)} times the exchange does not have what it told its clients: see NOT RECONCILED above. Each is a defect; please report it.`,
  compared_users: (metrics) =>
    `Only ${count(metrics.compared_users)} virtual users came to the end of their reconciliation: what was not compared proves nothing.`,
  compared_people: (metrics) =>
    `Only ${count(metrics.compared_people)} people were looked at in the end: what was not compared proves nothing.`,
  sockets_subscribed: (metrics) =>
    `Only ${count(metrics.sockets_subscribed)} sockets were let in. An address has 20, times RATE_SCALE of the exchange.`,
  checks: (metrics) =>
    `${percent(metrics.checks, true)} of the checks failed: answers were missing, late or not final.`,
  wrong_reads: (metrics) => `${count(metrics.wrong_reads)} answers contradict themselves: see WRONG above.`,
};

/** @param {Metric | undefined} metric */
const count = (metric) => metric?.values.count ?? 0;
/**
 * @param {Metric | undefined} metric
 * @param {boolean} [rest] the share that is missing to the whole
 */
const percent = (metric, rest = false) => {
  const rate = metric?.values.rate ?? 0;
  return `${round((rest ? 1 - rate : rate) * 100)} %`;
};
/** @param {number} value */
const round = (value) => String(Math.round(value * 100) / 100);

/**
 * Why orders were refused, most frequent first.
 * @param {Record<string, Metric>} metrics
 */
function reasons(metrics) {
  const found = Object.entries(metrics).flatMap(([name, metric]) => {
    const reason = REASON.exec(name)?.[1];
    return reason !== undefined && count(metric) > 0 ? [{ reason, times: count(metric) }] : [];
  });
  const told = found.sort((a, b) => b.times - a.times).map(({ reason, times }) => `${reason} ${times}`);
  const unknown = count(metrics.orders_unknown);
  if (unknown > 0) told.push(`without a final answer ${unknown}`);
  return told.length === 0 ? 'none was sent' : `refused: ${told.join(', ')}`;
}

/**
 * `turns`: how many each rate has.
 * @typedef {{ trend: string, turns: Record<string, number>, limits: import('./ramp.js').Limits }} Ramp
 */

/**
 * The steps of a ramp as they were measured.
 * @param {Record<string, Metric>} metrics
 * @param {Ramp} ramp
 */
const stepsOf = (metrics, { trend, turns }) =>
  Object.entries(turns).map(([rate, planned]) => {
    /** @type {Record<string, number>} */
    const values = metrics[`${trend}{step:${rate}}`]?.values ?? {};
    return {
      rate: Number(rate),
      begun: count(metrics[`turns_begun{step:${rate}}`]) / planned,
      samples: values.count ?? 0,
      p99: values['p(99)'] ?? 0,
      turnedAway: metrics[`turned_away{step:${rate}}`]?.values.rate ?? 0,
    };
  });

/**
 * The summary as text.
 * @param {Ended} ended
 * @param {Ramp} [ramp]
 */
export function textOf({ metrics, state }, ramp) {
  if (metrics.http_reqs && count(metrics.iterations) === 0)
    return '\nFAILED: the run did not begin; the reason stands above.\n';
  const lines = [];
  const failed = [];
  const why = [];
  for (const name of Object.keys(metrics).sort()) {
    const { type, contains, values, thresholds = {} } = metrics[name];
    if (name.includes('{')) {
      if (Object.values(thresholds).some(({ ok }) => !ok)) failed.push('the first rate was not held');
      continue;
    }
    const judged = Object.entries(thresholds).map(([text, { ok }]) => ({ ok, text: `${ok ? '✓' : '✗'} ${text}` }));
    const crossed = judged.filter(({ ok }) => !ok);
    for (const { text } of crossed) failed.push(`${name} ${text.slice(2)}`);
    if (crossed.length > 0 && WHY[name]) why.push(WHY[name](metrics));
    if (NOT_OWN.test(name) && judged.length === 0) continue;
    const told = judged.map(({ text }) => text).join('  ');
    lines.push(`  ${name.padEnd(20)} ${figure(type, contains, values).padEnd(58)} ${told}`.trimEnd());
  }
  if (count(metrics.orders_refused) > 0) lines.push('', `  Orders ${reasons(metrics)}.`);
  if (ramp) lines.push('', ...describeRamp(stepsOf(metrics, ramp), ramp.limits));
  const seconds = Math.round(state.testRunDurationMs / 1000);
  const reconciled = count(metrics.unreconciled) > 0 ? 'NOT RECONCILED' : undefined;
  const verdict =
    failed.length === 0
      ? 'PASSED: every threshold holds.'
      : `FAILED: ${[reconciled, ...failed].filter(Boolean).join('; ')}`;
  const sentences = why.map((sentence) => `  ${sentence}\n`).join('');
  return `\n${lines.join('\n')}\n\n${verdict} (${seconds} s with preparation and reconciliation)\n${sentences}`;
}

/**
 * @param {string} type
 * @param {string} contains
 * @param {Record<string, number>} values
 */
function figure(type, contains, values) {
  const unit = contains === 'time' ? ' ms' : '';
  if (type === 'trend') {
    const samples = values.count ?? Infinity;
    const shown = TREND.filter(({ least }) => samples >= least).map(
      ({ name }) => `${name} ${round(values[name] ?? 0)}${unit}`,
    );
    return shown.length === TREND.length ? shown.join(', ') : `${shown.join(', ')} (${samples}: ${TOO_FEW})`;
  }
  if (type === 'rate') return `${round((values.rate ?? 0) * 100)} % of ${(values.passes ?? 0) + (values.fails ?? 0)}`;
  if (type === 'counter') return round(values.count);
  return round(values.value);
}
