import { zonedDate } from './time-zone.js';

export { latinDigits } from './latin-digits.js';
export { isDateText } from './date-text.js';
export { showTimesInUtc, zonedDate, zonedMillis } from './time-zone.js';

/**
 * Numbers as screens show them, made by slicing the server's decimal text: every digit stays what it was, and market
 * numbers look alike in all languages (`1,234.56`, Latin digits). Shown figures are cut, never rounded up: a balance
 * must not look larger than it is.
 */

/** The text for an unknown number. */
export const NO_NUMBER = '–';

/** Cuts or pads the decimals of a text to exactly `digits`. `fixed('56637.5', 4)` is `56637.5000`. */
export function fixed(text: string, digits: number): string {
  if (!isDecimal(text)) return NO_NUMBER;
  const point = text.indexOf('.');
  const whole = point < 0 ? text : text.slice(0, point);
  const fraction = point < 0 ? '' : text.slice(point + 1);
  if (digits === 0) return noMinusZero(whole);
  return noMinusZero(`${whole}.${fraction.slice(0, digits).padEnd(digits, '0')}`);
}

/** At most `digits` decimals, without zeros at the end. */
export function atMost(text: string, digits: number): string {
  const cut = fixed(text, digits);
  return cut.includes('.') ? cut.replace(/0+$/, '').replace(/\.$/, '') : cut;
}

/** Puts commas between thousands of the whole part. */
export function grouped(text: string): string {
  const point = text.indexOf('.');
  const whole = point < 0 ? text : text.slice(0, point);
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',') + (point < 0 ? '' : text.slice(point));
}

/** A price of recorded ticks: the pair's decimals and all further ones, because these can decide a contract. */
export function formatTickPrice(text: string, priceScale: number): string {
  const own = atMost(text, 18);
  return grouped(fixed(text, Math.max(Math.min(8, priceScale), own.includes('.') ? own.split('.')[1]!.length : 0)));
}

/** A price of a pair, the same on every desk: the pair's decimals, at most 8. */
export function formatBookPrice(text: string, priceScale: number): string {
  return grouped(fixed(text, Math.min(8, priceScale)));
}

/** An amount: 4 decimals; a smaller one keeps the pair's decimals, so that it does not look like zero. */
export function formatAmount(text: string, numberScale = 4): string {
  const four = fixed(text, 4);
  if (numberScale > 4 && /^-?0\.0000$/.test(four) && /[1-9]/.test(text)) return fixed(text, numberScale);
  return grouped(four);
}

/** A turnover or a volume of a day: two decimals; below 1 as many as its first three digits need. */
export const formatTurnover = (text: string): string =>
  grouped(fixed(text, /^0\.\d*[1-9]/.test(text) ? leadingZeros(text) + 3 : 2));

/**
 * A figure in at most `room` characters: as many of its decimals as fit, at most `scale`; beyond that thousands,
 * millions or billions with two decimals, cut: `formatFitting('35122.4281', 4, 8)` is `35,122.4`, at 6 it is `35.12K`.
 * One that `scale` decimals would show as nothing takes the decimals of its first digits, whatever room there is.
 */
export function formatFitting(text: string, scale: number, room: number): string {
  if (!isDecimal(text)) return NO_NUMBER;
  if (/[1-9]/.test(text) && !/[1-9]/.test(fixed(text, scale)))
    return atMost(text, Math.max(room - 2, leadingZeros(text) + 1));
  for (let digits = scale; digits >= 0; digits -= 1) {
    const shown = grouped(fixed(text, digits));
    // A small figure must not look like zero: it takes the room for its first digits.
    if (shown.length <= room && (digits === 0 || /[1-9]/.test(shown) || !/[1-9]/.test(text))) return shown;
  }
  const whole = text.split('.')[0] ?? '';
  for (const [zeros, unit] of [
    [3, 'K'],
    [6, 'M'],
    [9, 'B'],
    [12, 'T'],
  ] as const) {
    const moved = `${whole.slice(0, -zeros) || '0'}.${whole.slice(-zeros).padStart(zeros, '0')}`;
    const shown = `${grouped(fixed(moved, 2))}${unit}`;
    if (shown.length <= room) return shown;
  }
  return grouped(whole);
}

/** A balance or a converted value: 8 decimals. */
export function formatBalance(text: string): string {
  return grouped(fixed(text, 8));
}

/** A change in percent with its sign: `+2.41%`, `-0.40%`, `0.00%`. */
export function formatChange(text: string): string {
  const shown = fixed(text, 2);
  if (shown === NO_NUMBER) return shown;
  return `${directionOf(text) > 0 ? '+' : ''}${shown}%`;
}

/** -1, 0 or 1: the sign of a decimal text, for colour and arrow. */
export function directionOf(text: string): -1 | 0 | 1 {
  if (!/[1-9]/.test(text)) return 0;
  return text.startsWith('-') ? -1 : 1;
}

/** ▲, ▼ or nothing: colour alone never shows a direction. */
export function arrowOf(text: string): string {
  const direction = directionOf(text);
  return direction > 0 ? '▲' : direction < 0 ? '▼' : '';
}

/** Hides the middle four digits of a phone number, and most of the name of an e-mail address. */
export function masked(account: string): string {
  const at = account.indexOf('@');
  if (at > 0) return `${account.slice(0, Math.min(3, at))}****${account.slice(at)}`;
  if (account.length < 7) return account;
  const start = Math.floor((account.length - 4) / 2);
  return `${account.slice(0, start)}****${account.slice(start + 4)}`;
}

/** Milliseconds of a server time text (`YYYY-MM-DD HH:mm:ss`, UTC), or undefined for an empty one. */
export function timeOf(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(text);
  return match ? Date.parse(`${match[1]}T${match[2]}Z`) : undefined;
}

/** A number of a clock or a date in two digits: `7` is `07`. */
export const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DD HH:mm:ss` in the reader's zone; the same shape in all languages so that columns stay aligned. */
export const localTime = (ms: number): string => zonedDate(ms).toISOString().slice(0, 19).replace('T', ' ');

/** `HH:mm:ss` in the reader's zone. */
export const clockTime = (ms: number): string => localTime(ms).slice(11);

/** First and last six characters of an address or hash. */
export function shortAddress(address: string): string {
  return address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;
}

/** Zeros between the point and the first digit of a text below 1. */
const leadingZeros = (text: string): number => /\.(0*)/.exec(text)?.[1]?.length ?? 0;
const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);
const noMinusZero = (text: string): string => (text.startsWith('-') && !/[1-9]/.test(text) ? text.slice(1) : text);
