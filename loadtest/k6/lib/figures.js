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
 * By how much the second half of some values is above the first, as a share; 0 for fewer than four.
 * @param {number[]} values
 */
export function growthOf(values) {
  if (values.length < 4) return 0;
  const half = Math.floor(values.length / 2);
  const mean = (/** @type {number[]} */ some) => some.reduce((sum, value) => sum + value, 0) / some.length;
  // What a process takes while it warms up is no growth: the first quarter of the run is left out.
  const warm = values.slice(Math.floor(values.length / 4), half);
  return mean(values.slice(half)) / mean(warm) - 1;
}
