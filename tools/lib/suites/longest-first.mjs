import { statSync } from 'node:fs';

/** Files that start whole exchanges, kill them and start them again: each takes a minute or two. */
const WHOLE = /\/apps\/exchange\//;

/**
 * Runs files that take minutes first: as the last one, such a file would keep one core busy while the other is idle.
 * Within either kind the larger file runs first, independent of the times of the last run.
 */
export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => [WHOLE.test(path) ? 0 : 1, -statSync(path).size];
    return tests
      .map((test) => ({ test, order: rank(test) }))
      .sort(({ order: one }, { order: other }) => one[0] - other[0] || one[1] - other[1])
      .map(({ test }) => test);
  }
  cacheResults() {}
}
