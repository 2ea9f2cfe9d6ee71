// TypeScript types of @bourse/sdk, made from the interface documents.
import { operationsOf } from './documents.mjs';

/**
 * One file: `Schemas` (what answers are made of), `Messages` (of the socket), `Calls` by method and path with their
 * fields and accepted answers, the names of these fields, and those of the calls that are done once under a key.
 */
export function sdkTypes(openApi, asyncApi) {
  const calls = operationsOf(openApi).map(([method, path, operation]) => {
    const name = `${method.toUpperCase()} ${path}`;
    const shape = `{ fields: ${fieldsOf(operation)}; answer: ${answerOf(operation)} }`;
    return {
      name,
      money: operation['x-call']?.money === true,
      fields: namesOf(operation),
      text: `  /** ${operation.summary ?? name} */\n  '${name}': ${shape};`,
    };
  });
  const once = calls.filter(({ money }) => money).map(({ name }) => name);
  return [
    '// Made by `npm run api` from the calls that the exchange serves: not edited by hand.',
    '',
    '/** What answers are made of. Amounts and prices are decimal text. */',
    'export interface Schemas {',
    ...Object.entries(openApi.components.schemas).map(([name, schema]) => `  ${name}: ${type(schema)};`),
    '}',
    '',
    '/** Messages of the socket. */',
    'export interface Messages {',
    ...Object.entries(asyncApi.channels.socket.messages).map(
      ([name, { payload }]) => `  ${JSON.stringify(name)}: ${type(payload)};`,
    ),
    '}',
    '',
    '/** Every public call, with its fields and what it answers when it is accepted. */',
    'export interface Calls {',
    ...calls.map(({ text }) => text),
    '}',
    '',
    '/** Names of the fields that each call takes. */',
    'export const FIELDS: Readonly<Record<keyof Calls, readonly string[]>> = {',
    ...calls.map(({ name, fields }) => `  '${name}': ${JSON.stringify(fields)},`),
    '};',
    '',
    '/** Calls that are carried out once under an Idempotency-Key. */',
    `export const ONCE: readonly (keyof Calls)[] = ${JSON.stringify(once)};`,
    '',
  ].join('\n');
}

function fieldsOf({ parameters = [], requestBody }) {
  const taken = parameters.filter((one) => one.in === 'query' || one.in === 'path');
  const query = {
    type: 'object',
    properties: Object.fromEntries(taken.map((one) => [one.name, one.schema ?? {}])),
    required: taken.filter((one) => one.required || one.in === 'path').map((one) => one.name),
  };
  const body = requestBody?.content?.['application/json']?.schema;
  return (
    [...(taken.length > 0 ? [type(query)] : []), ...(body ? [type(body)] : [])].join(' & ') || 'Record<never, never>'
  );
}

function namesOf({ parameters = [], requestBody }) {
  const taken = parameters.filter((one) => one.in === 'query' || one.in === 'path').map((one) => one.name);
  return [...taken, ...Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {})];
}

function answerOf({ responses }) {
  const schema = responses?.['200']?.content?.['application/json']?.schema;
  if (!schema) return 'string';
  return type(schema.oneOf?.[0] ?? schema);
}

function type(schema) {
  if (schema.$ref) return `Schemas['${schema.$ref.split('/').at(-1)}']`;
  if (schema.nullable) return `(${type({ ...schema, nullable: undefined })} | null)`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const any = schema.oneOf ?? schema.anyOf;
  if (any) return any.map((one) => `(${type(one)})`).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${type(one)})`).join(' & ');
  if (schema.type === 'array') return `(${type(schema.items ?? {})})[]`;
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (['string', 'boolean', 'null'].includes(schema.type)) return schema.type;
  if (schema.type === 'object' || schema.properties) return object(schema);
  return 'unknown';
}

function object({ properties = {}, required = [], additionalProperties }) {
  const names = Object.keys(properties);
  if (names.length === 0)
    return `Record<string, ${typeof additionalProperties === 'object' ? type(additionalProperties) : 'unknown'}>`;
  const fields = names.map(
    (name) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${type(properties[name])}`,
  );
  return `{ ${fields.join('; ')} }`;
}
