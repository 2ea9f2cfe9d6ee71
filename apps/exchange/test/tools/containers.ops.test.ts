import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { Ajv2020 } from 'ajv-2020/dist/2020.js';
import { parse } from 'yaml';
import { testTimeoutMs } from '@bourse/testing/eventually';

// The first run fetches hadolint and the schema.
jest.setTimeout(testTimeoutMs(60_000));

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { composeSchema, hadolint } = (await import(join(root, 'tools/lib/containers.mjs'))) as {
  composeSchema(): object;
  hadolint(): string;
};

test('docker-compose.yml has only fields that the compose specification knows [DEPLOY-001]', () => {
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    readonly services: object;
  };
  const check = new Ajv2020({ strict: false, validateFormats: false }).compile(composeSchema());
  expect([check(compose), check.errors]).toEqual([true, null]);
  expect(check({ ...compose, services: { ...compose.services, odd: { imagee: 'x' } } })).toBe(false);
});

test('hadolint warns of nothing in the Dockerfile [DEPLOY-005]', () => {
  const found = execFileSync(hadolint(), ['--format', 'json', '--no-fail', join(root, 'deploy/Dockerfile')], {
    encoding: 'utf8',
  });
  expect(JSON.parse(found)).toEqual([]);
});
