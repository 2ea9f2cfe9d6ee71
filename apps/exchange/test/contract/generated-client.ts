/** A JSON schema, as far as the generator reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly nullable?: boolean | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly 'x-refusals'?: readonly string[];
}
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
export interface AsyncApi {
  readonly asyncapi: string;
  readonly channels: { readonly socket: { readonly messages: Readonly<Record<string, { readonly payload: Schema }>> } };
  readonly operations: Readonly<Record<string, { readonly messages: readonly { readonly $ref: string }[] }>>;
}

/**
 * A TypeScript client from the two interface documents: one function per call, one type per message of the socket.
 * Small on purpose; it proves that the documents suffice for a client (api §6.15).
 */
export function generateClient(openApi: OpenApi, asyncApi: AsyncApi): string {
  const lines = ['/* Made from openapi.json and asyncapi.json. */'];
  for (const [name, schema] of Object.entries(openApi.components.schemas))
    lines.push(`export type ${name} = ${type(schema)};`);
  lines.push('export interface Messages {');
  for (const [name, message] of Object.entries(asyncApi.channels.socket.messages))
    lines.push(`  ${JSON.stringify(name)}: ${type(message.payload)};`);
  lines.push(
    '}',
    'export type Send = (method: string, path: string, fields: object) => Promise<unknown>;',
    'export function client(send: Send) {',
    '  return {',
  );
  for (const [path, methods] of Object.entries(openApi.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const answer = operation.responses?.['200']?.content?.['application/json']?.schema;
      const result = answer ? type(answer) : 'unknown';
      lines.push(
        `    ${operation.operationId}: (fields: ${fieldsOf(operation)}): Promise<${result}> =>`,
        `      send('${method.toUpperCase()}', '${path}', fields) as Promise<${result}>,`,
      );
    }
  lines.push('  };', '}', '');
  return lines.join('\n');
}

function fieldsOf(operation: Operation): string {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const parameters = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' || parameter.in === 'path',
  );
  const query: Schema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema ?? {}])),
    required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
  return [...(parameters.length > 0 ? [type(query)] : []), ...(body ? [type(body)] : [])].join(' & ') || 'object';
}

function type(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown';
  const nullable = schema.nullable ? ' | null' : '';
  const plain = { ...schema, nullable: undefined };
  if (nullable) return `(${type(plain)}${nullable})`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const any = schema.oneOf ?? schema.anyOf;
  if (any) return any.map((one) => `(${type(one)})`).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${type(one)})`).join(' & ');
  if (schema.type === 'array') return `(${type(schema.items ?? {})})[]`;
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string') return 'string';
  if (schema.type === 'boolean') return 'boolean';
  if (schema.type === 'null') return 'null';
  if (schema.type === 'object' || schema.properties) return object(schema);
  return 'unknown';
}

function object({ properties = {}, required = [], additionalProperties }: Schema): string {
  const names = Object.keys(properties);
  if (names.length === 0)
    return `Record<string, ${typeof additionalProperties === 'object' ? type(additionalProperties) : 'unknown'}>`;
  const fields = names.map((name) => {
    const optional = required.includes(name) ? '' : '?';
    return `${JSON.stringify(name)}${optional}: ${type(properties[name] ?? {})}`;
  });
  return `{ ${fields.join('; ')} }`;
}
