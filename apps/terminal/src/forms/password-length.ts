import { normalizePassword } from '@bourse/contract';

/** Login passwords have 6 to 16 characters (rules §12), counted in their normalized form as the exchange does. */
const LENGTH = { min: 6, max: 16 } as const;
const lengthOf = (password: string): number => [...normalizePassword(password)].length;

export const isTooShort = (password: string): boolean => lengthOf(password) < LENGTH.min;
export const hasPasswordLength = (password: string): boolean =>
  !isTooShort(password) && lengthOf(password) <= LENGTH.max;

/** Whether two fields hold one password, in whatever form the keyboard wrote each [CLIENT-200]. */
export const isSamePassword = (one: string, other: string): boolean =>
  normalizePassword(one) === normalizePassword(other);

/** A typed password as it is, or its first characters where there are more than `max` in the normalized form. */
export const atMostCharacters = (password: string, max: number): string =>
  lengthOf(password) <= max ? password : [...normalizePassword(password)].slice(0, max).join('');
