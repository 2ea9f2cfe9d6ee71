/** An unsigned JSON number: nodes write small amounts with an exponent. */
const NUMBER = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;
const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * Smallest units of an amount that a node wrote, exactly; null if it is not an amount, or finer than the chain's unit.
 */
export function nodeAmount(text: unknown, scale: number): bigint | null {
  const found = typeof text === 'string' ? NUMBER.exec(text) : null;
  if (!found) return null;
  const [, whole = '', fraction = '', exponent = '0'] = found;
  const digits = BigInt(whole + fraction);
  const power = scale - fraction.length + Number(exponent);
  // An exponent has up to three digits: more than the scales that `pow10` supports.
  const factor = 10n ** BigInt(Math.abs(power));
  if (power >= 0) return digits * factor;
  return digits % factor === 0n ? digits / factor : null;
}

/** A whole number of smallest units from an account chain: hexadecimal, from some nodes a number. */
export const nodeQuantity = (text: unknown): bigint | null =>
  typeof text === 'string' && HEX.test(text) ? BigInt(text) : nodeAmount(text, 0);
