import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/*
 * The committed interface documents before an independent validator; a contract test compares them with the served
 * ones.
 */

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../docs/api/${name}`, import.meta.url)), 'utf8');
type Operation = Readonly<Record<string, unknown>> & { readonly operationId: string };
const operationsOf = (name: string): [call: string, operation: Operation][] =>
  Object.entries((JSON.parse(read(name)) as { paths: Record<string, Record<string, Operation>> }).paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );

/** Returns a validator's findings in a document, each once. */
async function faultsOf(source: string, rules: Readonly<Record<string, 'error' | 'off'>> = {}): Promise<string[]> {
  const config = await createConfig({
    extends: ['spec'],
    rules: { 'nullable-type-sibling': 'error', 'no-unused-components': 'error', ...rules },
  });
  const problems = await lintFromString({ source, absoluteRef: 'document.json', config });
  return [...new Set(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`))];
}

test('openapi.json is valid and names every component that it has [CLIENT-140]', async () => {
  expect(await faultsOf(read('openapi.json'))).toEqual([]);
});

test('operators.json is valid [CLIENT-140]', async () => {
  // No API key may call operators' calls; both documents have the same head.
  expect(await faultsOf(read('operators.json'), { 'no-unused-components': 'off' })).toEqual([]);
});

test('the validator finds a parameter twice, a schema of nothing, a null without a type [CLIENT-140]', async () => {
  const document = JSON.parse(read('openapi.json')) as {
    paths: Record<string, Record<string, { parameters: object[] }>>;
    components: { schemas: Record<string, object> };
  };
  const proof = document.paths['/api/solvency/proof']!['get']!;
  proof.parameters.push({ name: 'currency', in: 'query', schema: { type: 'integer' } });
  document.components.schemas['OfNobody'] = {
    type: 'object',
    properties: { a: { nullable: true, allOf: [{ $ref: '#/components/schemas/Tick' }] } },
  };
  expect((await faultsOf(JSON.stringify(document))).map((fault) => fault.split(':')[0]).toSorted()).toEqual([
    'no-unused-components',
    'nullable-type-sibling',
    'operation-parameters-unique',
  ]);
});

test('names of calls stay apart in the generators that drop the marks between words [CLIENT-141]', () => {
  for (const name of ['openapi.json', 'operators.json']) {
    const names = operationsOf(name).map(([, { operationId }]) =>
      operationId.toLowerCase().replaceAll(/[^a-z0-9]/g, ''),
    );
    expect(names.filter((one, at) => names.indexOf(one) !== at)).toEqual([]);
  }
});

test('the answer of a failed call for candles is in the document [CLIENT-142]', () => {
  const { components } = JSON.parse(read('openapi.json')) as {
    components: { schemas: Record<string, { properties: object }> };
  };
  const { properties } = components.schemas['GetApiCurrencyNew_timesharFile']!;
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(['code', 'key', 'message', 'msg', 'params']));
});

test('a call that answers a file declares its refusals as JSON too [CLIENT-142]', () => {
  for (const name of ['openapi.json', 'operators.json'])
    for (const [call, { responses }] of operationsOf(name)) {
      const { content } = (responses as Record<string, { content?: Record<string, { schema: unknown }> }>)['200']!;
      if (content && !/\/api\/(?:openapi|asyncapi|admin\/openapi)\.json$/.test(call))
        expect([call, JSON.stringify(content['application/json'] ?? null)]).toEqual([
          call,
          expect.not.stringMatching(/^null$/),
        ]);
    }
});

test('no pattern uses Unicode property classes, which tools of other languages do not know [CLIENT-142]', () => {
  for (const name of ['openapi.json', 'operators.json'])
    expect(read(name).match(/"pattern": ?"[^"]*\\\\p\{[^"]*"/gi) ?? []).toEqual([]);
});
