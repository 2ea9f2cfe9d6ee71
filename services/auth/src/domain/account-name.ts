/** What people write to name an account (rules §12): an e-mail address, or a mobile number with its area code. */
export type AccountName =
  | { readonly kind: 'email'; readonly key: string; readonly address: string }
  | { readonly kind: 'mobile'; readonly key: string; readonly address: string; readonly areaCode: string };

export const ACCOUNT_NAME_LENGTH_MAX = 64;
/** Area code of a number that was given without one: the first of the country list. */
export const DEFAULT_AREA_CODE = '1';

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/;
/**
 * One mailbox and nothing else, in every reading: a dot-atom of RFC 5321 before the `@`, host labels after it, all of
 * it ASCII. No quotes, commas, brackets, semicolons or colons, which mail programs read as lists and groups; no marks
 * that nobody sees.
 */
const MAILBOX =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const MOBILE = /^\d{5,15}$/;
const AREA_CODE = /^\d{1,6}$/;

/** Whether mail to this text goes to one mailbox. Accounts that are older than this rule may have another. */
export const isMailbox = (address: string): boolean => MAILBOX.test(address);

/** Reads an e-mail address; null when it is none. Letters are folded: `A@x.org` and `a@x.org` are one account. */
export function readEmail(text: string): AccountName | null {
  const name = readWrittenEmail(text);
  return name && isMailbox(name.address) ? name : null;
}

/**
 * Reads what names an existing account by e-mail, by the pattern of rules §12 alone: older accounts may have names that
 * are no mailbox.
 */
export function readWrittenEmail(text: string): AccountName | null {
  if (text.length > ACCOUNT_NAME_LENGTH_MAX || !EMAIL.test(text)) return null;
  const address = text.toLowerCase();
  return { kind: 'email', key: `email:${address}`, address };
}

/**
 * Reads a mobile number of 5 to 15 digits; null when it is none. `areaCode` are the digits after the plus, which may
 * stand before them.
 */
export function readMobile(text: string, areaCode = ''): AccountName | null {
  const area = areaCode === '' ? DEFAULT_AREA_CODE : areaCode.replace(/^\+/, '');
  if (!MOBILE.test(text) || !AREA_CODE.test(area)) return null;
  return { kind: 'mobile', key: `mobile:+${area} ${text}`, address: text, areaCode: area };
}

/** Who signs in: e-mail by its pattern, anything else is a mobile number (rules §12). */
export function readAccountName(text: string, areaCode?: string): AccountName | null {
  return readWrittenEmail(text) ?? readMobile(text, areaCode);
}

/** The names of a person's contacts as they are stored, e-mail first. */
export function namesOf(person: {
  readonly email: string;
  readonly phone: string;
  readonly areaCode: string;
}): readonly AccountName[] {
  const email = person.email === '' ? null : readWrittenEmail(person.email);
  const mobile = person.phone === '' ? null : readMobile(person.phone, person.areaCode);
  return [email, mobile].filter((name) => name !== null);
}
