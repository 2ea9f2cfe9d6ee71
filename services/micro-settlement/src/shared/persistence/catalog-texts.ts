import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, toUnits, type Units } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { AMOUNT_SCALE } from '../application/amounts.js';

/** Selects a numeric column as text without trailing zeros. */
export const text = (name: string): string => `trim_scale(${name})::text as ${name}`;

/** The text of a percentage that was given, or the stored one. */
export const percentText = (value: Units | undefined, before: string): string =>
  value === undefined ? before : formatTrimmed(value, PERCENT_SCALE);
/** The text of an amount that was given, or the stored one. */
export const moneyText = (value: Units | undefined, before: string): string =>
  value === undefined ? before : formatTrimmed(value, AMOUNT_SCALE);

interface Range {
  readonly min: readonly [field: string, given: Units | undefined, stored: string];
  readonly max: readonly [field: string, given: Units | undefined, stored: string];
}
/** Refuses a change after which the least amount exceeds the most: nobody could take anything then. */
export function requireRange({ min, max }: Range): void {
  const [[minField, newMin, oldMin], [maxField, newMax, oldMax]] = [min, max];
  if (newMin === undefined && newMax === undefined) return;
  if ((newMin ?? toUnits(oldMin, AMOUNT_SCALE)) <= (newMax ?? toUnits(oldMax, AMOUNT_SCALE))) return;
  const field = newMax === undefined ? minField : maxField;
  throw new Refused('common.fieldInvalid', { field }, { field });
}
