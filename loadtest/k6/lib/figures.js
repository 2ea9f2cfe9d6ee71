// Figures of a process in the text form of Prometheus. Nothing of k6 is used here.

/**
 * The sum of a metric over all its labels; nothing where it is absent.
 * @param {string} text
 * @param {string} name
 */
export function sumOf(text, name) {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.length === 0
    ? undefined
    : lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/**
 * By how much the mean of the second half of some values is above that of the second quarter, as a share; 0 for fewer
 * than four values.
 * @param {number[]} values
 */
export function growthOf(values) {
  if (values.length < 4) return 0;
  const half = Math.floor(values.length / 2);
  const mean = (/** @type {number[]} */ some) => some.reduce((sum, value) => sum + value, 0) / some.length;
  // A process that warms up does not grow: the first quarter of the run is left out.
  const warm = values.slice(Math.floor(values.length / 4), half);
  return mean(values.slice(half)) / mean(warm) - 1;
}
