// What runs compute from figures and lists. Nothing of k6 is used here.

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

/**
 * A sentence for each name that two orders have. An order that a page repeats, because the list moved on, is one.
 * @param {{ id: string, client_order_id: string }[]} orders
 * @returns {string[]}
 */
export function doubleNames(orders) {
  const ids = new Map();
  const doubled = new Set();
  for (const { id, client_order_id: name } of orders)
    if ((ids.get(name) ?? id) === id) ids.set(name, id);
    else doubled.add(name);
  return [...doubled].map((name) => `two orders are called ${name}`);
}
