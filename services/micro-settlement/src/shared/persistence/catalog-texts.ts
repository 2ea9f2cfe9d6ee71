import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, type Units } from '@bourse/money';
import { AMOUNT_SCALE } from '../application/amounts.js';

/** Selects a numeric column as text without trailing zeros. */
export const text = (name: string): string => `trim_scale(${name})::text as ${name}`;

/** The text of a percentage that was given, or the stored one. */
export const percentText = (value: Units | undefined, before: string): string =>
  value === undefined ? before : formatTrimmed(value, PERCENT_SCALE);
/** The text of an amount that was given, or the stored one. */
export const moneyText = (value: Units | undefined, before: string): string =>
  value === undefined ? before : formatTrimmed(value, AMOUNT_SCALE);
