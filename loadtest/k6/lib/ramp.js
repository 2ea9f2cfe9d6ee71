// SHAPE=ramp: rates that rise by steps, and the highest of them that was held. Nothing of k6 is used here.

/** Fewer answers than these have no 99th percentile. */
export const SAMPLES_OF_P99 = 100;
const TOO_FEW = 'too few answers for a percentile';

/**
 * The figures of a step.
 * @typedef {{ rate: number, begun: number, samples: number, p99: number, turnedAway: number }} Step `begun`: the share
 *   of its turns that began; `turnedAway`: the share of its calls that a rate or a halt has turned away
 * @typedef {{ p99Ms: number, dropped: number, turnedAway: number }} Limits
 */

/**
 * The rates of a ramp.
 * @param {number} from
 * @param {number} to
 * @param {number} step
 */
export function ratesOf(from, to, step) {
  if (!(from >= 1 && to >= from && step >= 1)) throw new Error('FROM, TO and STEP are rates: 1 ≤ FROM ≤ TO, STEP ≥ 1');
  const rates = [];
  for (let rate = from; rate <= to; rate += step) rates.push(rate);
  return rates;
}

/**
 * Why a step was not held; nothing where it was.
 * @param {Step} step
 * @param {Limits} limits
 */
function reasonAgainst({ begun, samples, p99, turnedAway }, limits) {
  if (begun < 1 - limits.dropped) return 'turns could not begin';
  if (turnedAway > limits.turnedAway) return 'calls were turned away';
  if (samples < SAMPLES_OF_P99) return TOO_FEW;
  if (p99 >= limits.p99Ms) return 'answers took longer';
  return undefined;
}

/**
 * The result of a ramp as lines: its steps, and the last one before the first that was not held.
 * @param {Step[]} steps
 * @param {Limits} limits
 * @returns {string[]}
 */
export function describeRamp(steps, limits) {
  const judged = steps.map((step) => ({ ...step, reason: reasonAgainst(step, limits) }));
  const lines = judged.map(({ rate, begun, samples, p99, turnedAway, reason }) => {
    const time = samples < SAMPLES_OF_P99 ? '-' : `${Math.round(p99)} ms`;
    return (
      `  ${`${rate}/s`.padEnd(8)} ${percent(begun)} begun, p(99) ${time} of ${samples}, ` +
      `${percent(turnedAway)} turned away: ${reason ?? 'held'}`
    );
  });
  const first = judged.findIndex(({ reason }) => reason !== undefined);
  const held = first === -1 ? judged.at(-1) : judged[first - 1];
  const goal = `p(99)<${limits.p99Ms}`;
  const advice = judged[0]?.reason === TOO_FEW ? 'give longer STEP_SECONDS' : 'begin with a lower FROM';
  if (!held) return [...lines, '', `No rate held ${goal}: ${advice}.`];
  return [
    ...lines,
    '',
    `Highest rate that held ${goal}: ${held.rate} a second (p(99) ${Math.round(held.p99)} ms of ${held.samples}).` +
      (first === -1 ? ' All did: give a higher TO.' : ''),
  ];
}

/** @param {number} share */
const percent = (share) => `${Math.round(share * 1000) / 10} %`;
