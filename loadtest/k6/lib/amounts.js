// Amounts as whole units: money is added and compared to the last digit, never as a float.

/** More digits behind the point than any amount of the exchange has. */
const SCALE = 18;

/**
 * Units of 10^-18 of a decimal text.
 * @param {string} text
 */
export function units(text) {
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  const amount = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return text.startsWith('-') ? -amount : amount;
}

/**
 * Decimal text of a whole number of 10^-scale.
 * @param {number} count
 * @param {number} scale
 */
export function decimal(count, scale) {
  const text = String(count).padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/**
 * A price in ticks: the digits of its text, cut or filled to the scale.
 * @param {string} price
 * @param {number} scale
 */
export function ticksOf(price, scale) {
  const [whole, fraction = ''] = price.split('.');
  return Number(whole + fraction.padEnd(scale, '0').slice(0, scale));
}
