import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { baselineOf, baselineProblems, breakingSince, digestsOf, moveProblems, sinceLine } from './baseline.mjs';
import { breakingAsyncApi, breakingOpenApi } from './breaking.mjs';

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

test('a mere addition breaks no program [API-002]', () => {
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

/** An answer of one schema beside others that it names. */
const answering = (one: object, more: object = {}, call: object = { auth: 'user' }, keys: string[] = []): object => ({
  paths: {
    '/api/one': {
      get: {
        'x-call': call,
        'x-refusals': keys,
        responses: { 200: { content: { 'application/json': { schema: one } } } },
      },
    },
  },
  components: { schemas: more },
});
const both = (before: object, now: object, more?: object): string[] =>
  breakingOpenApi(answering(before, more), answering(now, more)) as string[];
const TEXT = { type: 'string' };

test('a nullable reference is compared, and reported when it becomes nullable [API-002]', () => {
  const more = {
    Own: { type: 'object', properties: { id: TEXT, up: { allOf: [{ $ref: '#/components/schemas/Own' }] } } },
  };
  const or = (schema: object): object => ({ type: 'object', properties: { own: schema }, required: ['own'] });
  const ref = { $ref: '#/components/schemas/Own' };
  const nullable = { nullable: true, allOf: [ref] };
  expect(both(or(nullable), or(nullable), more)).toEqual([]);
  expect(both(or(nullable), or(ref), more)).toEqual([]);
  expect(both(or(ref), or(nullable), more)).toEqual(['GET /api/one: own may be null now']);
  expect(both(or(ref), or({ anyOf: [ref, { type: 'null' }] }), more)).toEqual(['GET /api/one: own may be null now']);
  const less = { Own: { type: 'object', properties: {} } };
  expect(breakingOpenApi(answering(or(nullable), more), answering(or(nullable), less))).toEqual([
    'GET /api/one: own: field id is not answered any more',
    'GET /api/one: own: field up is not answered any more',
  ]);
});

test('values of an answer that no program knows are named, a constant is its one value [API-002]', () => {
  expect(both({ ...TEXT, enum: ['a', 'b'] }, { ...TEXT, enum: ['a'] })).toEqual([]);
  expect(both({ ...TEXT, enum: ['a'] }, { ...TEXT, enum: ['a', 'b', 'c'] })).toEqual(['GET /api/one may be b, c now']);
  expect(both({ ...TEXT, enum: ['a', 'b'] }, TEXT)).toEqual(['GET /api/one may be more than a, b now']);
  expect(both({ ...TEXT, const: 'a' }, { ...TEXT, enum: ['a'] })).toEqual([]);
  expect(both({ ...TEXT, const: 'a' }, { ...TEXT, const: 'b' })).toEqual(['GET /api/one may be b now']);
});

test('tables of values by name are compared, and so is whether other fields are taken [API-002]', () => {
  const table = (values: object | boolean): object => ({ type: 'object', additionalProperties: values });
  expect(both(table(TEXT), table(TEXT))).toEqual([]);
  expect(both(table(TEXT), table({ type: 'integer' }))).toEqual(['GET /api/one{} was string and is integer']);
  expect(both(table(TEXT), table(false))).toEqual(['GET /api/one is no table of values by name any more']);
  const sent = (schema: object): object => ({
    paths: {
      '/api/one': {
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { a: schema } } } } },
        },
      },
    },
    components: { schemas: {} },
  });
  expect(breakingOpenApi(sent({ type: 'object' }), sent(table(false)))).toEqual([
    'POST /api/one: a takes no other fields now',
  ]);
  expect(breakingOpenApi(sent({ ...TEXT, nullable: true }), sent(TEXT))).toEqual([
    'POST /api/one: a may not be null any more',
  ]);
});

test('refusals that go, gates and roles that come, a call that is not done once any more [API-002]', () => {
  const call = (told: object, keys: string[] = []): object => answering(TEXT, {}, { auth: 'user', ...told }, keys);
  const told = (before: object, now: object): string[] => breakingOpenApi(before, now) as string[];
  expect(told(call({}, ['a.one', 'a.two']), call({}, ['a.two', 'a.three']))).toEqual([
    'GET /api/one does not refuse with a.one any more',
  ]);
  expect(told(call({ money: true }), call({ money: false }))).toEqual([
    'GET /api/one is not carried out once under an Idempotency-Key any more',
  ]);
  expect(told(call({ money: false }), call({ money: true }))).toEqual([]);
  expect(told(call({ gates: [] }), call({ gates: ['trade'] }))).toEqual([
    'GET /api/one stands behind the gate trade now',
  ]);
  expect(told(call({ role: 'support' }), call({ role: 'admin' }))).toEqual(['GET /api/one needs the role admin now']);
  expect(told(call({ auth: 'public' }), call({}))).toEqual([
    'GET /api/one is for user callers now, and was for public',
  ]);
  expect(told(call({ while_frozen: true }), call({ while_frozen: false }))).toEqual([
    'GET /api/one is closed to frozen accounts now',
  ]);
  const common = (...keys: string[]): object => ({
    paths: {},
    components: {
      schemas: { Refusal: { properties: { key: { description: `Stable. Any call: ${keys.join(', ')}` } } } },
    },
  });
  expect(told(common('a.one', 'a.two'), common('a.two'))).toEqual(['any call does not refuse with a.one any more']);
});

test('docs/api/breaking.md names every break since the release [API-003]', () => {
  const page = read('docs/api/breaking.md');
  const told = [...page.matchAll(/^- (.+)$/gm)].map(([, change]) => change);
  const breaking = breakingSince(fileURLToPath(ROOT)) as string[];
  expect(breaking.filter((change) => !told.includes(change))).toEqual([]);
  expect(told.filter((change) => !breaking.includes(change ?? ''))).toEqual([]);
  // It says truly since when, and that nothing breaks only where nothing does.
  expect(page.split('\n')).toContain(sinceLine(baselineOf(fileURLToPath(ROOT))));
  expect(page.includes('Nothing breaks.')).toBe(breaking.length === 0);
});

describe('the baseline', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2030-02-01)\n\n## 1.1.0 (2030-01-01)\n';
  const baseline = { version: '1.1.0', released: '2030-01-01', sha256: { 'openapi.json': 'a' } as object };

  test('is the output of the last release, which is in the changelog [API-006]', () => {
    const root = fileURLToPath(ROOT);
    expect(baselineProblems(baselineOf(root), digestsOf(root), read('CHANGELOG.md'))).toEqual([]);
    expect(baselineProblems(baseline, { 'openapi.json': 'b' }, changelog)).toEqual([
      'docs/api/released/openapi.json is not the one of 1.1.0: only a release writes it',
    ]);
    const early = { ...baseline, version: '1.3.0' };
    expect(baselineProblems(early, { 'openapi.json': 'a' }, changelog)).toEqual([
      'docs/api/released/release.json says that 1.3.0 was released on 2030-01-01, CHANGELOG.md null',
    ]);
  });

  test('moves only to a later version that the changelog has with its day [API-006]', () => {
    expect(moveProblems(baseline, '1.2.0', changelog)).toEqual([]);
    expect(moveProblems(baseline, '1.3.0', changelog)).toHaveLength(1);
    expect(moveProblems(baseline, '1.1.0', changelog)).toHaveLength(1);
    expect(moveProblems({ ...baseline, released: null }, '1.1.0', changelog)).toEqual([]);
    expect(moveProblems({ ...baseline, released: null }, '0.1.0', '# Changelog\n\n## Unreleased\n')).toHaveLength(1);
  });
});
