import {
  hasHiddenCharacters,
  LANGUAGES,
  REFERENCE_CURRENCIES,
  type ReferenceCurrency,
  normalizePassword,
  OPERATOR_PASSWORD_LENGTH,
  type Language,
} from '@bourse/contract';
import {
  Code,
  declare,
  Default,
  Field,
  Flag,
  flagReader,
  Given,
  GivenCode,
  givenReader,
  Means,
  Name,
  OneOf,
  PageOf,
  Reason,
  refuse,
  Refused,
  RowId,
  Text,
  type FieldOf,
  type FieldRule,
  type Page,
  type Reader,
} from '@bourse/platform';
import * as z from 'zod/mini';
import { APPROVAL_STATES, type ApprovalState } from '../../application/approvals/ports.js';
import { OPERATOR_ROLES, type OperatorRole } from '../../application/ports/operators.js';
import { PEOPLE_ROLES } from '../../application/ports/people.js';
import { FREEZE_SCOPES, RESETS } from '../../application/user-admin.js';
import { API_KEY_LIMITS, PERMISSIONS, readAddresses } from '../../application/api-key-access.js';
import type { NewPasskeyAnswer, PasskeyAnswer } from '../../application/ports/web-authn.js';
import { SCENES, type Scene } from '../../domain/code.js';

import { PASSKEY } from '../../domain/passkey.js';
import { fitsLength, fitsOperator, fitsOperatorSignIn, fitsSignIn, PASSWORD_LENGTH } from '../../domain/password.js';

/*
 * Fields of auth's calls (api §2.1, §2.12), each class in the order of rules §12. A field that is checked after a rule
 * over two fields (the name of an account and its pattern) is late, so that it is refused after that rule.
 */

const CODE_MAX = 16;
/** A code of any length up to this one is compared, and is wrong. */
const CODE_MAX_SENT = 1_000;
const PASSWORD_MAX = 100;
/** At least one character that is not blank. */
const NAMED = { max: 100, pattern: /\S/u } as const;

/** A text that is checked by one rule and refused with one key that names only the field. */
function checkedText<T extends string>(
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
const isThere = (text: string | undefined): text is string => text !== undefined;

/** The name of an account: an e-mail address or a phone number. */
const AccountText = (field: string): FieldOf<string> => Field(checkedText('set.enterAccount', isThere), { field });
const SentCode = (rule: FieldRule = {}): FieldOf<string> => Code('set.enterCode', { max: CODE_MAX_SENT, ...rule });
const LOGIN_PASSWORD = { minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max } as const;
/**
 * Normalizes a new password: keyboards send the same characters in different Unicode forms [CLIENT-200]. Only its
 * length is checked; blanks are kept.
 */
const chosenPassword = (reader: Reader<string>): Reader<string> => ({
  ...reader,
  read: (text, field) => reader.read(text === undefined ? undefined : normalizePassword(text), field),
});
const NewPassword = (rule: FieldRule = {}): FieldOf<string> =>
  Field(chosenPassword(checkedText('register.psw16', fitsLength, LOGIN_PASSWORD)), rule);
/** The repeated password. */
const RepeatedPassword = (rule: FieldRule = {}): FieldOf<string | undefined> =>
  Field({ ...givenReader(), read: (text) => (text === undefined ? undefined : normalizePassword(text)) }, rule);
/** A password to compare: in the form that was sent, because an old hash may be over that form. */
const SignInPassword = (): FieldOf<string> => Field(checkedText('login.psw6', fitsSignIn, LOGIN_PASSWORD));
const AreaCode = (): FieldOf<string | undefined> =>
  Given({ or: 'country_code', about: 'Digits after the plus, for a phone number' });
/** The purpose of a code; read from `type`, its name on older screens, if `scene` is absent. */
const SceneWord = (): FieldOf<Scene | undefined> => OneOf(SCENES, { or: 'type', optional: true, late: true });

/** The longest answer of a passkey as JSON text, with room for keys and extensions of any kind. */
const PASSKEY_ANSWER_MAX = 16_000;
const base64url = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/));
/** A credential id has at most 1023 bytes. */
const PASSKEY_ID_MAX = 1_364;
const credentialId = base64url.check(z.maxLength(PASSKEY_ID_MAX));
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };
const newPasskeyAnswer: z.ZodMiniType<NewPasskeyAnswer> = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(z.string()).check(z.maxLength(20))),
  }),
});
const passkeyAnswer: z.ZodMiniType<PasskeyAnswer> = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.nullish(z.string().check(z.maxLength(100))),
  }),
});
/** The answer of a browser to a challenge, as the JSON text of `PublicKeyCredential.toJSON()`. */
const answerReader = <T>(shape: z.ZodMiniType<T>): Reader<T> => ({
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
const Signed = (): FieldOf<PasskeyAnswer> => Field(answerReader(passkeyAnswer), { field: 'passkey' });
/** In place of the authenticator's code. */
const GivenPasskey = (): FieldOf<PasskeyAnswer | undefined> => Field(answerReader(passkeyAnswer), { optional: true });
const PasskeyLabel = (): FieldOf<string> => Name({ max: PASSKEY.label, pattern: /\S/u });

export class SignInBody {
  @AccountText('user_string') account!: string;
  @SignInPassword() password!: string;
  @AreaCode() areaCode?: string;
  @GivenCode({ about: 'Code of scene login, where it is demanded' }) smsCode?: string;
  @GivenCode({ about: 'Code of the authenticator, where one is on' }) totpCode?: string;
  @GivenPasskey() passkey?: PasskeyAnswer;
}
export class PasskeySignInBody {
  @Signed() answer!: PasskeyAnswer;
}
export class DeviceSignInBody {
  @AccountText('user_string') account!: string;
  @SentCode({ field: 'authorization_code' }) code!: string;
  @AreaCode() areaCode?: string;
  @GivenCode() totpCode?: string;
  @GivenPasskey() passkey?: PasskeyAnswer;
}
export class RegisterBody {
  @OneOf(['mobile', 'email']) type!: 'mobile' | 'email';
  @AccountText('user_string') account!: string;
  @AreaCode() areaCode?: string;
  @SentCode({ late: true }) code!: string;
  @NewPassword({ late: true }) password!: string;
  @RepeatedPassword({ field: 're_password' }) repeated?: string;
  @Given({ field: 'extension_code', about: 'Code of who invites' }) inviteCode?: string;
  @Name({ optional: true, max: 1_000 }) nationality?: string | undefined;
}
export class SendCodeBody {
  @AccountText('user_string') account!: string;
  @AreaCode() areaCode?: string;
  @SceneWord() scene?: Scene;
}
class CheckCodeBody {
  @Given({ field: 'user_string' }) account?: string;
  @AreaCode() areaCode?: string;
  @SceneWord() scene?: Scene;
}
export class CheckMobileBody extends CheckCodeBody {
  @SentCode({ field: 'mobile_code', or: 'code' }) code!: string;
}
export class CheckEmailBody extends CheckCodeBody {
  @SentCode({ field: 'email_code', or: 'code' }) code!: string;
}
export class ForgetBody {
  @AccountText('account') account!: string;
  @SentCode() code!: string;
  @NewPassword() password!: string;
  @AreaCode() areaCode?: string;
  @RepeatedPassword({ field: 'repassword' }) repeated?: string;
}

export class LanguageBody {
  @OneOf(LANGUAGES) lang!: Language;
}
export class CurrencyBody {
  @OneOf(REFERENCE_CURRENCIES) currency!: ReferenceCurrency;
}
export class FundPasswordBody {
  @RepeatedPassword({ about: '6 letters or digits' }) password?: string;
  @RepeatedPassword({ field: 're_password' }) repeated?: string;
  @GivenCode({ about: 'Code of scene fund' }) code?: string;
}
export class ConfirmPasswordBody {
  @Text({ max: PASSWORD_MAX, about: 'Password of the sign-in' }) password!: string;
  @GivenCode() totpCode?: string;
  @GivenPasskey() passkey?: PasskeyAnswer;
}
export class RevokeSessionBody {
  @Text({ max: 64 }) id!: string;
}

export class BindEmailBody {
  @Field(checkedText('email.required', isThere)) email!: string;
  @SentCode({ late: true }) code!: string;
}
export class BindMobileBody {
  @Text() mobile!: string;
  @AreaCode() areaCode?: string;
  @SentCode({ late: true }) code!: string;
}
export class TotpCodeBody {
  @Code({ max: CODE_MAX }) totpCode!: string;
}
export class DisableTotpBody extends TotpCodeBody {
  @Text({ max: PASSWORD_MAX }) password!: string;
}
export class EnablePasskeyBody {
  @PasskeyLabel() label!: string;
  @Field(answerReader(newPasskeyAnswer), { field: 'passkey' }) answer!: NewPasskeyAnswer;
}
export class RenamePasskeyBody {
  @Text({ max: PASSKEY_ID_MAX }) id!: string;
  @PasskeyLabel() label!: string;
}
export class DisablePasskeyBody {
  @Text({ max: PASSKEY_ID_MAX }) id!: string;
  @Text({ max: PASSWORD_MAX }) password!: string;
}
export class WordBody {
  @Name({ min: 4, max: 20, pattern: /^\S(?:.*\S)?$/u }) word!: string;
}
export class FreezeOwnBody {
  @Text({ max: PASSWORD_MAX }) password!: string;
}

export class IdentityBody {
  @Name('kyc.nameRequired', NAMED) name!: string;
  @Name('kyc.cardRequired', NAMED) cardId!: string;
  @Given({ about: 'Address of an upload of scene kyc' }) frontPic?: string;
  @Given({ about: 'Address of an upload of scene kyc' }) reversePic?: string;
  @Given({ about: 'Address of an upload of scene kyc' }) handPic?: string;
}
export class BankBody {
  @Name(NAMED) realName!: string;
  @Name(NAMED) bankNo!: string;
  @Name(NAMED) bankName!: string;
  @Name(NAMED) region!: string;
  @Name(NAMED) phone!: string;
}
/** Late: whether the fund password is set is checked first. */
export class PaymentBody {
  @Name('cash.realName', { ...NAMED, late: true }) realName!: string;
  @Name('cash.bankName', { ...NAMED, late: true }) bankName!: string;
  @Name('cash.bankAccount', { ...NAMED, late: true }) bankAccount!: string;
  @Name('cash.alipayAccount', { ...NAMED, late: true }) alipayAccount!: string;
  @Name('cash.wechatAccount', { ...NAMED, late: true }) wechatAccount!: string;
  @Name('cash.wechatNickname', { ...NAMED, late: true }) wechatNickname!: string;
  @Given({ about: 'Address of an upload of scene pay' }) alipayCollect?: string;
  @Given({ about: 'Address of an upload of scene pay' }) wechatCollect?: string;
  @Given({ about: 'Fund password; needed from the second save on' }) password?: string;
}
export class RegionUsersQuery {
  @PageOf(10) page!: Page;
}

export class NewApiKeyBody {
  @Name({ max: API_KEY_LIMITS.label, pattern: /\S/u }) label!: string;
  @OneOf(PERMISSIONS) permissions!: (typeof PERMISSIONS)[number];
  @Field({
    read(text, field) {
      const addresses = readAddresses(text ?? '');
      if (addresses === null) throw refuse('common.fieldInvalid', field);
      return addresses;
    },
    schema: { type: 'string', description: 'Addresses that may use the key, with commas between; none: any' },
    keys: [],
  })
  ips!: NonNullable<ReturnType<typeof readAddresses>>;
  @Given({ about: 'Fund password' }) password?: string;
}
export class DeleteApiKeyBody {
  @Text({ max: 64 }) key!: string;
  @Given({ about: 'Fund password' }) password?: string;
}

/** The password of an existing operator; blanks belong to it. */
const KnownPassword = (): FieldOf<string> => Field(checkedText('login.psw6', fitsOperatorSignIn));
const fresh = chosenPassword(
  checkedText('admin.passwordLength', fitsOperator, {
    params: OPERATOR_PASSWORD_LENGTH,
    minLength: OPERATOR_PASSWORD_LENGTH.min,
    maxLength: OPERATOR_PASSWORD_LENGTH.max,
  }),
);

export class OperatorSignInBody {
  @AccountText('username') username!: string;
  @KnownPassword() password!: string;
  @Field(fresh, { optional: true }) newPassword?: string;
  @GivenCode() totpCode?: string;
}
/** One or more roles, separated by commas. */
const roles: Reader<readonly OperatorRole[]> = {
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const words = text.split(',').map((word) => word.trim());
    if (text.length > 1_000 || words.some((word) => !(OPERATOR_ROLES as readonly string[]).includes(word)))
      throw refuse('common.fieldInvalid', field);
    return [...new Set(words)] as OperatorRole[];
  },
  schema: { type: 'string', pattern: `^(${OPERATOR_ROLES.join('|')})(,(${OPERATOR_ROLES.join('|')}))*$` },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
};
export class SaveOperatorBody {
  @Text({ pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/ }) username!: string;
  @Default(true, flagReader({})) active!: boolean;
  /** Late: when the operator is switched off, no other field counts. */
  @Field(fresh, { optional: true, late: true }) password?: string;
  @Field(roles, { late: true }) roles!: readonly OperatorRole[];
  /** The authenticator is lost: the approver is shown a new one. */
  @Default(false, flagReader({})) newTotp!: boolean;
  @Reason() reason!: string;
}
export class OperatorTotpSetupBody {
  @KnownPassword() password!: string;
  @GivenCode() totpCode?: string;
  @Reason() reason!: string;
}
export class OperatorTotpEnableBody extends TotpCodeBody {
  @Reason() reason!: string;
}
export class OperatorPasswordBody {
  @KnownPassword() password!: string;
  @Field(fresh) newPassword!: string;
  @GivenCode() totpCode?: string;
  @Reason() reason!: string;
}
export class ReasonBody {
  @Reason() reason!: string;
}

export class ApprovalListQuery {
  @OneOf(APPROVAL_STATES, { optional: true }) state?: ApprovalState;
  @PageOf(20) page!: Page;
}
export class DecideApprovalBody {
  @RowId('common.fieldInvalid', { min: 1 }) id!: number;
  @Reason() reason!: string;
}

export class PeopleQuery {
  @Text({ max: 100, optional: true }) keyword?: string;
  @OneOf(PEOPLE_ROLES, { optional: true }) role?: (typeof PEOPLE_ROLES)[number];
  @PageOf(20) page!: Page;
}
/** Ids of people with commas between, each once. */
const people: Reader<readonly number[]> = {
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const ids = text.split(',').map((id) => id.trim());
    if (ids.length > NAMED_MAX || ids.some((id) => !/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))))
      throw refuse('common.fieldInvalid', field);
    return [...new Set(ids.map(Number))];
  },
  schema: { type: 'string', pattern: '^[1-9]\\d{0,15}(,[1-9]\\d{0,15})*$' },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
};
const NAMED_MAX = 100;
export class NamedPeopleQuery {
  @Field(people) ids!: readonly number[];
}
export class FreezeBody {
  @RowId() userId!: number;
  @OneOf(FREEZE_SCOPES) scope!: (typeof FREEZE_SCOPES)[number];
  @Reason() reason!: string;
}
export class ResetBody {
  @RowId() userId!: number;
  @OneOf(RESETS) what!: (typeof RESETS)[number];
  @Reason() reason!: string;
}

/** `city` or `city/district`; an empty value removes the role, an absent one changes nothing. */
const Region = (): FieldOf<string | undefined> =>
  declare<string | undefined>((property) => ({
    property,
    parts: [{ name: 'region', schema: { type: 'string', pattern: REGION.source }, required: false }],
    late: false,
    keys: ['common.fieldInvalid'],
    read({ region }) {
      if (region !== undefined && (!REGION.test(region) || hasHiddenCharacters(region)))
        throw refuse('common.fieldInvalid', 'region');
      return region;
    },
  }));
const REGION = /^(?:[^/]{1,60}(?:\/[^/]{1,60})?)?$/u;
export class PeopleRoleBody {
  @RowId() userId!: number;
  @Flag({ optional: true }) isSeller?: boolean;
  @Flag({ optional: true }) isAcceptor?: boolean;
  @Region() region?: string;
  @Flag({ field: 'type', optional: true, about: 'Member of the points programme' }) inPoints?: boolean;
  @Reason() reason!: string;
}
export class PapersQuery {
  @Means({ 0: 0, 1: 1, 2: 2 } as const, { optional: true }) reviewStatus?: 0 | 1 | 2;
  @RowId({ min: 1, optional: true, about: 'Papers of one person alone' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class DecidePapersBody {
  @RowId() userId!: number;
  @Flag() pass!: boolean;
  @Reason() reason!: string;
}
