import {
  DESK_LAYOUT,
  FAVOURITES_MAX,
  LANGUAGES,
  PALETTES,
  REFERENCE_CURRENCIES,
  THEMES,
  TIME_ZONES,
  type Language,
  type Palette,
  type Preferences,
  type ReferenceCurrency,
  type Theme,
  type TimeZone,
} from '@bourse/contract';
import { Field, GivenCode, Means, OneOf, refuse, Text, textsReader, type Reader } from '@bourse/platform';
import type { PasskeyAnswer } from '../../shared/application/ports/web-authn.js';
import { PASSWORD_MAX, RepeatedPassword, GivenPasskey } from '../../shared/http/fields.js';

export class LanguageBody {
  @OneOf(LANGUAGES) lang!: Language;
}
export class CurrencyBody {
  @OneOf(REFERENCE_CURRENCIES) currency!: ReferenceCurrency;
}
/** A preference that is 0 or 1 on the wire and in the database. */
const Switch = (about: string) => Means({ 0: 0, 1: 1 } as const, { optional: true, about });
/** The layout of one trading screen. */
const Layout = (screen: string) =>
  Text({ max: 60, pattern: DESK_LAYOUT, optional: true, about: `Layout of the ${screen} screen` });
const SYMBOL = /^[\w-]{1,20}\/[\w-]{1,20}$/;
const symbols = textsReader({ max: FAVOURITES_MAX });
const symbolsReader: Reader<string[]> = {
  ...symbols,
  read(text, field) {
    const list = symbols.read(text, field);
    if (!list.every((symbol) => SYMBOL.test(symbol))) throw refuse('common.fieldInvalid', field);
    return [...list];
  },
};
/** Preferences to change, under the names of the contract; omitted ones stay as they are. */
export class PreferencesBody implements Preferences {
  @OneOf(THEMES, { optional: true }) theme?: Theme;
  @OneOf(PALETTES, { optional: true, about: 'Colours of rise and fall' }) palette?: Palette;
  @OneOf(TIME_ZONES, { optional: true }) time_zone?: TimeZone;
  @Switch('Ask before a spot order') ask_order?: 0 | 1;
  @Switch('Ask before a position opens') ask_position?: 0 | 1;
  @Switch('Ask before a position closes') ask_close?: 0 | 1;
  @Switch('Sound of new messages') sound?: 0 | 1;
  @Switch('Shortcuts of single keys') keys?: 0 | 1;
  @Field(symbolsReader, { optional: true, about: 'Favourite pairs by their symbols; [] for none' })
  favourites?: string[];
  @Layout('spot') spot_layout?: string;
  @Layout('leverage') lever_layout?: string;
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
