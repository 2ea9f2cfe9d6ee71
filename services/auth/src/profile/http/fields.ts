import { LANGUAGES, REFERENCE_CURRENCIES, type ReferenceCurrency, type Language } from '@bourse/contract';
import { GivenCode, OneOf, Text } from '@bourse/platform';
import type { PasskeyAnswer } from '../../shared/application/ports/web-authn.js';
import { PASSWORD_MAX, RepeatedPassword, GivenPasskey } from '../../shared/http/fields.js';

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
