import {
  LANGUAGES,
  PALETTES,
  REFERENCE_CURRENCIES,
  THEMES,
  TIME_ZONES,
  type Language,
  type Palette,
  type ReferenceCurrency,
  type Theme,
  type TimeZone,
} from '@bourse/contract';
import { Flag, GivenCode, OneOf, Text } from '@bourse/platform';
import type { PasskeyAnswer } from '../../shared/application/ports/web-authn.js';
import { PASSWORD_MAX, RepeatedPassword, GivenPasskey } from '../../shared/http/fields.js';

export class LanguageBody {
  @OneOf(LANGUAGES) lang!: Language;
}
export class CurrencyBody {
  @OneOf(REFERENCE_CURRENCIES) currency!: ReferenceCurrency;
}
/** Those that are given change. */
export class PreferencesBody {
  @OneOf(THEMES, { optional: true }) theme?: Theme;
  @OneOf(PALETTES, { optional: true, about: 'Colours of rise and fall' }) palette?: Palette;
  @OneOf(TIME_ZONES, { field: 'time_zone', optional: true }) timeZone?: TimeZone;
  @Flag({ field: 'ask_order', optional: true, about: 'Ask before a spot order' }) askOrder?: boolean;
  @Flag({ field: 'ask_position', optional: true, about: 'Ask before a position opens' }) askPosition?: boolean;
  @Flag({ field: 'ask_close', optional: true, about: 'Ask before a position closes' }) askClose?: boolean;
  @Flag({ optional: true, about: 'Sound of new messages' }) sound?: boolean;
  @Flag({ optional: true, about: 'Shortcuts of single keys' }) keys?: boolean;
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
