import { readOptionalText, Refused, type FieldRecord } from '@bourse/platform';

/** A time of the contract, `YYYY-MM-DD HH:mm:ss` in UTC; ms. Undefined when it is absent. */
export function readTime(fields: FieldRecord, name: string): number | undefined {
  const text = readOptionalText(fields, name, 'common.fieldInvalid', {
    pattern: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
  });
  if (text === undefined) return undefined;
  const at = Date.parse(`${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(at)) throw new Refused('common.fieldInvalid', { field: name }, { field: name });
  return at;
}
