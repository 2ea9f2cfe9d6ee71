/**
 * Test files run as they were given. Jest would put first what failed or took long the last time: what two files do to
 * one exchange would depend on what a machine remembers.
 */
export default class InOrder {
  sort(tests) {
    return [...tests];
  }
  cacheResults() {}
}
