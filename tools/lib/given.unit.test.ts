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

test('people are seeded into the database that a file names [DEPLOY-023]', async () => {
  const { findInstall } = await lib<{
    findInstall(dataDir: string, env: object): Promise<{ folder: string; url: string }>;
  }>('seed-install.mjs');
  const url = 'postgres://bourse:pw@127.0.0.1:9/exchange';
  expect(await findInstall(folder, { DATABASE_URL_FILE: file('address', `${url}\n`) })).toEqual({ folder, url });
  expect(await findInstall(folder, { DATABASE_URL: url })).toEqual({ folder, url });
});
