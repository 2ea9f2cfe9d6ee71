import type { ReferenceCurrency, ReferenceRate } from '@bourse/contract';
import { formatUnits, multiply, toUnits } from '@bourse/money';
import { atMost, fixed, grouped } from '@bourse/ui';

/** Scale of intermediate values: that of the finest price. */
const SCALE = 18;
const DECIMALS: Readonly<Partial<Record<ReferenceCurrency, number>>> = { JPY: 0, BTC: 8 };
const CENTS = 2;
const AMOUNT = /^-?\d+(\.\d{1,18})?$/;
/** Marks of direction in the patterns of right-to-left languages; figures are isolated from their text anyway. */
const MARKS = /[\u200e\u200f\u061c]/g;

/** Product of two amounts as decimal text, cut at 18 decimals; empty when either is not known. */
export function times(amount: string, price: string): string {
  if (!AMOUNT.test(amount) || !AMOUNT.test(price)) return '';
  return formatUnits(multiply(toUnits(amount, SCALE), SCALE, toUnits(price, SCALE), SCALE, SCALE, 'down'), SCALE);
}

/**
 * A value in USDT as text in the reference currency: the symbol and its place are those of the language, the digits
 * those of every figure of the terminal. Cut, and never shown as nothing when it is not. Empty when it is not known.
 */
export function formatWorth(usdt: string, rate: Pick<ReferenceRate, 'code' | 'per_usdt'>, language: string): string {
  const value = times(usdt, rate.per_usdt);
  if (value === '') return '';
  const minus = value.startsWith('-') && /[1-9]/.test(value) ? '-' : '';
  const digits = digitsOf(value.replace('-', ''), DECIMALS[rate.code] ?? CENTS);
  if (rate.code === 'BTC') return `${minus}${digits} BTC`;
  const [before, after] = symbolOf(rate.code, language);
  return `${minus}${before}${digits}${after}`;
}

function digitsOf(value: string, scale: number): string {
  const cut = fixed(value, scale);
  if (/[1-9]/.test(cut) || !/[1-9]/.test(value)) return grouped(cut);
  const zeros = /\.(0*)/.exec(value)?.[1]?.length ?? 0;
  return atMost(value, zeros + 2);
}

/** The text before and after the digits. The language decides the symbol: CN¥ or ¥, US$ or $. */
function symbolOf(code: ReferenceCurrency, language: string): readonly [before: string, after: string] {
  const parts = new Intl.NumberFormat(language, { style: 'currency', currency: code }).formatToParts(1);
  const isDigits = ({ type }: Intl.NumberFormatPart): boolean => ['integer', 'decimal', 'fraction'].includes(type);
  const first = parts.findIndex(isDigits);
  const last = parts.findLastIndex(isDigits);
  const text = (some: readonly Intl.NumberFormatPart[]): string =>
    some.map(({ value }) => value.replace(MARKS, '')).join('');
  return [text(parts.slice(0, first)), text(parts.slice(last + 1))];
}
