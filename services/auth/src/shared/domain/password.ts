import { normalizePassword, OPERATOR_PASSWORD_LENGTH } from '@bourse/contract';
import type { AccountName } from './account-name.js';

export const PASSWORD_LENGTH = { min: 6, max: 16 } as const;
const FUND_PASSWORD_LENGTH = 6;

/** Login passwords have 6 to 16 characters (rules §12), counted in their normalized form [CLIENT-200]. */
export const fitsLength = (password: string | undefined): password is string =>
  isBetween(password, PASSWORD_LENGTH.min, PASSWORD_LENGTH.max);

/** Whether a person may sign in with it: also a password whose length fits in the form in which it was sent. */
export const fitsSignIn = (password: string | undefined): password is string =>
  isBetweenInAnyForm(password, PASSWORD_LENGTH.min, PASSWORD_LENGTH.max);

/** New passwords of operators have 12 to 128 characters (api §2.12) [HARD-311]. */
export const fitsOperator = (password: string | undefined): password is string =>
  isBetween(password, OPERATOR_PASSWORD_LENGTH.min, OPERATOR_PASSWORD_LENGTH.max);

/** Whether an operator may sign in with it: also a password that was chosen before the rule. */
export const fitsOperatorSignIn = (password: string | undefined): password is string =>
  isBetweenInAnyForm(password, PASSWORD_LENGTH.min, OPERATOR_PASSWORD_LENGTH.max);

const isBetween = (password: string | undefined, min: number, max: number): password is string =>
  password !== undefined && lengthIn(normalizePassword(password), min, max);
/** In the normalized form, or in the form that was sent. */
const isBetweenInAnyForm = (password: string | undefined, min: number, max: number): password is string =>
  isBetween(password, min, max) || (password !== undefined && lengthIn(password, min, max));
function lengthIn(text: string, min: number, max: number): boolean {
  const { length } = [...text];
  return length >= min && length <= max;
}

/**
 * Whether an attacker would try this password first: one of the common ones, or the name of the account itself. Case is
 * ignored.
 */
export function isGuessable(password: string, name: AccountName, common: ReadonlySet<string>): boolean {
  const folded = password.toLowerCase();
  const own =
    name.kind === 'email'
      ? [name.address, name.address.split('@')[0] ?? '']
      : [name.address, `${name.areaCode}${name.address}`, `+${name.areaCode}${name.address}`];
  return common.has(folded) || own.includes(folded);
}

/** A fund password is exactly six letters or digits (rules §8.6). */
export function isFundPassword(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9]{6}$/.test(text);
}

/**
 * All parts of a login password that could be fund passwords. Their hashes are stored beside the password's, because a
 * fund password must not be part of the login password (rules §8.6), which is unknown when the fund password is set.
 */
export function fundPasswordsInside(password: string): readonly string[] {
  const parts = new Set<string>();
  for (let start = 0; start + FUND_PASSWORD_LENGTH <= password.length; start += 1) {
    const part = password.slice(start, start + FUND_PASSWORD_LENGTH);
    if (isFundPassword(part)) parts.add(part);
  }
  return [...parts];
}
