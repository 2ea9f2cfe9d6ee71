declare const unitsBrand: unique symbol;
/** An exact amount in smallest units of some scale; the scale is the currency's or the pair's and travels beside it. */
export type Units = bigint & { readonly [unitsBrand]: true };

/**
 * The grammar of amounts and prices from clients (api §1.6): no sign, exponent, grouping or leading zeros. At most 38
 * characters.
 */
export const DECIMAL_PATTERN = /^(0|[1-9]\d{0,17})(\.\d{1,18})?$/;

/** `notation`: a number with a sign or an exponent; `grammar`: any other text that is no amount. */
export type DecimalFault = 'grammar' | 'notation' | 'scale';
export type ParsedDecimal =
  | { readonly ok: true; readonly units: Units }
  | { readonly ok: false; readonly fault: DecimalFault };

/**
 * Reads client text into units of `scale`. The grammar is checked on the string before any conversion; more decimals
 * than the scale are refused and never rounded. Trailing zeros are no decimals.
 */
export function parseAmount(text: unknown, scale: number): ParsedDecimal {
  if (typeof text !== 'string' || text.length > 38 || !DECIMAL_PATTERN.test(text))
    return { ok: false, fault: typeof text === 'string' && NOTATION.test(text) ? 'notation' : 'grammar' };
  if (decimals(trimZeros(text)) > scale) return { ok: false, fault: 'scale' };
  return { ok: true, units: toUnits(text, scale) };
}

/**
 * Units of a decimal that our own code or database wrote (a sign is allowed, trailing zeros beyond the scale too).
 * @throws RangeError on anything else: stored money that cannot be read is a broken invariant, not bad input.
 */
export function toUnits(text: string, scale: number): Units {
  const match = STORED.exec(text);
  if (!match) throw new RangeError(`not a decimal: ${text}`);
  const fraction = match[3] ?? '';
  if (/[^0]/.test(fraction.slice(scale))) throw new RangeError(`${text} does not fit scale ${scale}`);
  const units = BigInt(match[2] + fraction.slice(0, scale).padEnd(scale, '0'));
  return (match[1] ? -units : units) as Units;
}

/** Decimal text at the full scale: `formatUnits(12300n, 4)` is `1.2300`. Never an exponent, never `-0`. */
export function formatUnits(units: bigint, scale: number): string {
  if (scale === 0) return units.toString();
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, '0');
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return negative ? `-${text}` : text;
}

/** The same number without trailing zeros, as book messages and proofs write it (api §4). */
export function trimZeros(text: string): string {
  if (!text.includes('.')) return text;
  const trimmed = text.replace(/0+$/, '').replace(/\.$/, '');
  return trimmed === '-0' ? '0' : trimmed;
}

/** Text of units without trailing zeros. */
export function formatTrimmed(units: bigint, scale: number): string {
  return trimZeros(formatUnits(units, scale));
}

/** Compares two decimal texts of any scale. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const scale = Math.max(decimals(a), decimals(b));
  const left = toUnits(a, scale);
  const right = toUnits(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Number of decimals written in a decimal text. */
export function decimals(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** A number that is written with a sign, an exponent or both. */
const NOTATION = /^(?:[+-]\d+(?:\.\d*)?|[+-]?\d+(?:\.\d*)?e[+-]?\d+)$/i;
const STORED = /^(-)?(\d+)(?:\.(\d+))?$/;
