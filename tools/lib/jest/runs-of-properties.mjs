// How many cases a property test draws, and from which seed [TEST-005].

/** fast-check's own number of cases. */
const RUNS = 100;
/** The least number of cases in the full run. */
const FULL_RUNS_MIN = 1_000;
/** A property that asks for fewer cases than this drives a database: the full run multiplies its number instead. */
const CHEAP_RUNS_MIN = 30;
const FULL_RUNS_FACTOR = 10;

/** The seed of the day of the run: other cases every day, the same ones with the same `TEST_DAY`. */
export const readSeed = ({ TEST_DAY }) => (TEST_DAY === undefined ? undefined : Number(TEST_DAY));

/** The number of cases of a property with these parameters. A replayed counterexample (`path`) keeps its own. */
export function countRuns({ numRuns = RUNS, path } = {}, { TEST_FULL } = {}) {
  if (!TEST_FULL || path !== undefined) return numRuns;
  return numRuns < CHEAP_RUNS_MIN ? numRuns * FULL_RUNS_FACTOR : Math.max(numRuns, FULL_RUNS_MIN);
}
