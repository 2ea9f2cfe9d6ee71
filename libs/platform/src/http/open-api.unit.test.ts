import { Controller, Get, Module, Query } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { microReceipt } from '@bourse/contract';
import { Call } from './call.js';
import { CatalogId, Given } from './fields/vocabulary.js';
import { OpenApi } from './open-api.js';
import { Raw } from './refused.js';
import { RouteTable } from './route-table.js';
import { file, message } from './call-description.js';

class ProofQuery {
  @Given({ field: 'currency', about: 'Id of the coin, or its name' }) coin?: string;
  @CatalogId({ field: 'currency', late: true }) currency!: number;
}
@Controller()
class Calls {
  @Call(
    { method: 'GET', path: '/api/proof', auth: 'public' },
    { summary: 'A proof', suffix: 'Checked', answer: message(microReceipt) },
  )
  proof(@Query() _query: ProofQuery): never {
    throw new Error('not called');
  }
  @Call(
    { method: 'GET', path: '/api/export', auth: 'public', raw: true },
    { summary: 'An export', answer: file('text/csv') },
  )
  export(): Raw {
    return new Raw('');
  }
  @Call(
    { method: 'GET', path: '/api/document.json', auth: 'public', raw: true },
    { summary: 'A document', answer: file('application/json') },
  )
  document(): Raw {
    return new Raw({});
  }
  @Get('/open')
  open(): string {
    return '';
  }
}
@Module({ imports: [DiscoveryModule], controllers: [Calls], providers: [RouteTable, OpenApi] })
class App {}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly schema: object }[];
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}
let paths: Readonly<Record<string, { readonly get: Operation }>>;
let schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
const app = await NestFactory.create(App, new FastifyAdapter(), { logger: false });
beforeAll(async () => {
  await app.init();
  const openApi = app.get(OpenApi);
  openApi.bind(app);
  ({
    paths,
    components: { schemas },
  } = openApi.document() as unknown as { paths: typeof paths; components: { schemas: typeof schemas } });
});
afterAll(() => app.close());

test('a field that is read in two ways is one parameter [CLIENT-140]', () => {
  expect(paths['/api/proof']!.get.parameters.filter((one) => one.in === 'query')).toEqual([
    {
      name: 'currency',
      in: 'query',
      required: false,
      schema: { type: 'string', description: 'Id of the coin, or its name' },
    },
  ]);
});

test('a null beside a reference has the type of the referenced schema [CLIENT-140]', () => {
  expect(schemas['MicroReceipt']!.properties['open_tick']).toEqual({
    type: 'object',
    nullable: true,
    allOf: [{ $ref: '#/components/schemas/Tick' }],
  });
});

test('a call is named by its path, or by its own name where it declares one [CLIENT-141]', () => {
  expect(paths['/api/export']!.get.operationId).toBe('getApiExport');
  expect(paths['/api/proof']!.get.operationId).toBe('getApiProofChecked');
  expect(Object.keys(schemas)).toContain('MicroReceipt');
});

test('a file is declared with its refusals, a document as JSON [CLIENT-142]', () => {
  const contentOf = (path: string): object => paths[path]!.get.responses['200']!.content;
  expect(contentOf('/api/export')).toEqual({
    'text/csv': { schema: { type: 'string' } },
    'application/json': { schema: { $ref: '#/components/schemas/Refusal' } },
  });
  expect(contentOf('/api/document.json')).toEqual({ 'application/json': { schema: { type: 'object' } } });
});
