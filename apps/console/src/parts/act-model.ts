import type { Fields } from '@bourse/api-client';

/** A field of an act. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  /** `amount`: a decimal, a sign in front where the call takes one; `long`: several lines; `flag`: 1 or 0. */
  readonly kind: 'text' | 'choice' | 'amount' | 'long' | 'flag' | 'password';
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly required?: boolean;
  readonly hint?: string;
}

/** Characters that a reason has at least (api §2.12). */
export const REASON_MIN = 5;
const AMOUNT = /^[+-]?(0|[1-9]\d{0,17})(\.\d{1,18})?$/;

/** Keys of what is wrong, by field. The server judges again: this saves a round trip. */
export function problemsOf(
  fields: readonly ActField[],
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const { name, kind, required } of fields) {
    const value = (values[name] ?? '').trim();
    if (required && value === '' && kind !== 'flag') problems[name] = 'act.required';
    else if (kind === 'amount' && value !== '' && !AMOUNT.test(value)) problems[name] = 'act.amount';
  }
  if ((values['reason'] ?? '').trim().length < REASON_MIN) problems['reason'] = 'act.reasonShort';
  return problems;
}

/** Fields of calls have no line breaks (api §1.4); a blank says the same. */
const inOneLine = (text: string): string => text.trim().replace(/\s*[\r\n]\s*/g, ' ');

/** What is sent: texts in one line without spaces around them, flags as 1 and 0, empty optional fields not at all. */
export function sentOf(fields: readonly ActField[], values: Readonly<Record<string, string>>): Fields {
  const sent: Record<string, string> = {};
  for (const { name, kind } of fields) {
    const value = values[name] ?? '';
    if (kind === 'flag') sent[name] = value === '1' ? '1' : '0';
    else if (kind === 'password') sent[name] = value;
    else if (value.trim() !== '') sent[name] = inOneLine(value);
  }
  for (const [name, value] of Object.entries(sent)) if (value === '') delete sent[name];
  return { ...sent, reason: inOneLine(values['reason'] ?? '') };
}
