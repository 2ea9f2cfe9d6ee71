import { latinDigits } from '@bourse/ui';

/** Why a field did not take what was typed or pasted. */
export type TypingFault = 'characters' | 'decimals' | 'ambiguous' | 'long';
export type Typed = { readonly text: string } | { readonly fault: TypingFault };

/** `1,234.5` and `1,234,567` can be read in one way only. */
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;
const WHOLE_MAX = 18;

/**
 * What a number field takes (terminal rule 2): digits and one point, at most `scale` decimals; "," is taken as ".",
 * digits of other scripts are taken as 0 to 9 [CLIENT-206], white space around a paste is dropped, and so is grouping
 * where the text can be read in one way. All else is refused with a reason: a number that silently became another one
 * would be sent.
 */
export function readTyping(text: string, scale: number): Typed {
  const given = latinDigits(text).trim();
  const grouped = GROUPED.test(given);
  if (grouped && !given.includes('.') && given.indexOf(',') === given.lastIndexOf(',')) return { fault: 'ambiguous' };
  const typed = grouped ? given.replaceAll(',', '') : given.replace(',', '.');
  const match = /^(\d*)(?:\.(\d*))?$/.exec(typed);
  if (!match) return { fault: 'characters' };
  if ((match[1] ?? '').length > WHOLE_MAX) return { fault: 'long' };
  if ((match[2] ?? '').length > scale || (scale === 0 && typed.includes('.'))) return { fault: 'decimals' };
  return { text: typed };
}

/** The text to show, or undefined when the change is refused. */
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
