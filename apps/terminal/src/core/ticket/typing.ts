/** Why a text of a number field is no number. */
type TypingFault = 'characters' | 'decimals' | 'ambiguous' | 'comma' | 'long';
export type Typed = { readonly text: string } | { readonly fault: TypingFault };

/** `1,234.5` and `1,234,567`: thousands behind commas, as market figures are written in all languages. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
/** `1.234,5` and `1.234.567`: thousands behind points, as people write them whose language has a decimal comma. */
const GROUPED_BY_POINTS = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/;
const ONE_COMMA = /^\d*,\d*$/;
const WHOLE_MAX = 18;

/** First code points of the rows of ten digits that keyboards write: Arabic, Persian, Indian, Thai, full-width ones. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
/** Decimal and thousands signs of the Arabic script and full-width ones. */
const SIGNS: Readonly<Record<string, string>> = { '٫': '.', '．': '.', '٬': ',', '،': ',', '，': ',' };
const WRITTEN = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u0E50-\u0E59\uFF10-\uFF19٫．٬،，]/gu;

/** The number that somebody wrote in the digits of another script, in the digits 0 to 9. */
const latinDigits = (text: string): string =>
  text.replaceAll(WRITTEN, (written) => {
    const code = written.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? (SIGNS[written] ?? written) : String(code - zero);
  });

/** A typed text without white space around it, in the digits 0 to 9. */
export const plainTyping = (text: string): string => latinDigits(text).trim();

/**
 * Judges the whole text of a number field (terminal rule 2): digits and one point, at most `scale` decimals. Grouping
 * is dropped where the text can be read in one way only, and refused where it could mean two numbers. A comma is read
 * as the decimal sign only where the language writes one. All else is refused with a reason: a number that silently
 * became another one would be sent.
 */
export function readTyping(text: string, scale: number, decimalComma = false): Typed {
  const given = plainTyping(text);
  const typed = withPoint(given, decimalComma);
  if (typeof typed !== 'string') return typed;
  const match = /^(\d*)(?:\.(\d*))?$/.exec(typed);
  if (!match) return { fault: 'characters' };
  if ((match[1] ?? '').length > WHOLE_MAX) return { fault: 'long' };
  if ((match[2] ?? '').length > scale || (scale === 0 && typed.includes('.'))) return { fault: 'decimals' };
  return { text: typed };
}

/** The text without grouping and with a point before its decimals. */
function withPoint(given: string, decimalComma: boolean): string | { readonly fault: TypingFault } {
  if (GROUPED.test(given)) return ONE_COMMA.test(given) ? { fault: 'ambiguous' } : given.replaceAll(',', '');
  const byPoints = GROUPED_BY_POINTS.test(given);
  if (!byPoints && !ONE_COMMA.test(given)) return given;
  return decimalComma ? (byPoints ? given.replaceAll('.', '') : given).replace(',', '.') : { fault: 'comma' };
}

/** The text that the ticket takes, or undefined when it is refused. */
export function acceptTyping(text: string, scale: number): string | undefined {
  const typed = readTyping(text, scale);
  return 'text' in typed ? typed.text : undefined;
}

/** The decimal text that is sent for a typed one: `.5` is `0.5`, `5.` is `5`, leading zeros go. Empty stays empty. */
export function toDecimalText(typed: string): string {
  if (typed === '' || typed === '.') return '';
  const [whole = '', fraction = ''] = typed.split('.');
  const clean = whole.replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? clean : `${clean}.${fraction}`;
}
