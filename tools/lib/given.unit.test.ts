import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

const lib = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join(import.meta.dirname, name)).href)) as T;
const folder = mkdtempSync(join(tmpdir(), 'bourse-given-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

test('a tool takes addresses and logins from files too [DEPLOY-023]', async () => {
  const { given } = await lib<{ given(name: string, env: object): Promise<string | undefined> }>('given.mjs');
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_LOGINS', 'DATABASE_URL']) {
    const path = file(name, `what ${name} says\n`);
    expect(await given(name, { [name]: 'plain' })).toBe('plain');
    expect(await given(name, { [`${name}_FILE`]: path, [name]: '' })).toBe(`what ${name} says`);
    expect(await given(name, {})).toBeUndefined();
    await expect(given(name, { [name]: 'plain', [`${name}_FILE`]: path })).rejects.toThrow(/are both set/);
    await expect(given(name, { [`${name}_FILE`]: join(folder, 'none') })).rejects.toThrow(/cannot be read/);
  }
});

test('logins that are no JSON of passwords are refused without a word of them [DEPLOY-066]', async () => {
  const { readLogins } = await lib<{
    readLogins(text: string | undefined, services: readonly string[]): Record<string, string>;
  }>('given.mjs');
  const refusal = /^DATABASE_LOGINS must be JSON of service name to password\.$/;
  for (const text of [
    '{"auth": s3cret-13579}',
    '{"auth":"s3c"ret"}',
    '"s3cret"',
    '["s3cret"]',
    'null',
    '{"auth":13579}',
  ])
    expect(() => readLogins(text, ['auth'])).toThrow(refusal);
  expect(() => readLogins('{"auht":"s3cret"}', ['auth'])).toThrow(
    /^DATABASE_LOGINS names auht, which is no service\.$/,
  );
  expect(readLogins('{"auth":"s3cret"}', ['auth'])).toEqual({ auth: 's3cret' });
  expect(readLogins(undefined, ['auth'])).toEqual({});
});

test('people are seeded into the database that a file names [DEPLOY-023]', async () => {
  const { findInstall } = await lib<{
    findInstall(dataDir: string, env: object): Promise<{ folder: string; url: string }>;
  }>('seed-install.mjs');
  const url = 'postgres://bourse:pw@127.0.0.1:9/exchange';
  expect(await findInstall(folder, { DATABASE_URL_FILE: file('address', `${url}\n`) })).toEqual({ folder, url });
  expect(await findInstall(folder, { DATABASE_URL: url })).toEqual({ folder, url });
});
