/**
 * Columns of many rows as one parameter each, for `unnest`. The driver would quote and escape every element of an
 * array, and the server undo it; most of our values are numbers and names, and JSON never contains a control character.
 */

/** Between the texts of one parameter: JSON escapes it, and no name of ours has it. */
const SEPARATOR = '\u001e';
const PLAIN = /^[A-Za-z0-9_.:>/@#+*-]+$/;

/** An array literal of numbers, as numbers or as our own text of them, or of booleans. */
export const numberColumn = (values: readonly (number | bigint | string | boolean)[]): string =>
  `{${values.join(',')}}`;

/** An array literal of short names; null stays null. Other texts than plain names are quoted. */
export function nameColumn(values: readonly (string | null)[]): string {
  return `{${values.map(nameItem).join(',')}}`;
}

function nameItem(value: string | null): string {
  if (value === null) return 'NULL';
  if (PLAIN.test(value) && value.toUpperCase() !== 'NULL') return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Texts of JSON in one parameter; read it with `jsonColumn(parameter)`.
 * @throws Error when a text has the separator in it: then it is no JSON.
 */
export function jsonValues(values: readonly string[]): string {
  const joined = values.join(SEPARATOR);
  if (countOf(joined, SEPARATOR) !== Math.max(0, values.length - 1))
    throw new Error('invariant: a JSON text contains a bare control character');
  return joined;
}

/** SQL that reads a parameter of `jsonValues` as an array of text. */
export const jsonColumn = (parameter: string): string => `string_to_array(${parameter}::text, chr(30))`;

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** How many rows beyond a page are counted where a list is long: it says at least how many there are. */
export const COUNTED_BEYOND = 1_000;
