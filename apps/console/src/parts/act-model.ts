import type { Fields } from '@bourse/api-client';

/** A field of an act. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  /**
   * `amount`: a decimal, a sign in front where the call takes one; `long`: several lines; `flag`: 1 or 0; `texts`: a
   * text in each of several languages, as JSON by language.
   */
  readonly kind: 'text' | 'choice' | 'amount' | 'long' | 'flag' | 'password' | 'texts';
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly required?: boolean;
  readonly hint?: string;
}

/** The fewest characters of a reason (api §2.12). */
export const REASON_MIN = 5;
const AMOUNT = /^[+-]?(0|[1-9]\d{0,17})(\.\d{1,18})?$/;

/** Message keys of the problems, by field. The server checks again; this saves a round trip. */
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

/** A value as the call takes it: texts in one line without spaces around them, flags as 1 and 0. */
function wireOf(kind: ActField['kind'], value: string): string {
  if (kind === 'flag') return value === '1' ? '1' : '0';
  return kind === 'password' ? value : inOneLine(value);
}

/** The fields of an act that creates something: optional fields that are empty are left out. */
export function sentOf(fields: readonly ActField[], values: Readonly<Record<string, string>>): Fields {
  const written = fields.map(({ name, kind }) => [name, wireOf(kind, values[name] ?? '')] as const);
  return {
    ...Object.fromEntries(written.filter(([, value]) => value !== '')),
    reason: inOneLine(values['reason'] ?? ''),
  };
}

/**
 * The fields of an act on an existing object: the fields that were changed, an emptied one as the empty text, and no
 * other, so that two operators do not overwrite each other's changes of one row. Undefined: nothing was changed.
 */
export function changedOf(
  fields: readonly ActField[],
  values: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): Fields | undefined {
  const changed = fields
    .map(({ name, kind }) => [name, wireOf(kind, values[name] ?? ''), wireOf(kind, before[name] ?? '')] as const)
    .filter(([, value, was]) => value !== was);
  if (changed.length === 0) return undefined;
  return {
    ...Object.fromEntries(changed.map(([name, value]) => [name, value])),
    reason: inOneLine(values['reason'] ?? ''),
  };
}
