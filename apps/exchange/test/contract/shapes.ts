import { eventually } from '@bourse/testing/eventually';
import type { OpenApi, Schema } from './generated-client.js';

/* Compares answers with the declaration of their call: every field, and the format of amounts, times and ids. */

/** Texts that the documents declare as texts alone (api §1.6). */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  // Empty while there is none yet, as the opening price of a new contract.
  DecimalText: /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?)?$/,
  TimeText: /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?$/,
  OrderId: /^\d+$/,
};

let document: OpenApi | undefined;
/** Fetches the document; a gateway that was just killed answers again after a while. */
const fetchDocument = (base: string): Promise<OpenApi> =>
  eventually(async () => {
    const answer = await fetch(`${base}/api/openapi.json`);
    if (!answer.ok) throw new Error(`${answer.status} of ${answer.url}`);
    return (await answer.json()) as OpenApi;
  }, 60_000);
/** @throws Error when an accepted answer differs from the declaration of its call in the interface document. */
export async function expectDeclared(base: string, method: string, path: string, body: unknown): Promise<void> {
  const known = (document ??= await fetchDocument(base));
  const schema = answerOf(known, method, path.replace(/[?#].*$/, ''));
  const wrong = schema ? findMisfits(known, schema, body) : [];
  if (wrong.length > 0) throw new Error(`${method} ${path} answers what it does not declare: ${wrong.join(', ')}`);
}

/** Returns the declared answer of a call; undefined if the call is not in the document, or returns a file. */
export function answerOf({ paths }: OpenApi, method: string, path: string): Schema | undefined {
  return paths[path]?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.schema;
}

/** Returns the places of a value that do not match a schema. */
export function findMisfits(document: OpenApi, schema: Schema, value: unknown, where = ''): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const pattern = PATTERNS[name];
    if (pattern) return typeof value === 'string' && pattern.test(value) ? [] : [`${where}: ${JSON.stringify(value)}`];
    return findMisfits(document, document.components.schemas[name] ?? {}, value, where);
  }
  if (value === null && schema.nullable === true) return [];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const tries = choices.map((choice) => findMisfits(document, choice, value, where));
    return tries.some((found) => found.length === 0) ? [] : (tries.sort((a, b) => a.length - b.length)[0] ?? []);
  }
  const all = (schema.allOf ?? []).flatMap((part) => findMisfits(document, part, value, where));
  if (schema.const !== undefined && value !== schema.const) return [...all, `${where}: ${JSON.stringify(value)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [...all, `${where}: ${JSON.stringify(value)}`];
  if (schema.type !== undefined && !hasType(schema.type, value)) return [...all, `${where}: no ${schema.type}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return all;
    return [...all, ...value.flatMap((one, at) => findMisfits(document, items, one, `${where}[${at}]`))];
  }
  if (typeof value !== 'object' || value === null) return all;
  const fields = value as Readonly<Record<string, unknown>>;
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => `${where}.${name}: missing`);
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    Object.hasOwn(fields, name) ? findMisfits(document, part, fields[name], `${where}.${name}`) : [],
  );
  return [...all, ...missing, ...inside];
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
