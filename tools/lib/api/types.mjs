// TypeScript types of calls and messages, made from the interface documents.
import { operationsOf } from './documents.mjs';

const HEAD = '// Made by `npm run api` from the calls that the exchange serves: not edited by hand.';

/** The public calls of `libs/contract`: `Schemas` (parts of answers) and `Calls` by method and path. */
export const publicCallTypes = (openApi) =>
  lines(
    HEAD,
    '',
    '/** What answers are made of. Amounts and prices are decimal text. */',
    ...schemasOf('Schemas', openApi.components.schemas, shared),
    '',
    '/** Every public call, with its fields and what it answers when it is accepted. */',
    ...callsOf('Calls', openApi, shared),
  );

/** The operators' calls of `libs/contract`: as the public ones, whose schemas they share. */
export function operatorCallTypes(operators, openApi) {
  const schemas = Object.entries(operators.components.schemas).filter(([name]) => !openApi.components.schemas[name]);
  const own = new Set(schemas.map(([name]) => name));
  const refer = (name) => (own.has(name) ? `OperatorSchemas['${name}']` : shared(name));
  return lines(
    HEAD,
    "import type { Schemas } from './calls.generated.js';",
    '',
    '/** What answers to operators are made of, beside the public schemas. */',
    ...schemasOf('OperatorSchemas', Object.fromEntries(schemas), refer),
    '',
    '/** Every call of operators, with its fields and what it answers when it is accepted. */',
    ...callsOf('OperatorCalls', operators, refer),
    '',
    ...onceOf(operators, 'OPERATOR_ONCE', 'keyof OperatorCalls'),
  );
}

/**
 * The SDK's types besides the public calls: `Messages` of the socket, the names of each call's fields, and the
 * names of the calls that are done once under a key.
 */
export function sdkTypes(openApi, asyncApi) {
  const operations = operationsOf(openApi);
  const messages = Object.entries(asyncApi.channels.socket.messages).map(
    ([name, { payload }]) => `  ${JSON.stringify(name)}: ${type(payload, shared)};`,
  );
  return lines(
    HEAD,
    "import type { Calls } from '@bourse/contract/calls';",
    '',
    '/** Messages of the socket. */',
    'export interface Messages {',
    ...messages,
    '}',
    '',
    '/** Names of the fields that each call takes. */',
    'export const FIELDS: Readonly<Record<keyof Calls, readonly string[]>> = {',
    ...operations.map((one) => `  '${nameOf(one)}': ${JSON.stringify(namesOf(one[2]))},`),
    '};',
    '',
    ...onceOf(openApi, 'ONCE', 'keyof Calls'),
  );
}

const onceOf = (document, name, of) => [
  '/** Calls that are carried out once under an Idempotency-Key. */',
  `export const ${name}: readonly (${of})[] = ${JSON.stringify(
    operationsOf(document)
      .filter(([, , operation]) => operation['x-call']?.money === true)
      .map(nameOf),
  )};`,
];

const lines = (...all) => `${all.join('\n')}\n`;
const shared = (name) => `Schemas['${name}']`;
const nameOf = ([method, path]) => `${method.toUpperCase()} ${path}`;

const schemasOf = (title, schemas, refer) => [
  `export interface ${title} {`,
  ...Object.entries(schemas).map(([name, schema]) => `  ${name}: ${type(schema, refer)};`),
  '}',
];

const callsOf = (title, document, refer) => [
  `export interface ${title} {`,
  ...operationsOf(document).map((one) => {
    const [, , operation] = one;
    const shape = `{ fields: ${fieldsOf(operation, refer)}; answer: ${answerOf(operation, refer)} }`;
    return `  /** ${operation.summary ?? nameOf(one)} */\n  '${nameOf(one)}': ${shape};`;
  }),
  '}',
];

function fieldsOf({ parameters = [], requestBody }, refer) {
  const taken = parameters.filter((one) => one.in === 'query' || one.in === 'path');
  const query = {
    type: 'object',
    properties: Object.fromEntries(taken.map((one) => [one.name, one.schema ?? {}])),
    required: taken.filter((one) => one.required || one.in === 'path').map((one) => one.name),
  };
  const body = requestBody?.content?.['application/json']?.schema;
  return (
    [...(taken.length > 0 ? [type(query, refer)] : []), ...(body ? [type(body, refer)] : [])].join(' & ') ||
    'Record<never, never>'
  );
}

function namesOf({ parameters = [], requestBody }) {
  const taken = parameters.filter((one) => one.in === 'query' || one.in === 'path').map((one) => one.name);
  return [...taken, ...Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {})];
}

function answerOf({ responses }, refer) {
  const schema = responses?.['200']?.content?.['application/json']?.schema;
  if (!schema) return 'string';
  return type(schema.oneOf?.[0] ?? schema, refer);
}

function type(schema, refer) {
  if (schema.$ref) return refer(schema.$ref.split('/').at(-1));
  if (schema.nullable) return `(${type({ ...schema, nullable: undefined }, refer)} | null)`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const any = schema.oneOf ?? schema.anyOf;
  if (any) return any.map((one) => `(${type(one, refer)})`).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${type(one, refer)})`).join(' & ');
  if (schema.type === 'array') return `(${type(schema.items ?? {}, refer)})[]`;
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (['string', 'boolean', 'null'].includes(schema.type)) return schema.type;
  if (schema.type === 'object' || schema.properties) return object(schema, refer);
  return 'unknown';
}

function object({ properties = {}, required = [], additionalProperties }, refer) {
  const names = Object.keys(properties);
  if (names.length === 0) {
    const keys = required.map((name) => JSON.stringify(name)).join(' | ') || 'string';
    const value = typeof additionalProperties === 'object' ? type(additionalProperties, refer) : 'unknown';
    return `Record<${keys}, ${value}>`;
  }
  const fields = names.map(
    (name) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${type(properties[name], refer)}`,
  );
  return `{ ${fields.join('; ')} }`;
}
