import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';

const CALLING_CODES: ReadonlySet<string> = new Set(getCountries().map((country) => getCountryCallingCode(country)));
/** International prefix by the area code of the caller; `00` for all others. */
const INTERNATIONAL_PREFIX: Readonly<Record<string, string>> = { '1': '011', '7': '810', '61': '0011', '81': '010' };

/**
 * The E.164 form (`+4917612345678`) of a telephone that is possible under an area code; null if it is not, or if no
 * country has the area code. People write one telephone with its country's leading zero, with the area code once more,
 * or with an international prefix: all of these are one number [CLIENT-201].
 */
export function e164Of(digits: string, areaCode: string): string | null {
  const area = areaCode.replace(/^(?:\+|00)/, '');
  if (!CALLING_CODES.has(area)) return null;
  const prefix = [INTERNATIONAL_PREFIX[area] ?? '00', '00'].find((each) => digits.startsWith(`${each}${area}`));
  if (prefix !== undefined) return possible(digits.slice(prefix.length + area.length), area)?.number ?? null;
  if (digits.startsWith('00')) return null;
  const national = possible(digits, area);
  const repeated = digits.startsWith(area) ? possible(digits.slice(area.length), area) : null;
  return (rank(repeated) > rank(national) ? repeated : national)?.number ?? null;
}

function possible(digits: string, area: string): PhoneNumber | null {
  const number = parsePhoneNumberFromString(digits, { defaultCallingCode: area, extract: false });
  return number?.isPossible() ? number : null;
}

const MOBILE: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);
/** Ranks a reading of digits: numbers that can receive short messages come first. */
function rank(number: PhoneNumber | null): number {
  if (number === null) return 0;
  if (MOBILE.has(number.getType())) return 3;
  return number.isValid() ? 2 : 1;
}
