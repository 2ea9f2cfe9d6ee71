// Outcomes of the calls of the load. Latencies are those of calls that the exchange has processed: a call refused by a
// rate limit or a halt returns at once, and would make a run of refusals look fast.
import { Counter, Rate, Trend } from 'k6/metrics';
import { check } from 'k6';
import { isLimited, isTakenUp, outcomeOf } from './outcome.js';

const turnedAway = new Rate('turned_away');
const turnedAwayMs = new Trend('turned_away_ms', true);
const limited = new Counter('rate_limited');
const unavailable = new Counter('unavailable');

/**
 * Counts a call of the load and returns its outcome. A call without a final answer counts with its waiting time.
 * @param {import('k6/http').RefinedResponse<'text'>} response
 * @param {import('k6/metrics').Trend | undefined} trend of its latency
 * @param {string} what `an order`: it must have a final answer
 */
export function judge(response, trend, what) {
  const outcome = outcomeOf(response);
  const isAway = !isTakenUp(response);
  turnedAway.add(isAway);
  if (isAway) {
    turnedAwayMs.add(response.timings.duration);
    (isLimited(response) ? limited : unavailable).add(1);
    return outcome;
  }
  trend?.add(response.timings.duration);
  check(response, { [`${what} has a final answer`]: () => outcome !== 'unknown' });
  return outcome;
}
