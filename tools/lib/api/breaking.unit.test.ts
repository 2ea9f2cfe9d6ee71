import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { breakingAsyncApi, breakingOpenApi } from './breaking.mjs';
import { errorsPage, operationsOf } from './documents.mjs';
import { sdkTypes } from './types.mjs';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8');
interface Field {
  type?: string;
  enum?: string[];
  nullable?: boolean;
  maxLength?: number;
}
interface Fields {
  properties: Record<string, Field>;
  required: string[];
}

/** A document of one call: fields, and what it answers. */
const document = (fields: Fields, answer: Fields, call: object = { auth: 'user', api_key: 'read' }): object => ({
  paths: {
    '/api/one': {
      post: {
        'x-call': call,
        requestBody: { content: { 'application/json': { schema: { type: 'object', ...fields } } } },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/One' } } } } },
      },
    },
  },
  components: { schemas: { One: { type: 'object', ...answer } } },
});
const field = (properties: Record<string, Field>, ...required: string[]): Fields => ({ properties, required });
const OLD = document(
  field({ side: { type: 'string', enum: ['buy', 'sell'] }, name: { type: 'string' } }, 'side'),
  field({ id: { type: 'string' }, note: { type: 'string' } }, 'id', 'note'),
);

test('what only adds breaks nobody [API-002]', () => {
  const now = document(
    field(
      { side: { type: 'string', enum: ['buy', 'sell', 'both'] }, name: { type: 'string' }, more: { type: 'string' } },
      'side',
    ),
    field({ id: { type: 'string' }, note: { type: 'string' }, more: { type: 'string' } }, 'id', 'note', 'more'),
  );
  expect(breakingOpenApi(OLD, now)).toEqual([]);
  expect(breakingOpenApi(OLD, OLD)).toEqual([]);
});

test('calls that are gone, fields that are narrower and answers that say less are named [API-002]', () => {
  const now = document(
    field({ side: { type: 'string', enum: ['buy'] }, name: { type: 'string', maxLength: 3 } }, 'side', 'name'),
    field({ id: { type: 'integer' } }, 'id'),
    { auth: 'user', api_key: 'trade' },
  );
  expect(breakingOpenApi(OLD, now)).toEqual([
    'POST /api/one needs more of an API key: read before, trade now',
    'POST /api/one: side does not take sell any more',
    'POST /api/one: name has at most a length of 3 now',
    'POST /api/one: field name is needed now',
    'POST /api/one: id was string and is integer',
    'POST /api/one: field note is not answered any more',
  ]);
  expect(breakingOpenApi(OLD, { paths: {}, components: { schemas: {} } })).toEqual(['POST /api/one is gone']);
});

test('messages of the socket are compared like calls [API-002]', () => {
  const socket = (payload: object, action = 'send'): object => ({
    channels: { socket: { messages: { one: { payload: { type: 'object', ...payload } } } } },
    operations: { one: { action } },
  });
  const full = socket(field({ id: { type: 'string' } }, 'id'));
  expect(breakingAsyncApi(full, socket(field({ id: { type: 'string', nullable: true } }, 'id')))).toEqual([
    'message one: id may be null now',
  ]);
  expect(breakingAsyncApi(full, { channels: { socket: { messages: {} } }, operations: {} })).toEqual([
    'message one is gone',
  ]);
  expect(breakingAsyncApi(socket(field({}), 'receive'), socket(field({ id: {} }, 'id'), 'receive'))).toEqual([
    'message one: field id is needed now',
  ]);
});

const committed = (name: string): never => JSON.parse(read(`docs/api/${name}`)) as never;

test('nothing breaks since the release but what docs/api/breaking.md names [API-003]', () => {
  const told = [...read('docs/api/breaking.md').matchAll(/^- (.+)$/gm)].map(([, change]) => change);
  const breaking = [
    ...breakingOpenApi(committed('released/openapi.json'), committed('openapi.json')),
    ...breakingAsyncApi(committed('released/asyncapi.json'), committed('asyncapi.json')),
  ];
  expect(breaking.filter((change) => !told.includes(change))).toEqual([]);
  expect(told.filter((change) => !breaking.includes(change ?? ''))).toEqual([]);
});

test('the list of error keys and the types of the SDK are made of the committed documents [API-004]', async () => {
  const openApi = committed('openapi.json') as { paths: object };
  const texts = JSON.parse(read('libs/i18n/src/bundles/en/server.json')) as Record<string, string>;
  expect(errorsPage(openApi, texts)).toBe(read('docs/api/errors.md'));
  expect(read('docs/api/errors.md')).not.toMatch(/^\| `[^`]+` \| {2}\|/m);
  expect(operationsOf(openApi).length).toBeGreaterThan(150);
  const { format, resolveConfig } = await import('prettier');
  const file = fileURLToPath(new URL('libs/sdk/src/types.generated.ts', ROOT));
  expect(existsSync(file)).toBe(true);
  const types = await format(sdkTypes(openApi, committed('asyncapi.json')), {
    ...(await resolveConfig(file)),
    filepath: file,
  });
  expect(read('libs/sdk/src/types.generated.ts')).toBe(types);
});
