import { createRequire } from 'node:module';
import type { Country } from '@bourse/contract';
import type * as IsoCountries from 'i18n-iso-countries';
import type * as PhoneNumbers from 'libphonenumber-js';

// Loaded by `require`, because their modules import JSON, and because the entry of i18n-iso-countries would register
// all its languages, of which two are needed.
const load = createRequire(import.meta.url);
const { getCountries, getCountryCallingCode } = load('libphonenumber-js') as typeof PhoneNumbers;
const iso = load('i18n-iso-countries/index.js') as typeof IsoCountries;
for (const language of ['en', 'zh'])
  iso.registerLocale(load(`i18n-iso-countries/langs/${language}.json`) as IsoCountries.LocaleData);

/** All countries of the world with their calling codes. `country_id` is the ISO 3166 number. */
export const COUNTRIES: readonly Country[] = getCountries().flatMap((alpha2): Country[] => {
  const [number, english, chinese] = [
    Number(iso.alpha2ToNumeric(alpha2)),
    iso.getName(alpha2, 'en'),
    iso.getName(alpha2, 'zh'),
  ];
  return Number.isInteger(number) && english && chinese
    ? [{ area_code: `+${getCountryCallingCode(alpha2)}`, country_id: number, name_cn: chinese, name_en: english }]
    : [];
});
