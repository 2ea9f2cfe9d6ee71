import { normalizePassword } from '@bourse/contract';
import {
  Code,
  Field,
  Given,
  givenReader,
  refuse,
  Refused,
  type FieldOf,
  type FieldRule,
  type Reader,
} from '@bourse/platform';
import * as z from 'zod/mini';
import type { PasskeyAnswer } from '../application/ports/web-authn.js';

/*
 * Kinds of fields that several products of auth declare. Their classes follow the order of rules §12: a field that is
 * checked after a rule over two fields (the name of an account and its pattern) is late.
 */

const CODE_MAX = 16;
/** A code of any length up to this one is compared, and is wrong. */
const CODE_MAX_SENT = 1_000;
export const PASSWORD_MAX = 100;
/** A text that is checked by one rule and refused with one key that names only the field. */
export function checkedText<T extends string>(
  key: string,
  fits: (text: string | undefined) => text is T,
  {
    params = {},
    ...bounds
  }: { params?: Readonly<Record<string, number>>; minLength?: number; maxLength?: number } = {},
): Reader<T> {
  return {
    read(text, field) {
      if (!fits(text)) throw new Refused(key, params, { field });
      return text;
    },
    schema: { type: 'string', ...bounds },
    keys: [key],
  };
}
export const isThere = (text: string | undefined): text is string => text !== undefined;
/** The name of an account: an e-mail address or a phone number. */
export const AccountText = (field: string): FieldOf<string> =>
  Field(checkedText('set.enterAccount', isThere), { field });
export const SentCode = (rule: FieldRule = {}): FieldOf<string> =>
  Code('set.enterCode', { max: CODE_MAX_SENT, ...rule });
/**
 * Normalizes a new password: keyboards send the same characters in different Unicode forms [CLIENT-200]. Only its
 * length is checked; blanks are kept.
 */
export const chosenPassword = (reader: Reader<string>): Reader<string> => ({
  ...reader,
  read: (text, field) => reader.read(text === undefined ? undefined : normalizePassword(text), field),
});
/** The repeated password. */
export const RepeatedPassword = (rule: FieldRule = {}): FieldOf<string | undefined> =>
  Field({ ...givenReader(), read: (text) => (text === undefined ? undefined : normalizePassword(text)) }, rule);
export const AreaCode = (): FieldOf<string | undefined> =>
  Given({ or: 'country_code', about: 'Digits after the plus, for a phone number' });
/** The longest answer of a passkey as JSON text, with room for keys and extensions of any kind. */
const PASSKEY_ANSWER_MAX = 16_000;
export const base64url = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/));
/** A credential id has at most 1023 bytes. */
export const PASSKEY_ID_MAX = 1_364;
const credentialId = base64url.check(z.maxLength(PASSKEY_ID_MAX));
export const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };
export const passkeyAnswer: z.ZodMiniType<PasskeyAnswer> = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.nullish(z.string().check(z.maxLength(100))),
  }),
});
/** The answer of a browser to a challenge, as the JSON text of `PublicKeyCredential.toJSON()`. */
export const answerReader = <T>(shape: z.ZodMiniType<T>): Reader<T> => ({
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const read = text.length <= PASSKEY_ANSWER_MAX ? shape.safeParse(jsonOf(text)) : undefined;
    if (!read?.success) throw refuse('common.fieldInvalid', field);
    return read.data;
  },
  schema: {
    type: 'string',
    maxLength: PASSKEY_ANSWER_MAX,
    description: 'Answer of the browser, the JSON text of PublicKeyCredential.toJSON()',
  },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
});
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
/** In place of the authenticator's code. */
export const GivenPasskey = (): FieldOf<PasskeyAnswer | undefined> =>
  Field(answerReader(passkeyAnswer), { optional: true });
export class TotpCodeBody {
  @Code({ max: CODE_MAX }) totpCode!: string;
}
