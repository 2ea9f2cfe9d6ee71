import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { PRIVATE_EVENTS, PUBLIC_EVENTS } from '@bourse/contract';
import * as z from 'zod/mini';
import { fits } from './fits.js';
import { PRIVATE_SHAPES } from './private-shapes.js';
import { PRIVATE_NAMES, PUBLIC_SHAPES } from './push-shapes.js';

test('the shapes of the page are those of the contract [FEED-030]', async () => {
  await expect(promisify(execFile)(process.execPath, ['tools/push-shapes.mjs', '--check'])).resolves.toBeDefined();
  expect([...PRIVATE_NAMES]).toEqual(Object.keys(PRIVATE_SHAPES));
});

/** A value that fits a schema, by its JSON Schema: the smallest one. */
function sample(schema: z.core.JSONSchema._JSONSchema): unknown {
  if (typeof schema === 'boolean') return schema;
  if (schema.anyOf) return sample(schema.anyOf[0]!);
  if (schema.enum) return schema.enum[0];
  if ('const' in schema) return schema.const;
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, inner]) => [name, sample(inner)]),
    );
  if (schema.type === 'array') return [];
  return schema.type === 'string' ? 'x' : schema.type === 'null' ? null : 1;
}
/** The value with each of its fields, at any depth, absent or of another kind. */
function* spoiled(value: unknown): Generator<unknown> {
  for (const other of [undefined, null, {}, [], 'other', 1.5, true]) yield other;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(value)) for (const bad of spoiled(inner)) yield { ...value, [name]: bad };
}

const events = [
  ...Object.entries(PUBLIC_EVENTS).map(([name, { payload }]) => ({
    name,
    payload: payload as z.core.$ZodType,
    shape: PUBLIC_SHAPES[name as keyof typeof PUBLIC_SHAPES].payload,
  })),
  ...Object.entries(PRIVATE_EVENTS).map(([name, { payload }]) => ({
    name,
    payload: payload as z.core.$ZodType,
    shape: PRIVATE_SHAPES[name as keyof typeof PRIVATE_SHAPES].payload,
  })),
];

describe.each(events)('$name', ({ payload, shape }) => {
  const good = sample(z.toJSONSchema(payload));

  test('the page accepts and refuses the same values as the schema [FEED-031]', () => {
    expect(fits(shape, good)).toBe(true);
    const results = [...spoiled(good)].map((value) => ({
      value,
      page: fits(shape, value),
      schema: z.core.safeParse(payload, value).success,
    }));
    expect(results.filter(({ page, schema }) => page !== schema)).toEqual([]);
    expect(results.filter(({ page }) => !page).length).toBeGreaterThan(5);
  });
});
