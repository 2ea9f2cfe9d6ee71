import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import * as contract from '@bourse/contract';
import { z } from 'zod';
import { apiKeyPermission, asksWhy } from './call.js';
import { declaredFields } from './fields/declared.js';
import { RouteTable, type DeclaredCall } from './route-table.js';
import type { Answered, Beside, Schema } from './call-description.js';

type Json = Record<string, unknown>;
type Operation = Json & { parameters?: { in: string }[] };

/** Keys that any call may answer (api §1.5), listed once in the schema of a refusal. */
const COMMON_KEYS = [
  'common.badRequest',
  'common.fieldRequired',
  'common.fieldInvalid',
  'common.notFound',
  'common.noRoute',
  'common.noMethod',
  'common.mediaType',
  'common.noPermission',
  'common.forbidden',
  'common.tooMany',
  'common.tooLarge',
  'common.processing',
  'common.repeated',
  'common.keyReused',
  'common.expired',
  'common.unavailable',
  'common.defect',
  'apikey.signature',
  'auth.expired',
  'auth.frozen',
  'noopen',
  'fund.notSet',
  'fund.required',
  'fund.mustReset',
  'fund.wrong',
  'fund.locked',
  'kyc.required',
  'pay.missing',
  'balance.insufficient',
] as const;

/** How a program signs (api §2.1): these three headers together instead of a token. */
const SIGNED = {
  apiKey: { name: 'X-Api-Key', description: 'The key' },
  apiTimestamp: { name: 'X-Api-Timestamp', description: 'Unix milliseconds, within 5 s of `GET /api/time`' },
  apiSignature: {
    name: 'X-Api-Signature',
    description:
      'Lower-case hex HMAC-SHA256, under the secret of the key, of four lines joined by line feeds: method, path ' +
      'with query as sent, timestamp, hex SHA-256 of the bytes of the body (of nothing for a call without one)',
  },
} as const;

/** OpenAPI of this process, made from its controllers, their field classes and answer schemas on first use. */
@Injectable()
export class OpenApi {
  private app: INestApplication | undefined;
  private made: OpenAPIObject | undefined;

  constructor(private readonly routes: RouteTable) {}

  bind(app: INestApplication): void {
    this.app = app;
  }

  document(): OpenAPIObject {
    if (!this.app) throw new Error('invariant: OpenAPI was asked for before the application was bound');
    this.made ??= this.make(this.app);
    return this.made;
  }

  private make(app: INestApplication): OpenAPIObject {
    const spec = new DocumentBuilder()
      .setTitle('Bourse')
      .setDescription(
        'Calls of the exchange. Every answer is an envelope: `type`, `message`, `key`, ' +
          '`request_id`. A refusal had no effect; programs test its `key`. Fields are read in the ' +
          'order in which they stand, and the first that fails answers.',
      )
      .setVersion('1')
      .addServer('/', 'The exchange that this document comes from')
      .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: 'A session token' }, 'token')
      .addApiKey({ type: 'apiKey', in: 'header', ...SIGNED.apiKey }, 'apiKey')
      .addApiKey({ type: 'apiKey', in: 'header', ...SIGNED.apiTimestamp }, 'apiTimestamp')
      .addApiKey({ type: 'apiKey', in: 'header', ...SIGNED.apiSignature }, 'apiSignature')
      .build();
    const document = SwaggerModule.createDocument(app, spec);
    for (const path of Object.keys(document.paths)) if (path.startsWith('/internal/')) delete document.paths[path];
    const calls = this.routes.declared().filter(({ policy }) => policy.auth !== 'internal');
    const schemas = new Schemas(calls);
    for (const call of calls) {
      const path = document.paths[call.policy.path.replace(/:(\w+)/g, '{$1}')] as Record<string, Operation> | undefined;
      const operation = path?.[call.policy.method.toLowerCase()];
      if (operation) describe(operation, call, schemas);
    }
    return { ...document, components: { ...document.components, schemas: schemas.components } } as OpenAPIObject;
  }
}

function describe(operation: Operation, call: DeclaredCall, schemas: Schemas): void {
  const { policy, description, fields } = call;
  const declared = fields ? declaredFields(fields) : [];
  // A field with two readers is one field for its sender; the first reader accepts all that later ones accept.
  const parts = [
    ...new Map(
      declared
        .flatMap((field) => field.parts)
        .reverse()
        .map((part) => [part.name, part]),
    ).values(),
  ].reverse();
  const isRead = policy.method === 'GET';
  if (description) operation['summary'] = description.summary;
  operation['operationId'] = nameOf(call);
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const key = { name: 'Idempotency-Key', in: 'header', required: false, schema: KEY };
  operation['parameters'] = [
    ...inPath,
    ...(isRead ? parts.map(({ name, schema, required }) => ({ name, in: 'query', required, schema })) : []),
    ...(policy.money ? [key] : []),
    ...(policy.open ? [] : [LANG]),
  ];
  if (apiKeyPermission(policy) !== 'none')
    operation['security'] = [{ token: [] }, { apiKey: [], apiTimestamp: [], apiSignature: [] }];
  delete operation['requestBody'];
  if (description?.body) operation['requestBody'] = { required: true, content: description.body };
  else if (!isRead && parts.length > 0) {
    const required = parts.filter((part) => part.required).map((part) => part.name);
    const schema = {
      type: 'object',
      properties: Object.fromEntries(parts.map((part) => [part.name, part.schema])),
      ...(required.length > 0 ? { required } : {}),
    };
    operation['requestBody'] = {
      required: required.length > 0,
      content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
    };
  }
  operation['responses'] = responses(call, schemas);
  const keys = [...new Set([...declared.flatMap((field) => field.keys), ...(description?.refuses ?? [])])];
  if (asksWhy(policy) && !keys.includes('admin.reason')) keys.push('admin.reason');
  if (keys.length > 0) operation['x-refusals'] = keys;
}

const KEY = { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' };
const LANG = {
  name: 'lang',
  in: 'header',
  required: false,
  description: 'Language of texts; absent: that of the account, else `Accept-Language`, else `en`',
  schema: { type: 'string', enum: [...contract.LANGUAGES] },
};
const REFUSAL = { $ref: '#/components/schemas/Refusal' };
const json = (schema: unknown): Json => ({ 'application/json': { schema } });

/** Refusals with the time of the next try. */
const later = (description: string): Json => ({
  description,
  headers: { 'Retry-After': { description: 'Seconds', required: true, schema: { type: 'integer', minimum: 1 } } },
  content: json(REFUSAL),
});
const WAIT = {
  429: later('Too many requests: nothing was done'),
  503: later('Something needed is down: nothing was done'),
};

function responses({ policy, description }: DeclaredCall, schemas: Schemas): Json {
  if (policy.open || !description) return { 200: { description: 'What the call answers' } };
  const { answer } = description;
  const refused = { description: 'Refused: no effect', content: json(REFUSAL) };
  if (answer.file) {
    const { contentType, others = [], schema } = answer.file;
    const isJson = contentType === 'application/json';
    const shape = schema ? schemas.of(schema) : isJson ? { type: 'object' } : TEXT;
    return {
      200: {
        description: isJson ? description.summary : `${description.summary}; a refusal is JSON`,
        content: {
          ...Object.fromEntries([contentType, ...others].map((type) => [type, { schema: shape }])),
          ...(isJson ? {} : json(REFUSAL)),
        },
      },
      ...WAIT,
      default: refused,
    };
  }
  const beside: Beside = answer.beside ?? {};
  const accepted = {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['ok'] },
      message: answer.notices
        ? { type: 'string', description: 'Text in the language of the caller' }
        : messageOf(answer, schemas),
      ...(answer.notices ? { key: { type: 'string', enum: [...answer.notices] } } : {}),
      ...Object.fromEntries(Object.entries(beside).map(([name, schema]) => [name, schemas.of(schema)])),
      ...(policy.money ? { command_id: { type: 'string' } } : {}),
      request_id: { type: 'string' },
    },
    required: ['type', 'message', ...(answer.notices ? ['key'] : []), ...schemas.required(beside), 'request_id'],
  };
  return {
    200: { description: 'Done, or refused', content: json({ oneOf: [accepted, REFUSAL] }) },
    ...(policy.money ? { 202: { description: 'Not known yet: ask again', content: json(REFUSAL) } } : {}),
    ...WAIT,
    default: refused,
  };
}
const TEXT = { type: 'string' };
const messageOf = ({ message }: Answered<never>, schemas: Schemas): unknown => (message ? schemas.of(message) : {});

/**
 * The name of a call in generated clients. Generators drop the marks between words, so a call whose path differs from
 * another one's in these alone has a name of its own.
 */
const nameOf = ({ policy, description }: DeclaredCall): string =>
  operationId(policy.method, policy.path) + (description?.suffix ?? '');
/** `POST /api/coin/trade` is `postApiCoinTrade`. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split(/[/:.-]/)
    .filter(Boolean)
    .map((part) => (part[0] ?? '').toUpperCase() + part.slice(1))
    .join('');

/** JSON schemas of all answers of a process; those of the contract appear once, by their names. */
class Schemas {
  readonly components: Record<string, Json>;
  private readonly refs = new Map<Schema, Json>();

  constructor(calls: readonly DeclaredCall[]) {
    const registry = z.registry<{ id: string }>();
    for (const [name, value] of Object.entries(contract) as [string, unknown][])
      if (value instanceof z.core.$ZodType) registry.add(value, { id: (name[0] ?? '').toUpperCase() + name.slice(1) });
    const used: Schema[] = [];
    for (const call of calls) {
      const { description } = call;
      if (!description) continue;
      const { message, beside = {}, file } = description.answer;
      const name = nameOf(call);
      for (const [role, schema] of Object.entries({ message, file: file?.schema, ...beside })) {
        if (!schema) continue;
        used.push(schema);
        if (!registry.has(schema)) registry.add(schema, { id: capital(name) + capital(role) });
      }
    }
    const { schemas } = z.toJSONSchema(registry, {
      target: 'openapi-3.0',
      io: 'output',
      unrepresentable: 'any',
      uri: (id) => `#/components/schemas/${id}`,
    });
    const named: Record<string, Json> = {};
    for (const [id, schema] of Object.entries(schemas as Record<string, Json>)) {
      const { $schema: _schema, $id: _id, ...rest } = schema;
      named[id] = rest;
    }
    for (const schema of Object.values(named)) typeNullables(schema, named);
    for (const schema of used)
      this.refs.set(schema, { $ref: `#/components/schemas/${registry.get(schema)?.id ?? ''}` });
    this.components = { ...named, Refusal: REFUSAL_SCHEMA };
  }

  of(schema: Schema): Json {
    const found = this.refs.get(schema);
    if (!found) throw new Error('invariant: an answer has a schema that no call declares');
    return found;
  }
  required(beside: Beside): string[] {
    return Object.entries(beside).flatMap(([name, schema]) => (schema._zod.optin === 'optional' ? [] : [name]));
  }
}
/** OpenAPI 3.0 reads `nullable` only beside a type: beside a reference, the type of the referenced schema is added. */
function typeNullables(value: unknown, named: Readonly<Record<string, Json>>): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Json & { allOf?: readonly { $ref?: string }[] };
  if (schema['nullable'] === true && schema['type'] === undefined && schema.allOf)
    schema['type'] = named[schema.allOf[0]?.$ref?.split('/').at(-1) ?? '']?.['type'] ?? 'object';
  for (const inner of Object.values(schema)) typeNullables(inner, named);
}
const capital = (name: string): string => (name[0] ?? '').toUpperCase() + name.slice(1);

const REFUSAL_SCHEMA: Json = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['error', 'not', '996', '997', '555', '998', '999', 'pending'] },
    message: { type: 'string', description: 'Text in the language of the caller' },
    key: {
      type: 'string',
      description: `Stable; a call names its own under x-refusals. Any call: ${COMMON_KEYS.join(', ')}`,
    },
    params: { type: 'object', additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
    field: { type: 'string' },
    command_id: { type: 'string' },
    request_id: { type: 'string' },
  },
  required: ['type', 'message', 'key', 'request_id'],
};
