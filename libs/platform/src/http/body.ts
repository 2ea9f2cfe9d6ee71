import { FIELD_LIMIT, LIST_FIELDS } from '@bourse/contract';

/**
 * The fields of a body or a query: one text per name. JSON numbers keep the digits they were written with, so that no
 * amount passes through a float.
 */
export type FieldRecord = Readonly<Record<string, string | undefined>>;

/** The field's text, or undefined when it is absent or empty: an empty text counts as absent. */
export function present(fields: FieldRecord, name: string): string | undefined {
  const value = fields[name];
  return value === '' ? undefined : value;
}

/** The body or the query does not fit api §1.1; the edge answers 400. `reason` is for the log. */
export class Unreadable extends Error {
  readonly statusCode = 400;
  constructor(readonly reason: string) {
    super(`unreadable request: ${reason}`);
  }
}

/**
 * Reads `a=1&b=2`. Throws `Unreadable` on broken escapes, repeated or nested names, control characters, too many fields
 * [EDGE-003].
 */
export function parseForm(text: string): FieldRecord {
  const fields = record();
  if (text === '') return fields;
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    add(fields, decoded(equals < 0 ? part : part.slice(0, equals)), equals < 0 ? '' : decoded(part.slice(equals + 1)));
  }
  return fields;
}

/**
 * Reads a flat JSON object by the same rules. `null` is an absent field. A field of `LIST_FIELDS` may hold a list of
 * flat objects or of texts; it is kept as JSON text, which `parseList` reads [EDGE-003].
 */
export function parseJsonBody(text: string): FieldRecord {
  if (text.trim() === '') return record();
  const fields = record();
  const root = parse(text);
  if (typeof root !== 'object' || root === null || Array.isArray(root))
    throw new Unreadable('the body is not an object');
  const entries = Object.entries(root as Readonly<Record<string, unknown>>);
  const nested = entries.flatMap(([name, value]) => (isListField(name, value) ? value : []));
  refuseRepeated(text, entries.length + countNames(nested));
  for (const [name, value] of entries) {
    if (isListField(name, value)) add(fields, name, JSON.stringify(readItems(name, value)));
    else addValue(fields, name, value);
  }
  return fields;
}

/** Reads the JSON text of a list of flat objects or of texts, as a field of `LIST_FIELDS` holds it. */
export function parseList(text: string): readonly (FieldRecord | string)[] {
  const list = parse(text);
  if (!Array.isArray(list)) throw new Unreadable('the text is no list');
  refuseRepeated(text, countNames(list));
  return readItems('list', list);
}

/**
 * Refuses repeated names, of which JSON.parse keeps the last. `names`: how many names were parsed; since nothing else
 * is nested, each string before a colon is a name.
 */
function refuseRepeated(text: string, names: number): void {
  if (names !== [...text.matchAll(STRING)].filter((match) => match[1] !== undefined).length)
    throw new Unreadable('a field is repeated');
}

/** How many names the objects of a list have. */
const countNames = (list: readonly unknown[]): number =>
  list.reduce<number>((sum, item) => sum + (isObject(item) ? Object.keys(item).length : 0), 0);
const isListField = (name: string, value: unknown): value is readonly unknown[] =>
  LIST_FIELDS.has(name) && Array.isArray(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Digits);

function readItems(name: string, list: readonly unknown[]): (FieldRecord | string)[] {
  if (list.length > FIELD_LIMIT) throw new Unreadable(`field ${JSON.stringify(name)} is too long`);
  return list.map((item) => {
    const fields = record();
    if (isObject(item)) {
      for (const [field, value] of Object.entries(item)) addValue(fields, field, value);
      return fields;
    }
    if (item === null) throw new Unreadable(`field ${JSON.stringify(name)} has an empty element`);
    addValue(fields, name, item);
    return fields[name] as string;
  });
}

function addValue(fields: Record<string, string | undefined>, name: string, value: unknown): void {
  if (value === null) return;
  if (value instanceof Digits) add(fields, name, value.text);
  else if (typeof value === 'string') add(fields, name, value);
  else if (typeof value === 'boolean') add(fields, name, String(value));
  else throw new Unreadable(`field ${JSON.stringify(name)} is nested`);
}

/** Names and texts that were read elsewhere (the parts of an upload), by the same rules [EDGE-003]. */
export function flatFields(pairs: Iterable<readonly [name: string, value: string]>): FieldRecord {
  const fields = record();
  for (const [name, value] of pairs) add(fields, name, value);
  return fields;
}

/** Bytes to text; broken UTF-8 is unreadable, never repaired. */
export function utf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new Unreadable(`not UTF-8: ${String(error)}`);
  }
}

class Digits {
  constructor(readonly text: string) {}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, ((_: string, value: unknown, context: { source?: string }) =>
      typeof value === 'number' ? new Digits(context.source ?? '') : value) as (
      key: string,
      value: unknown,
    ) => unknown);
  } catch (error) {
    throw new Unreadable(String(error));
  }
}

function add(fields: Record<string, string | undefined>, name: string, value: string): void {
  if (name in fields) throw new Unreadable(`field ${JSON.stringify(name)} is repeated`);
  if (/[[\]]/.test(name)) throw new Unreadable(`field ${JSON.stringify(name)} is nested`);
  if (!readable(name) || !readable(value)) throw new Unreadable(`field ${JSON.stringify(name)} has control characters`);
  if (Object.keys(fields).length >= FIELD_LIMIT) throw new Unreadable(`more than ${FIELD_LIMIT} fields`);
  fields[name] = value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw new Unreadable(String(error));
  }
}

const readable = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();
const record = (): Record<string, string | undefined> => Object.create(null) as Record<string, string | undefined>;
// oxlint-disable-next-line no-control-regex -- these are the characters to refuse
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
