/**
 * What a number field takes (terminal rule 2): digits and one point, at most `scale` decimals; "," is taken as ".",
 * white space around a paste is dropped. Grouping, signs and "e" are refused: the field keeps what it had.
 * @returns the text to show, or undefined when the change is refused
 */
export function acceptTyping(text: string, scale: number): string | undefined {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return '';
  const match = /^(\d{0,18})(?:\.(\d*))?$/.exec(typed);
  if (!match || (match[2] ?? '').length > scale) return undefined;
  if (scale === 0 && typed.includes('.')) return undefined;
  return typed;
}

/** The decimal text that is sent for a typed one: `.5` is `0.5`, `5.` is `5`, leading zeros go. Empty stays empty. */
export function toDecimalText(typed: string): string {
  if (typed === '' || typed === '.') return '';
  const [whole = '', fraction = ''] = typed.split('.');
  const clean = whole.replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? clean : `${clean}.${fraction}`;
}
