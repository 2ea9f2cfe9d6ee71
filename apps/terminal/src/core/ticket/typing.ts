import { latinDigits } from '@bourse/ui';

/** Why a text of a number field is no number. */
type TypingFault = 'characters' | 'decimals' | 'ambiguous' | 'comma' | 'long';
export type Typed = { readonly text: string } | { readonly fault: TypingFault };

/** `1,234.5` and `1,234,567`: thousands behind commas, as market figures are written in all languages. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
/** `1.234,5` and `1.234.567`: thousands behind points, as people write them whose language has a decimal comma. */
const GROUPED_BY_POINTS = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/;
const ONE_COMMA = /^\d*,\d*$/;
const WHOLE_MAX = 18;

/** A typed text without white space around it, in the digits 0 to 9. */
export const plainTyping = (text: string): string => latinDigits(text).trim();

/**
 * Judges the whole text of a number field (terminal rule 2): digits and one point, at most `scale` decimals. Grouping
 * is dropped where the text can be read in one way only, and refused where it could mean two numbers. A comma is read
 * as the decimal sign only where the language writes one; digits of other scripts are taken as 0 to 9 [CLIENT-206].
 * All else is refused with a reason: a number that silently became another one would be sent.
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
