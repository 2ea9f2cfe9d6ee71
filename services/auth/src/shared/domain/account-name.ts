import { domainToASCII, domainToUnicode } from 'node:url';
import { hasHiddenCharacters } from '@bourse/contract';
import { e164Of } from './phone-number.js';

/**
 * The name of an account (rules §12): an e-mail address, or a mobile number with its area code. `key` is the same for
 * all spellings of one mailbox or telephone: made of the IDNA form of the domain, or of the E.164 form of the number.
 * `typedKey` is made of the name as typed: older accounts that share a `key` sign in by it.
 */
export type AccountName =
  | { readonly kind: 'email'; readonly key: string; readonly typedKey: string; readonly address: string }
  | {
      readonly kind: 'mobile';
      readonly key: string;
      readonly typedKey: string;
      readonly address: string;
      readonly areaCode: string;
    };

const ACCOUNT_NAME_LENGTH_MAX = 64;
/** Area code of a number without one: the first of the country list. */
const DEFAULT_AREA_CODE = '1';

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/;
/**
 * One mailbox and nothing else, in every reading: a dot-atom of RFC 5321 before the `@`, host labels after it, all of
 * it ASCII. No quotes, commas, brackets, semicolons or colons, which mail programs read as lists and groups; no
 * invisible characters.
 */
const MAILBOX =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const ASCII = /^[\x20-\x7e]*$/;
const MOBILE = /^\d{5,15}$/;
const AREA_CODE = /^\d{1,6}$/;

/** Whether mail to this text goes to exactly one mailbox. Accounts older than this rule may have other names. */
export const isMailbox = (address: string): boolean => MAILBOX.test(address);

/**
 * Reads an e-mail address; null when it is invalid. Letters are folded: `A@x.org` and `a@x.org` are one account. A
 * domain may be written in any script and is kept in its own; `@bücher.example` and `@xn--bcher-kva.example` are one
 * account [CLIENT-205].
 */
export function readEmail(text: string): AccountName | null {
  const name = readWrittenEmail(text);
  if (name === null || !isMailbox(mailboxOf(name.address)) || hasHiddenCharacters(name.address)) return null;
  const [local = '', domain = ''] = name.address.split('@');
  return ASCII.test(domain) ? name : emailName(`${local}@${domainToUnicode(domainToASCII(domain))}`);
}

/**
 * Reads the e-mail name of an existing account, by the pattern of rules §12 alone: older accounts may have names that
 * are no mailbox.
 */
export function readWrittenEmail(text: string): AccountName | null {
  return text.length > ACCOUNT_NAME_LENGTH_MAX || !EMAIL.test(text) ? null : emailName(text.toLowerCase());
}

const emailName = (address: string): AccountName => ({
  kind: 'email',
  key: `email:${mailboxOf(address)}`,
  typedKey: `email:${address}`,
  address,
});

/** The address with the IDNA form of its domain, as mail servers know it; unchanged if the domain has no such form. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (ASCII.test(domain)) return address;
  const ascii = domainToASCII(domain);
  return ascii === '' ? address : `${address.slice(0, at)}@${ascii}`;
}

/**
 * Reads a mobile number of 5 to 15 digits that is possible for its area code; null when it is invalid. `areaCode` are
 * the digits after the plus, which may precede them [CLIENT-201].
 */
export function readMobile(text: string, areaCode?: string): AccountName | null {
  const name = readWrittenMobile(text, areaCode);
  return name && name.key !== name.typedKey ? name : null;
}

/** Reads the telephone name of an existing account: older accounts may have impossible numbers. */
export function readWrittenMobile(text: string, areaCode = ''): AccountName | null {
  const area = areaCode === '' ? DEFAULT_AREA_CODE : areaCode.replace(/^\+/, '');
  if (!MOBILE.test(text) || !AREA_CODE.test(area)) return null;
  const number = e164Of(text, area);
  const typedKey = `mobile:+${area} ${text}`;
  return {
    kind: 'mobile',
    key: number === null ? typedKey : `mobile:${number}`,
    typedKey,
    address: text,
    areaCode: area,
  };
}

/** The number that a short message is sent to: its E.164 form, or the number as typed if it has none. */
export const dialledOf = ({ key, typedKey, address, areaCode }: AccountName & { readonly kind: 'mobile' }): string =>
  key === typedKey ? `+${areaCode}${address}` : key.slice('mobile:'.length);

/** The name at a sign-in: e-mail by its pattern, anything else is a mobile number (rules §12). */
export function readAccountName(text: string, areaCode?: string): AccountName | null {
  return readWrittenEmail(text) ?? readWrittenMobile(text, areaCode);
}

/**
 * The key under which tries with a typed text are counted: one for all spellings of a name, as for an account that has
 * it, so that a lock does not tell whether there is one. A text that is no name has a key that no name has.
 */
export const keyOfTyped = (name: AccountName | null, text: string): string => name?.key ?? `none:${text.toLowerCase()}`;

/** The names of a person's contacts as they are stored, e-mail first. */
export function namesOf(person: {
  readonly email: string;
  readonly phone: string;
  readonly areaCode: string;
}): readonly AccountName[] {
  const email = person.email === '' ? null : readWrittenEmail(person.email);
  const mobile = person.phone === '' ? null : readWrittenMobile(person.phone, person.areaCode);
  return [email, mobile].filter((name) => name !== null);
}
