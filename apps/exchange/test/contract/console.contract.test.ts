import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { get } from './client.js';
import { operator } from './people.js';

/** Calls that the console has no screen for, each with the reason. */
const WITHOUT_SCREEN: Readonly<Record<string, string>> = {
  'GET /api/admin/openapi.json': 'the document for those who write programs; tools read it',
};
const CONSOLE = join(import.meta.dirname, '../../../console/src');
type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

let calls: readonly string[];
beforeAll(async () => {
  const { text } = await get('/api/admin/openapi.json', {}, { token: await operator('operator') });
  calls = Object.entries((JSON.parse(text) as { paths: Paths }).paths)
    .filter(([path]) => path.startsWith('/api/admin/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
});

const sources = (): readonly string[] =>
  readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    // A call named in a comment is not made.
    .map((name) => readFileSync(join(CONSOLE, name), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''));

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Matches a path in quotes, with names in braces filled in. */
const quoted = (path: string): RegExp =>
  new RegExp(
    `['"\`}]${path
      .split(/\{\w+\}/)
      .map(escaped)
      .join('\\$\\{[^}]+\\}')}['"\`?]`,
  );

/**
 * Whether a source calls this path: it contains the whole path, or its beginning and the rest in quotes, or the rest
 * after the name of the beginning (`${PATH}/decide`).
 */
function isCalled(path: string, texts: readonly string[]): boolean {
  const cut = path.lastIndexOf('/');
  const [head, tail] = [path.slice(0, cut), path.slice(cut + 1)];
  const rest = /^\{\w+\}$/.test(tail)
    ? /\}\/\$\{[^}]+\}/
    : new RegExp(`['"\`]${escaped(tail)}['"\`]|\\}/${escaped(tail)}['"\`]`);
  return texts.some((text) => quoted(path).test(text) || (quoted(head).test(text) && rest.test(text)));
}

/** Tables of the catalog have a call each, and one screen that takes their name. */
const CATALOG = /^\/api\/admin\/catalog\/(\w+)(.*)$/;
function hasScreen(path: string, texts: readonly string[]): boolean {
  const [, table, rest] = CATALOG.exec(path) ?? [];
  if (table === undefined) return isCalled(path, texts);
  return isCalled(`/api/admin/catalog/{table}${rest}`, texts) && texts.some((text) => text.includes(`${table}: {`));
}

test('every call of operators is called by the console, or has a reason not to be [CONSOLE-315]', () => {
  const texts = sources();
  expect(calls.length).toBeGreaterThan(60);
  const missing = calls.filter((call) => !(call in WITHOUT_SCREEN) && !hasScreen(call.split(' ')[1]!, texts));
  expect(missing).toEqual([]);
  // Each reason belongs to an existing call.
  expect(Object.keys(WITHOUT_SCREEN).filter((call) => !calls.includes(call))).toEqual([]);
});

test('a call that no source names would be found [CONSOLE-315]', () => {
  const texts = ["const PATH = '/api/admin/shops'; post(`${PATH}/decide`); get(`/api/admin/users/${id}`);"];
  for (const path of ['/api/admin/shops', '/api/admin/shops/decide', '/api/admin/users/{id}'])
    expect([path, isCalled(path, texts)]).toEqual([path, true]);
  for (const path of ['/api/admin/shop', '/api/admin/shops/decided', '/api/admin/users', '/api/admin/ads/{id}'])
    expect([path, isCalled(path, texts)]).toEqual([path, false]);
});
