import { statSync } from 'node:fs';

/** Files that start whole exchanges, kill them and start them again: each takes a minute or two. */
const WHOLE = /\/apps\/exchange\//;

/**
 * What takes minutes begins first: the last of these files would have one core to itself while the other has nothing to
 * do. Within either kind the larger file goes first, and what a machine remembers of its last run changes nothing.
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
