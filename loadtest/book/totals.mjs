/**
 * Compares a peer's totals with those of the reference: `equal` and `differ` name totals, `untold` those that the peer
 * does not give.
 */
export function compareTotals(expected, got) {
  const names = Object.keys(expected);
  const told = names.filter((name) => got?.[name] !== undefined && got[name] !== null);
  return {
    equal: told.filter((name) => got[name] === expected[name]),
    differ: told
      .filter((name) => got[name] !== expected[name])
      .map((name) => ({ name, expected: expected[name], got: got[name] })),
    untold: names.filter((name) => !told.includes(name)),
  };
}

/** Smallest and middle value of a series; of an even number the upper middle. */
export function minimumAndMedian(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { minimum: sorted[0], median: sorted[sorted.length >> 1] };
}
